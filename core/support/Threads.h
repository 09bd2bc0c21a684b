//===- Threads.h - threads for a grid -------------------------------------------------------------------===//
//
// What: runs a function on several threads at once, for every tier. Where an OpenMP runtime is loaded (torch
// brings one) its threads are borrowed, as many as it was told to use, else there is an own pool. Why: see
// OpenMp.h. Limits: the function finds its own share of the work; fewer threads than asked for may come, the
// caller always does. A forked child does not borrow from a runtime that hangs there, whoever used it before.
// Work that is under way in the thread that forks (a fork out of a signal handler) is not carried on in the
// child.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_THREADS_H
#define TRISECT_CORE_SUPPORT_THREADS_H

#include <string_view>

namespace trisect {

/// Processors that this process may use.
int availableThreads();

/// The threads that a launch may use: TRISECT_THREADS, else the processors of this process, as they were a
/// few milliseconds ago at most, but no more than OpenMP was told to use (torch.set_num_threads,
/// OMP_NUM_THREADS).
int threadsOfLaunch();

/// Whose threads a launch gets now: `openmp` or `own`.
std::string_view threadRuntime();

/// Calls work(data, i) for distinct i < threads, work(data, 0) on the caller's thread, and returns when all
/// calls have. `work` must not throw.
void onThreads(int threads, void (*work)(void *data, int index), void *data);

template <typename Work> void onThreads(int threads, Work &&work) {
  onThreads(threads, [](void *data, int index) { (*static_cast<Work *>(data))(index); }, &work);
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_THREADS_H
