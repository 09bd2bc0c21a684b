//===- Bundles.h - bundles of differences for a caller without MLIR -------------------------------------===//
//
// What: replays, shrinks and bisects a bundle by its directory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_BUNDLES_H
#define TRISECT_PYTHON_BINDINGS_FACADE_BUNDLES_H

#include "python/bindings/facade/Api.h"
#include <string>

namespace trisect::bundles {

/// What a command found; `taken`: the addresses of the bundle's memory are in use, another process may try.
struct Answer {
  bool good = false;
  bool taken = false;
  std::string text;
  std::string name; ///< of bisect(): the pass
};

/// good: tier 0 and the stored code leave what is stored.
TRISECT_API Answer replay(const std::string &directory);
/// good: a smaller bundle is in `into`.
TRISECT_API Answer shrink(const std::string &directory, const std::string &into, double seconds);
/// good: a pass was found.
TRISECT_API Answer bisect(const std::string &directory);

/// Called with each new bundle, in the thread that made it.
TRISECT_API void onBundle(void (*hook)(const char *directory));

} // namespace trisect::bundles

#endif // TRISECT_PYTHON_BINDINGS_FACADE_BUNDLES_H
