//===- Bisect.h - the pass after which tier 0 gives something else --------------------------------------===//
//
// What: compiles the kernel of a bundle anew, runs what each pass leaves in tier 0 and names the first whose
// output differs. Why: a difference that no pass over TTIR makes is one of code generation.
// Limits: modules that tier 0 cannot run, or whose kernel takes other arguments, are passed over.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REPLAY_BISECT_H
#define TRISECT_JIT_REPLAY_BISECT_H

#include "jit/bundle/Bundle.h"

namespace trisect::jit {

struct Bisected {
  std::string pass; ///< empty: none of them
  int number = 0;   ///< of the pass, from 1
  int passes = 0, passedOver = 0;
  std::string text; ///< a line for each pass, and a sentence
};

/// Throws AddressesTaken, InvalidInput, Unsupported.
Bisected bisect(Bundle bundle);

} // namespace trisect::jit

#endif // TRISECT_JIT_REPLAY_BISECT_H
