//===- Excuse.cpp - a second look by tier 0 -------------------------------------------------------------===//
#include "jit/check/Excuse.h"

namespace trisect::jit {

std::string excuseFor(const Kernel &kernel, const InterpExecutable &reference, ProgramRange programs,
                      Ground &ground) {
  const KernelTraits &traits = kernel.traits();
  if (traits.readsMachine)
    return "the kernel asks for the time or the processor it runs on";
  if (ground.isCopy()) {
    ground.restore();
    std::optional<std::string> flaw = reference.flawOf(ground.request(), programs);
    ground.restore();
    if (flaw)
      return "the kernel has no one right answer: " + *flaw;
  }
  // One program comes to its scalar atomics in one order, whichever tier runs it.
  if (programs.count > 1 ? traits.atomicOrder : traits.atomicLanes)
    return "atomics make results depend on the order of lanes";
  return "";
}

} // namespace trisect::jit
