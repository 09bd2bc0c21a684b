//===- CodePasses.h - the passes of code generation -----------------------------------------------------===//
//
// What: a pass manager that takes the passes of LLVM's code generator but for those that bring kernels
// nothing. Why: a pass that looks at all and changes nothing, and what it wants to know first, costs as much
// as one that works; loop strength reduction makes slower code; one pass of LLVM 19 is wrong. Limits: passes
// go by the names that LLVM 19 gives them; what is left out is left out for this module alone, no option of
// LLVM is set.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_CODEPASSES_H
#define TRISECT_BACKENDS_CPU_ORC_CODEPASSES_H

#include "llvm/IR/LegacyPassManager.h"

namespace trisect::cpu {

class CodePasses final : public llvm::legacy::PassManager {
public:
  /// `manyRegisters`: 32 for vectors.
  explicit CodePasses(bool manyRegisters) : manyRegisters(manyRegisters) {}
  void add(llvm::Pass *pass) override;

private:
  bool manyRegisters;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_CODEPASSES_H
