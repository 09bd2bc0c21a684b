//===- MutantTarget.h - a target that makes mistakes ----------------------------------------------------===//
//
// What: compiles something else than it is given, as a mistaken compiler would, and otherwise is another
// target. Why: what finds mistakes of a compiler is tested with one that makes them. Limits: the registered
// one makes one mistake at a time in the process; tests run one launch at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_MUTANTTARGET_H
#define TRISECT_TESTS_MUTANTS_MUTANTTARGET_H

#include "backends/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace trisect::mutants {

/// Changes a module, or does nothing.
using Mistake = std::function<void(mlir::ModuleOp)>;

class MutantTarget final : public Target {
public:
  explicit MutantTarget(Target &right) : right(right) {}
  std::string_view name() const override { return "mutant"; }
  NumericProfile numerics() const override { return right.numerics(); }
  std::unique_ptr<const TargetOptions> readOptions(const OptionTexts &texts) const override {
    return right.readOptions(texts);
  }
  std::string isa(const TargetOptions &options) const override { return right.isa(options); }
  Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                   Form form) override;
  /// Only who asks for it by name gets it.
  Device *device(DeviceId where) override { return right.device(where); }

  Mistake mistake; ///< what it does to every module from now on

private:
  Target &right;
};

/// Makes the tier `mutant` known: the CPU target with a mistake.
void registerMutantTarget();
/// What that tier does from now on.
void setMistake(Mistake mistake);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MUTANTTARGET_H
