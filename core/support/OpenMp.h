//===- OpenMp.h - the threads that the process has already ----------------------------------------------===//
//
// What: finds an OpenMP runtime that some library has loaded (torch brings one). Why: two spinning pools on
// the same cores fight; borrowing costs a microsecond and no fight. Limits: only runtimes with GCC's entry
// points (libgomp, libomp, libiomp5); none is ever loaded.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OPENMP_H
#define TRISECT_CORE_SUPPORT_OPENMP_H

namespace trisect {

struct OpenMp {
  /// Calls body(data) on up to `threads` threads, the caller among them.
  void (*parallel)(void (*body)(void *), void *data, unsigned threads, unsigned flags);
  /// As omp_set_num_threads() and OMP_NUM_THREADS have it for this thread.
  int (*maxThreads)();
  /// Of those that run the present body.
  int (*numThreads)();
  /// Whether its threads work in a forked child. Those of libgomp wait for ever there.
  bool survivesFork;
};

/// Null if no library has brought one so far.
const OpenMp *loadedOpenMp();

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OPENMP_H
