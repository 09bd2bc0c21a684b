//===- Evidence.h - all that a difference needs to be seen again ----------------------------------------===//
//
// What: the arguments of a launch, the programs that differ, and every page that they touched: before, as
// tier 0 leaves it, as the compiled form left it. Why: what is copied outlives the launch and its memory; it
// can be written to a file and run again in another process.
// Limits: pages that only the compiled form touched outside of the passed tensors are not known.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_EVIDENCE_H
#define TRISECT_JIT_CHECK_EVIDENCE_H

#include "jit/check/Ground.h"
#include "jit/check/Verdict.h"
#include "jit/kernel/Kernel.h"
#include <map>
#include <string>
#include <vector>

namespace trisect::jit {

struct EvidencePage {
  uint64_t address = 0;
  std::string before, expected, written; ///< Overlay::pageBytes each
  std::string found;                     ///< empty: the compiled form did not come to its end
  friend bool operator==(const EvidencePage &, const EvidencePage &) = default;
};

struct Evidence {
  Grid grid;
  ProgramRange programs;
  std::vector<ArgBits> args; ///< those of descriptors count for nothing
  std::map<size_t, DescriptorArg> descriptors;
  std::vector<TensorView> tensors;
  std::vector<EvidencePage> pages; ///< ascending
  Verdict verdict;

  Evidence() = default;
  /// What is on the ground now; `faulted`: what the compiled form left is worth nothing.
  Evidence(const Kernel &kernel, const LaunchRequest &request, ProgramRange programs, const Ground &ground,
           bool faulted);
  /// The launch of the differing programs. Lives as long as this, which must not change meanwhile.
  LaunchRequest request();
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_EVIDENCE_H
