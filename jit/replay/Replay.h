//===- Replay.h - a bundle, run again -------------------------------------------------------------------===//
//
// What: runs the programs of a bundle in tier 0 and in its compiled code, on the memory as it was, and tells
// whether both leave what is stored, byte for byte; then compiles the kernel anew and compares that.
// Limits: a tier whose device is the host.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REPLAY_REPLAY_H
#define TRISECT_JIT_REPLAY_REPLAY_H

#include "jit/bundle/Bundle.h"
#include "jit/tiers/Tier.h"
#include <chrono>

namespace trisect::jit {

struct Replayed {
  bool reference = false;  ///< tier 0 leaves what is stored
  bool code = false;       ///< so does the stored code, or it faults again
  bool stillWrong = false; ///< what the present compiler makes differs from tier 0 too
  std::string text;        ///< a line for each
};

/// The tier of a bundle, on memory of the host; that of its code if this process does not know it by name.
Tier tierOf(const Bundle &bundle);
/// The kernel of a bundle. Throws InvalidInput if its launch has not as many arguments as it takes.
std::shared_ptr<const Kernel> kernelOf(const Bundle &bundle);
/// One comparison of a bundle's programs, by some code for them. Memory must be in place.
struct Rerun {
  Verdict verdict;
  std::optional<Evidence> evidence;
};
Rerun rerun(const Kernel &kernel, const Tier &tier, std::shared_ptr<const Artifact> code, Evidence &evidence);

/// Throws AddressesTaken, InvalidInput, Unsupported.
Replayed replay(Bundle bundle);

} // namespace trisect::jit

#endif // TRISECT_JIT_REPLAY_REPLAY_H
