//===- ParallelGrid.h - spreads chunks of a grid over host threads --------------------------------------===//
//
// What: parallelChunks() calls a function on [begin, end) pieces of a range from several threads
// (core/support/Threads). Limits: the function must not throw; pieces are handed out by one atomic counter,
// in ascending order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_PARALLELGRID_H
#define TRISECT_BACKENDS_COMMON_PARALLELGRID_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace trisect {

/// Calls `body(begin, end)` until [0, total) is covered by pieces of at most `chunk`, from up to `threads`
/// threads, the caller among them. Returns when all are done; before it waits for the others, the caller runs
/// `ownShareDone`.
void parallelChunks(int64_t total, int64_t chunk, unsigned threads,
                    llvm::function_ref<void(int64_t begin, int64_t end)> body,
                    llvm::function_ref<void()> ownShareDone = {});

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_PARALLELGRID_H
