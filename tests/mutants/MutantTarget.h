//===- MutantTarget.h - a target that makes mistakes ----------------------------------------------------===//
//
// What: compiles as another target does, but for one mistake (Mutate.h). Why: what finds mistakes of a
// compiler is tested with one that makes them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_MUTANTTARGET_H
#define TRISECT_TESTS_MUTANTS_MUTANTTARGET_H

#include "backends/target/Target.h"
#include <string>

namespace trisect::mutants {

/// Another target, but for what it is given to compile.
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
  Device *device(DeviceId where) override { return right.device(where); }

  std::string kind;     ///< of the mistake to make
  unsigned site = 0;    ///< where
  bool applied = false; ///< set when it was made

private:
  Target &right;
};

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MUTANTTARGET_H
