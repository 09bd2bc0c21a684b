//===- DebugSchedule.h - the programs of a launch that is being debugged --------------------------------===//
//
// What: started programs, who runs now, who comes next. A program keeps running until it ends, waits for
// others or is put aside; then the oldest that can run goes on, then the next one starts. Why: a debugger
// must stop between any two statements, keep several programs alive, and find the same order when it runs the
// launch again. Limits: one thread.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_DEBUGSCHEDULE_H
#define TRISECT_INTERP_OBSERVE_DEBUGSCHEDULE_H

#include "interp/exec/Instance.h"
#include <functional>
#include <optional>
#include <set>

namespace trisect::interp {

class DebugSchedule {
public:
  using Make = std::function<std::unique_ptr<Instance>(int64_t program)>;

  /// Programs in ascending order, or in the order of a seed.
  DebugSchedule(int64_t programs, std::optional<uint64_t> seed, Make make);

  /// Back to before the first program.
  void reset();
  /// The instance to run now; starts one if need be. Null when all have ended. Sets `stuck` if only waiting
  /// programs are left and none of them got on.
  Instance *next();
  bool stuck() const { return deadlock; }
  Instance *current() const { return running ? running->instance.get() : nullptr; }
  /// What the instance did that `next` gave: it ended, or it gave way.
  void ended();
  void gaveWay();

  bool isLive(int64_t program) const;
  bool hasStarted(int64_t program) const { return started.contains(program); }
  /// Makes a program the one that runs now, and starts it if it has not been; false if it has ended.
  bool choose(int64_t program);
  /// Programs that have started and not ended, by linear id.
  std::vector<const Instance *> live() const;
  int64_t count() const { return static_cast<int64_t>(order.size()); }
  int64_t endedCount() const { return static_cast<int64_t>(started.size() - all.size()); }

private:
  struct Live {
    std::unique_ptr<Instance> instance;
    bool waits = false;
    bool quiet = false;  ///< a whole pass of its loop changed nothing
    uint64_t writes = 0; ///< when it gave way last
  };
  Live *start(int64_t program);
  Live *find(int64_t program) const;

  std::vector<int64_t> order;
  Make make;
  std::vector<std::unique_ptr<Live>> all; ///< in the order in which they started
  std::set<int64_t> started;
  Live *running = nullptr;
  size_t position = 0; ///< in `order`
  bool deadlock = false;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_DEBUGSCHEDULE_H
