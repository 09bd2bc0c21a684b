//===- HalvedLoads.h - loads of half a register ---------------------------------------------------------===//
//
// What: for processors that take 64-byte registers in halves (Zen 4), the loads of loops that hardly do more
// than move memory become loads of 32 bytes, put together. Why: a 64-byte load waits there for an earlier
// store whose address ends in the same bits, as it does in tensors made one after the other: up to a quarter
// of the time, in large pages half of it; and an addition past the caches takes up to an eighth less,
// wherever its tensors lie. Limits: loads under a mask stay whole, as those of the kernel's own scratch
// memory do, and those of loops that compute more, which would become slower: they have one instruction more
// for each.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_HALVEDLOADS_H
#define TRISECT_BACKENDS_CPU_ORC_HALVEDLOADS_H

namespace llvm {
class Module;
}

namespace trisect::cpu {

struct Machine;

/// One of the last passes: another one would put the halves together again.
void halveLoads(llvm::Module &module, const Machine &machine);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_HALVEDLOADS_H
