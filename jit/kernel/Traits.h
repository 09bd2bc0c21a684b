//===- Traits.h - what of a kernel the cross-check must know --------------------------------------------===//
//
// What: whether results depend on what is no argument, and whether addresses are more than places. Why: a
// difference that the semantics allow is no proof of a fault.
// Limits: helpers are counted whether they are reached or not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_KERNEL_TRAITS_H
#define TRISECT_JIT_KERNEL_TRAITS_H

#include <cstdint>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace trisect::jit {

struct KernelTraits {
  bool readsMachine = false;  ///< assembly asks for the time or the processor: no two runs need agree
  bool addressesShow = false; ///< pointers come from memory or integers, or go there
  bool prints = false;        ///< what it prints looks otherwise in another tier
  bool repeatable = false;    ///< nothing reads what the kernel writes, if its arguments share no memory
  bool atomicOrder =
      false; ///< atomics of floats, or whose old values are used, in an order of the tier's own
  bool atomicLanes = false;          ///< such atomics of blocks: the lanes of one program have an order, too
  std::vector<uint32_t> onlyWritten; ///< arguments whose memory nothing reads, if they share none
};

KernelTraits traitsOf(mlir::ModuleOp module);

} // namespace trisect::jit

#endif // TRISECT_JIT_KERNEL_TRAITS_H
