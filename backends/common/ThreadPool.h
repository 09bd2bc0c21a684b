//===- ThreadPool.h - own worker threads, for processes without OpenMP ----------------------------------===//
//
// What: runs one function on several threads at once.
// Limits: one job at a time; a second caller waits. A worker spins for some 30 microseconds, then sleeps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_THREADPOOL_H
#define TRISECT_BACKENDS_COMMON_THREADPOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace trisect {

class ThreadPool {
public:
  /// The pool of this process; it is never destroyed, so that exit does not wait for workers.
  static ThreadPool &instance();
  /// Calls `job` once on each of `threads` threads, the caller among them, and waits for all.
  void run(unsigned threads, llvm::function_ref<void()> job);

private:
  void work(unsigned index);

  std::mutex callers;
  std::mutex lock;
  std::condition_variable wake, done;
  std::vector<std::thread> workers;
  llvm::function_ref<void()> current;
  std::atomic<uint64_t> generation{0};
  unsigned wanted = 0;
  std::atomic<unsigned> running{0};
};

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_THREADPOOL_H
