//===- WatchedThreads.h - threads that a launch can be stopped on ---------------------------------------===//
//
// What: onThreads() for a launch that is watched: the launching thread, when it finds nothing more to do,
// waits for the others awake enough to ask the host whether to stop. Why: nobody else may ask, and the
// runtime whose threads are borrowed waits without asking anybody. Limits: as onThreads(); when the launching
// thread is through nothing may be left to be taken.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H
#define TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H

#include "core/support/Arrivals.h"
#include "core/support/LaunchWatch.h"
#include "core/support/Threads.h"

namespace trisect {

template <typename Work> void onWatchedThreads(int threads, LaunchWatch &watch, Work &&work) {
  // All threads write it, and read what would lie in the same cache line.
  struct alignas(64) {
    std::atomic<int> begun{0};
    Arrivals done;
  } all;
  onThreads(threads, [&](int index) {
    all.begun.fetch_add(1);
    work(index);
    all.done.arrive();
    if (!watch.active() || !watch.isLauncher())
      return;
    // One that comes late and goes at once must not stand for another.
    for (int begun = 0; begun != all.begun.load();) {
      begun = all.begun.load();
      while (!all.done.await(begun))
        watch.look();
    }
  });
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_WATCHEDTHREADS_H
