//===- WorkerPool.h - own threads, for processes without OpenMP -----------------------------------------===//
//
// What: threads that look for jobs with a free seat, spin for a moment when there is none, and then sleep.
// Several jobs may be under way; a worker that is free joins any of them. A job ends when its caller is done
// and nobody is inside any more: a worker that wakes up late is not waited for. A worker that sleeps is kept
// off the processor that its next caller runs on: woken there, it would wait until the caller is done.
// Limits: fewer threads than asked for may come. Workers take no signals but those of their own faults and of
// the launch watch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_WORKERPOOL_H
#define TRISECT_CORE_SUPPORT_WORKERPOOL_H

#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

namespace trisect {

class WorkerPool {
public:
  using Work = void (*)(void *data, int index);

  /// The pool of this process; it is never destroyed, so that exit does not wait for workers. A forked child
  /// has its own.
  static WorkerPool &instance();

  /// Calls work(data, i) for distinct i < threads, for 0 on the caller's thread.
  void run(int threads, Work work, void *data);

private:
  struct Job {
    Work work;
    void *data;
    int seats, taken = 1; ///< under the lock
    std::atomic<int> inside{0};
  };

  struct Worker {
    std::atomic<int> thread{0}; ///< the system's number of it, once it runs
    std::atomic<bool> sleeps{false};
    int keptOff = -1; ///< the processor, under the lock
  };

  void grow(int count);
  void serve(Worker &own);
  Job *findJob(int &seat);
  void keepOff(int processor);

  std::mutex lock;
  std::vector<Job *> jobs;
  std::deque<Worker> workers;
  std::atomic<unsigned> offers{0}; ///< counts jobs
  std::atomic<unsigned> leaves{0}; ///< counts shares that came to their end
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_WORKERPOOL_H
