//===- LostMasks.h - masks of which LLVM 19 loses a part ------------------------------------------------===//
//
// What: writes accesses anew that LLVM 19 gets wrong. Why: memory that the program must not touch was read or
// written. With AVX2, where a masked load takes two registers and one of them has no lane that is on, all of
// its lanes are read (X86ISelLowering, combineMaskedLoadConstantMask takes a mask of which only signs count
// for numbers): that lanes are known to be off is hidden. With AVX-512, a mask of 8 lanes is made one of 16
// by KMOVB, which clears the others, but passes for a copy (isMoveReg) that may be left out: it is made a
// mask of 16 lanes by a comparison of bytes, where 8 bytes are masked. Limits: the first concerns masks put
// together of i1 vectors, not those that comparisons give; wider masks of fewer lanes are shifted, which is
// right.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_LOSTMASKS_H
#define TRISECT_BACKENDS_CPU_ORC_LOSTMASKS_H

namespace llvm {
class Module;
}

namespace trisect::cpu {

/// For a machine with registers of that many bytes, after the last pass over the module.
void keepMasks(llvm::Module &module, unsigned vectorBytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_LOSTMASKS_H
