//===- WatchedThreads.h - threads that a launch can be stopped on ---------------------------------------===//
//
// What: onThreads() for a launch that is watched: the launching thread, when it finds nothing more to do,
// waits for the others awake enough to ask the host whether to stop. Why: nobody else may ask, and the
// runtime whose threads are borrowed waits without asking anybody. Limits: as onThreads(); what each thread
// does must be all taken when the launching one is through.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H
#define TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H

#include "core/support/Arrivals.h"
#include "core/support/LaunchWatch.h"
#include "core/support/Threads.h"

namespace trisect {

template <typename Work> void onWatchedThreads(int threads, LaunchWatch &watch, Work &&work) {
  Arrivals here;
  onThreads(threads, [&](int index) {
    here.enter();
    work(index);
    here.leave();
    if (watch.active() && watch.isLauncher())
      while (!here.awaitAll())
        watch.look();
  });
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H
