//===- ParallelGrid.h - spreads a grid over host threads ------------------------------------------------===//
//
// What: parallelPieces() calls a function on [begin, end) pieces of a range from several threads
// (core/support/Threads). Each thread has a share of its own, whose pieces it takes in ascending order; when
// it is through, it takes pieces of what others have left. Why: programs beside one another read the same
// memory, and the next launch finds it where it was used before; pieces become shorter towards the end of a
// share, so that all threads end together though programs differ. Limits: the function must not throw.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_PARALLELGRID_H
#define TRISECT_BACKENDS_COMMON_PARALLELGRID_H

#include "core/support/LaunchWatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace trisect {

/// How [0, total) is cut.
struct Pieces {
  int64_t total;
  int64_t least;    ///< a piece is no shorter, but the last of a share
  unsigned ofShare; ///< a piece is no longer than this part of a share, if that is not too short
};

/// Calls `body(begin, end)` until all is covered, from up to `threads` threads, the caller among them, whose
/// share is the first one. Returns when all are done; while it waits for the others, the caller looks after
/// the launch.
void parallelPieces(const Pieces &pieces, unsigned threads, LaunchWatch &watch,
                    llvm::function_ref<void(int64_t begin, int64_t end)> body);

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_PARALLELGRID_H
