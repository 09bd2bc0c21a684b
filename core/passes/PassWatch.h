//===- PassWatch.h - looks at modules after passes ------------------------------------------------------===//
//
// What: while one exists on a thread, it is shown the module after each pass that compilers run on that
// thread. Why: which pass changed what a kernel computes is found by running what each leaves.
// Limits: compilers tell of their passes by watched() and tell().
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_PASSWATCH_H
#define TRISECT_CORE_PASSES_PASSWATCH_H

#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <string>

namespace mlir {
class PassManager;
}

namespace trisect::tt {

class PassWatch {
public:
  using Visit = std::function<void(const std::string &pass, mlir::ModuleOp module)>;
  explicit PassWatch(Visit visit);
  ~PassWatch();
  PassWatch(const PassWatch &) = delete;
  PassWatch &operator=(const PassWatch &) = delete;

  /// Passes of `manager` are told of if somebody watches.
  static void watched(mlir::PassManager &manager);
  /// For what is no pass but works like one.
  static void tell(const std::string &pass, mlir::ModuleOp module);

private:
  Visit visit;
  PassWatch *outer;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_PASSWATCH_H
