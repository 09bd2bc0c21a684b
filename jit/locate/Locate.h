//===- Locate.h - the operation from which a difference comes -------------------------------------------===//
//
// What: after a comparison found that programs differ, watches values of the kernel in both tiers and names
// the first operation that does not give what tier 0's does, in few runs: first the values that others are
// built around, then those between the last that agree and the first that does not. If the difference
// vanishes while it is watched, fewer values are watched at a time, and the narrowest region is named.
// Why: what is wrong in a result was often made long before. Limits: see Probes.h; a stream of one run holds
// 8 MiB of values, and a few windows are looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LOCATE_LOCATE_H
#define TRISECT_JIT_LOCATE_LOCATE_H

#include "jit/check/Evidence.h"
#include "jit/check/Location.h"
#include "jit/tiers/Tier.h"

namespace trisect::jit {

/// Memory must be as it was before the launch; `launch` names the differing programs. Throws Interrupted;
/// whatever else fails is told in the location's note.
Location locate(const std::shared_ptr<const Kernel> &kernel, const Tier &tier, Form form,
                const LaunchRequest &launch, const Verdict &verdict);

} // namespace trisect::jit

#endif // TRISECT_JIT_LOCATE_LOCATE_H
