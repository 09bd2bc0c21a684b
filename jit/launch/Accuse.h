//===- Accuse.h - what is kept of a difference ----------------------------------------------------------===//
#ifndef TRISECT_JIT_LAUNCH_ACCUSE_H
#define TRISECT_JIT_LAUNCH_ACCUSE_H

#include "jit/check/Evidence.h"
#include "jit/tiers/Ladder.h"
#include <string>

namespace trisect::jit {

/// Looks for the operation from which a difference comes and keeps a bundle. Memory must be as it was before
/// the launch. Gives what is added to `sentence`, which the bundle says too.
std::string accuse(const std::shared_ptr<const Kernel> &kernel, const Choice &choice,
                   const LaunchRequest &request, Evidence evidence, const std::string &sentence);

} // namespace trisect::jit

#endif // TRISECT_JIT_LAUNCH_ACCUSE_H
