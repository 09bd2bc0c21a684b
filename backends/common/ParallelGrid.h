//===- ParallelGrid.h - spreads chunks of a grid over host threads --------------------------------------===//
//
// What: parallelChunks() calls a function on [begin, end) pieces of a range from several threads.
// Why: two spinning pools on the same cores fight, so the OpenMP runtime that the process already has
// (PyTorch brings one) is borrowed; only without one, own threads are used. Limits: the function must not
// throw; pieces are handed out by one atomic counter, in ascending order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_PARALLELGRID_H
#define TRISECT_BACKENDS_COMMON_PARALLELGRID_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string_view>

namespace trisect {

/// Calls `body(begin, end)` until [0, total) is covered by pieces of at most `chunk`, from up to `threads`
/// threads, the caller among them. Returns when all are done; before it waits for the others, the caller runs
/// `ownShareDone`.
void parallelChunks(int64_t total, int64_t chunk, unsigned threads,
                    llvm::function_ref<void(int64_t begin, int64_t end)> body,
                    llvm::function_ref<void()> ownShareDone = {});

/// The threads that a launch may use: TRISECT_THREADS, else the processors of this process.
unsigned defaultThreads();
/// `gomp` when a loaded OpenMP runtime is borrowed, else `own`.
std::string_view parallelRuntime();

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_PARALLELGRID_H
