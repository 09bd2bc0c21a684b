//===- Debugger.h - debugging a launch, for a caller without MLIR ---------------------------------------===//
//
// What: a kernel decoded with its statements, and one launch of it that is run, stopped, looked at and run
// back. Why: the Python extension sees this header alone. Limits: a launch is driven by one thread; the
// memory behind its arguments is the caller's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_DEBUGGER_H
#define TRISECT_PYTHON_BINDINGS_FACADE_DEBUGGER_H

#include "core/support/Launch.h"
#include "core/support/Outcome.h"
#include "python/bindings/facade/Api.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::debugger {

struct Variable {
  std::string name, type;
  uint32_t slot = 0;
  std::optional<uint32_t> mask; ///< of the load that made it
  bool undefined = false;       ///< lanes outside the mask hold nothing
};

struct Statement {
  std::string kind; ///< line, end, breakpoint
  std::string function;
  SourcePosition position;
  std::optional<uint32_t> caller;
  uint32_t depth = 0;
  std::vector<Variable> variables;
  std::vector<std::pair<std::string, std::string>> constants;
};

struct Breakpoint {
  int id = 0;
  std::optional<uint32_t> statement; ///< none: the first of the program
  std::optional<int64_t> program;
};

struct Watch {
  int id = 0;
  uint64_t address = 0;
  unsigned size = 0;
};

/// Elements in row-major order. Floats that NumPy does not have are converted to f32.
struct Block {
  DType type = DType::F32; ///< of the elements here
  std::string source;      ///< their type in the kernel
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

struct Event {
  std::string reason; ///< statement, breakpoint, watch, fault, pause, finished, slice
  std::vector<int> breakpoints;
  bool stepDone = false;
  int watch = 0;
  uint64_t before = 0, after = 0; ///< the watched element's bits
};

struct KernelState;
struct LaunchState;

class TRISECT_API Kernel {
public:
  /// Throws InvalidInput or Unsupported.
  static Kernel create(std::string_view source, std::string_view name,
                       const std::map<std::string, std::string> &options);
  std::string name() const;
  std::vector<Statement> statements() const;

private:
  friend class Launch;
  std::shared_ptr<KernelState> state;
};

/// One launch; see interp/observe/DebugRun.h.
class TRISECT_API Launch {
public:
  /// Sanitizers that are on (facade/Sanitize.h, TRISECT_SANITIZE) turn each defect into a fault.
  Launch(const Kernel &kernel, const LaunchRequest &request, std::function<void(std::string_view)> print);

  /// `motion` is into, over, out or continue.
  Event start(const std::string &motion);
  Event proceed();
  Event startAgain(uint64_t clock, bool stopping);
  bool choose(int64_t program);
  uint64_t before(const std::string &motion) const;
  uint64_t lastOf(int64_t program, uint32_t statement) const;
  void pause();
  void commit();
  void setBreakpoints(const std::vector<Breakpoint> &all, bool calls);
  void setWatches(const std::vector<Watch> &all);

  Grid grid() const;
  uint64_t clock() const;
  /// Linear id; none when the launch is over.
  std::optional<int64_t> program() const;
  std::optional<uint32_t> statement() const;
  bool within() const;
  SourcePosition position() const;
  std::vector<int64_t> livePrograms() const;
  bool hasStarted(int64_t program) const;
  int64_t endedPrograms() const;
  /// Throws the fault that stopped the launch, if one did.
  void raiseFault() const;

  /// None if the slot has not been written yet.
  std::optional<Block> read(uint32_t slot) const;
  const std::vector<TensorView> &tensors() const;
  Block tensor(size_t index) const;
  /// An element of that tensor, given its bits.
  Block element(size_t tensor, uint64_t bits) const;

private:
  std::shared_ptr<LaunchState> state;
};

} // namespace trisect::debugger

#endif // TRISECT_PYTHON_BINDINGS_FACADE_DEBUGGER_H
