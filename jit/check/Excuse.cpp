//===- Excuse.cpp - a second look by tier 0 -------------------------------------------------------------===//
#include "jit/check/Excuse.h"
#include "core/support/Outcome.h"
#include "jit/reference/AtomicLanes.h"
#include "jit/reference/PageReader.h"

namespace trisect::jit {

/// Whether two lanes of one atomic come to one cell in these programs; also if that cannot be seen.
static bool lanesMeet(const InterpExecutable &reference, ProgramRange programs, const LaunchRequest &request,
                      MemorySpace &memory) {
  interp::Overlay overlay = overlayOver(memory);
  AtomicLanes lanes;
  try {
    reference.runAside(request, programs, overlay, &lanes);
  } catch (const KernelFault &) {
    return true;
  }
  return lanes.met();
}

std::string excuseFor(const Kernel &kernel, const InterpExecutable &reference, ProgramRange programs,
                      Ground &ground, MemorySpace &memory, bool sameOrder) {
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
  ground.restore();
  if (programs.count > 1 ? traits.atomicOrder && !sameOrder
                         : traits.atomicLanes && lanesMeet(reference, programs, ground.request(), memory))
    return "atomics make results depend on the order of lanes";
  return "";
}

} // namespace trisect::jit
