//===- Displacements.h - constants of addresses go last -------------------------------------------------===//
//
// What: (scratch + constant) + index becomes (scratch + index) + constant, wherever such a sum is added to,
// and (counter + constant) * size likewise becomes counter * size + constant * size. Why: an instruction that
// reads or writes memory holds the constant itself; added first, it makes of each buffer of a kernel, and of
// each chunk of a round of several, an address of its own that is computed, lies in a register, or in memory.
// An attention takes a tenth less to compile. Limits: sums of the scratch memory's address and of counters.
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
