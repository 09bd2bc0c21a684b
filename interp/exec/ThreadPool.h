//===- ThreadPool.h - threads for a grid ----------------------------------------------------------------===//
//
// What: runs a function on several threads at once. Where an OpenMP runtime of GCC's kind is loaded (torch
// brings one) its threads are borrowed, else an own pool is used. Why: two spinning pools on the same cores
// fight; borrowing costs a microsecond and no fight. Limits: the function finds its own share of the work;
// fewer threads than asked for may come.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_THREADPOOL_H
#define TRISECT_INTERP_EXEC_THREADPOOL_H

#include <functional>

namespace trisect::interp {

/// Cores that this process may use.
int availableThreads();

/// Calls `work(i)` for distinct i < threads, at least for i = 0, and returns when all calls have. `work` must
/// not throw.
void parallel(int threads, const std::function<void(int)> &work);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_THREADPOOL_H
