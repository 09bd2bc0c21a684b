//===- Displacements.h - constants of addresses go last -------------------------------------------------===//
//
// What: (scratch + constant) + index becomes (scratch + index) + constant, wherever such a sum is added to.
// Why: an instruction that reads or writes memory holds the constant itself; added first, it makes of each
// buffer of a kernel an address of its own that lies in a register, or in memory, across all of its loops.
// Limits: sums of the scratch memory's address, those that all functions have in plenty.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_DISPLACEMENTS_H
#define TRISECT_BACKENDS_CPU_ORC_DISPLACEMENTS_H

namespace llvm {
class Function;
}

namespace trisect::cpu {

void addConstantsLast(llvm::Function &function);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_DISPLACEMENTS_H
