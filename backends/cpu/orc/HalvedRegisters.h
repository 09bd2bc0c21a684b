//===- HalvedRegisters.h - sums of memory in registers of half the size ---------------------------------===//
//
// What: for processors that take 64-byte registers in halves (Zen 4), kernels whose loops only read memory
// and add it up work with registers of 32 bytes. Why: memory comes faster in such loads, and the sums can
// stay halves: past the caches a sum of rows takes 6 % less, one of squares 15 %, a dot product 20 %; in the
// second cache up to 4 % more. Limits: kernels that write vectors keep whole registers, of which HalvedLoads
// puts halves together where that is better, and so do those that compute more, which would have twice the
// instructions, and those with instructions of the processor's own, which code generation does not split.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_HALVEDREGISTERS_H
#define TRISECT_BACKENDS_CPU_ORC_HALVEDREGISTERS_H

namespace llvm {
class Module;
}

namespace trisect::cpu {

struct Machine;

/// Says so to code generation; lanes and the order of sums stay what they are.
void halveRegisters(llvm::Module &module, const Machine &machine);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_HALVEDREGISTERS_H
