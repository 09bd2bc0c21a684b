//===- OldPages.h - the memory of a bundle, where it lay ------------------------------------------------===//
//
// What: maps the tensors and pages of an evidence at their old addresses, with what was there before the
// launch. Why: memory holds pointers. Limits: what was not recorded reads as zeros. This process may have put
// something else there; another one, whose addresses are others, may do better.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REPLAY_OLDPAGES_H
#define TRISECT_JIT_REPLAY_OLDPAGES_H

#include "core/support/Outcome.h"
#include "jit/check/Evidence.h"
#include <utility>
#include <vector>

namespace trisect::jit {

/// The addresses are in use: try again in a new process.
class AddressesTaken : public Error {
  using Error::Error;
};

class OldPages {
public:
  /// Throws AddressesTaken.
  explicit OldPages(const Evidence &evidence);
  ~OldPages();
  OldPages(const OldPages &) = delete;
  OldPages &operator=(const OldPages &) = delete;

private:
  void release();
  std::vector<std::pair<uint64_t, uint64_t>> mapped; ///< from, to
};

} // namespace trisect::jit

#endif // TRISECT_JIT_REPLAY_OLDPAGES_H
