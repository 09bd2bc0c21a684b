//===- DebugRun.h - a launch that can stop at any statement, and go back --------------------------------===//
//
// What: runs the programs of a launch one at a time up to breakpoints, steps, watched writes and faults,
// hands out the values of variables, and returns to an earlier point by running the launch again: the order
// of programs is fixed, memory is an overlay, and the user's switches between programs are kept. `clock`
// counts the statements that any program has reached, and so names a point of the run. Limits: one thread;
// writes reach the caller's memory in commit() alone. Conditions are the caller's: a breakpoint stops,
// `proceed` goes on with what was under way.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_DEBUGRUN_H
#define TRISECT_INTERP_OBSERVE_DEBUGRUN_H

#include "interp/exec/Observer.h"
#include "interp/exec/Rider.h"
#include "interp/observe/DebugMemory.h"
#include "interp/observe/DebugSchedule.h"
#include "interp/observe/Printer.h"
#include <atomic>
#include <map>
#include <optional>

namespace trisect::interp {

struct Breakpoint {
  int id = 0;
  uint32_t statement = noStatement; ///< none: the first statement of the program
  int64_t program = -1;             ///< linear id; -1: any
};

class DebugRun final : private StatementHook {
public:
  enum class Motion : uint8_t { Into, Over, Out, Continue };
  enum class Reason : uint8_t {
    Statement, ///< a step is complete, or the asked point is reached
    Breakpoint,
    Watch,
    Fault,
    Pause,
    Finished, ///< every program has ended
    Slice,    ///< nothing yet; the caller may look around and go on
  };
  struct Event {
    Reason reason = Reason::Finished;
    std::vector<int> breakpoints;  ///< that were hit; 0 stands for a call of breakpoint()
    bool stepDone = false;         ///< the motion would have stopped here without them
    std::optional<WatchHit> watch; ///< of a Watch
  };

  /// `shadow`: what rides along (interp/shadow); each defect that it finds must be a fault: one that is
  /// dropped and counted would change what follows.
  DebugRun(std::shared_ptr<const Program> program, const LaunchRequest &request, Numerics numerics,
           RidersOf shadow, std::optional<uint64_t> seed, std::function<void(std::string_view)> print,
           DeviceMemory device = {});

  // Running. Each gives Slice now and then.
  Event start(Motion motion);
  Event proceed();
  /// Runs the launch again from its beginning up to the point where `clock()` was `target`; `stopping`: with
  /// the stops of breakpoints and watches on the way.
  Event startAgain(uint64_t target, bool stopping);
  /// Makes another program current; one that has not started runs to its first statement. False if it has
  /// ended.
  bool choose(int64_t program);
  /// The latest earlier point where the motion, backwards, would stop; 0: there is none.
  uint64_t before(Motion motion) const;
  /// The latest point up to now at which `program` stood at `statement`, or at any if it never did; 0: none.
  uint64_t lastOf(int64_t program, uint32_t statement) const;
  void pause() { pauseAsked = true; }
  void commit() { memory.commit(); }

  void setBreakpoints(const std::vector<Breakpoint> &all, bool calls);
  void setWatches(std::vector<Watch> all) { memory.setWatches(std::move(all)); }

  // Looking.
  const Program &code() const { return *program; }
  const Grid &grid() const { return request.grid; }
  std::span<const TensorView> tensors() const { return views; }
  uint64_t clock() const { return time; }
  /// What runs or stopped last; null when the launch is over.
  const Instance *current() const { return schedule.current(); }
  /// The statement that the current program is in; none before its first.
  uint32_t statement() const;
  /// Whether it has begun that statement: after a fault or a watched write.
  bool within() const { return inside; }
  /// Index into Program::locations of where the current program stands.
  uint32_t location() const;
  const DebugSchedule &programs() const { return schedule; }
  /// Of a Fault; else null.
  const std::exception_ptr &fault() const { return error; }
  DebugMemory &launchMemory() { return memory; }

private:
  struct Point {
    uint32_t program, statement;
  };
  struct Switch {
    uint64_t clock;
    int64_t program;
  };

  bool reached(Instance &instance, uint32_t statement) override;
  std::unique_ptr<Instance> make(int64_t linear);
  void startShadow();
  Event run();
  /// One turn of the current program; true if there is something to tell.
  bool turn(Instance &instance, Event &told);
  Event fail(std::exception_ptr what);
  bool motionDone(const Instance &instance, uint32_t statement) const;
  bool switchDue() const { return switched < switches.size() && switches[switched].clock == time; }

  std::shared_ptr<const Program> program;
  LaunchRequest request;
  std::vector<ArgBits> arguments;
  std::vector<TensorView> views;
  Numerics numerics;
  RidersOf shadow;
  std::unique_ptr<Riders> riders; ///< of this run of the launch
  std::function<void(std::string_view)> print;
  Printer printer;
  DebugMemory memory;
  DebugSchedule schedule;

  std::vector<std::vector<Breakpoint>> armed; ///< by statement
  std::vector<Breakpoint> atStart;
  bool stopsAtCalls = true;
  std::atomic<bool> pauseAsked{false};

  // The motion under way.
  Motion motion = Motion::Continue;
  int64_t motionProgram = -1;
  uint32_t motionDepth = 0;
  uint64_t target = 0;   ///< running up to this clock; 0: not
  bool stopping = false; ///< at breakpoints on the way there
  Event event;           ///< what `reached` found

  uint64_t time = 0;
  uint64_t printed = 0;      ///< prints up to this clock have been shown
  std::vector<Point> logged; ///< by clock - 1
  std::vector<Switch> switches;
  size_t switched = 0;                ///< of `switches`, how many are in effect
  std::map<int64_t, uint32_t> places; ///< where each live program stands
  std::exception_ptr error;
  bool inside = false;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_DEBUGRUN_H
