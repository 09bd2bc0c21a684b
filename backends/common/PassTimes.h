//===- PassTimes.h - how long LLVM's passes take --------------------------------------------------------===//
//
// What: while one lives and LLVM_ENABLE_TIMING asks for it, passes of LLVM on this thread are timed, those of
// a pass builder by callbacks() and those of code generation by themselves; then the report is printed.
// Why: LLVM's own switch is one for the process and prints when that ends.
// Limits: since that switch is one for all threads, compilations that are timed go one after another.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_PASSTIMES_H
#define TRISECT_BACKENDS_COMMON_PASSTIMES_H

#include <memory>
#include <string>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace trisect {

class PassTimes {
public:
  /// `what` heads the report: `cpu: code of add`.
  explicit PassTimes(std::string what);
  ~PassTimes();
  PassTimes(const PassTimes &) = delete;
  PassTimes &operator=(const PassTimes &) = delete;

  /// For a pass builder; null if nobody asked.
  llvm::PassInstrumentationCallbacks *callbacks();

private:
  struct Timing;
  std::unique_ptr<Timing> timing;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_PASSTIMES_H
