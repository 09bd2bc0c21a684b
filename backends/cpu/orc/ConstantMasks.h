//===- ConstantMasks.h - masks of which LLVM 19 loses a part --------------------------------------------===//
//
// What: hides from code generation that some lanes of a mask are known to be off. Why: where a masked load
// takes two registers and one of them has no lane that is on, LLVM 19 for AVX2 reads all of its lanes
// (X86ISelLowering, combineMaskedLoadConstantMask takes a mask of which only signs count for numbers): wrong
// values, and memory that the program must not touch. Limits: masks put together of i1 vectors; those that
// comparisons give are not concerned.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_CONSTANTMASKS_H
#define TRISECT_BACKENDS_CPU_ORC_CONSTANTMASKS_H

namespace llvm {
class Module;
}

namespace trisect::cpu {

/// For a machine with registers of that many bytes.
void hideConstantMasks(llvm::Module &module, unsigned vectorBytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_CONSTANTMASKS_H
