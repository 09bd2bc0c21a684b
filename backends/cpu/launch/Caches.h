//===- Caches.h - what the caches of the processor hold ------------------------------------------------===//
//
// What: how much a launch must write to write past them, and what is to be done once it has (emit/Streams.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_CACHES_H
#define TRISECT_BACKENDS_CPU_LAUNCH_CACHES_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <thread>

namespace trisect::cpu {

/// Bytes of a last cache that `processors` may count on. One that many processors share is told whole to a
/// guest that has two of them: with 480 MB, stores past the caches were faster there from 32 MB on.
/// `kibibytes`: as the system tells them; 0 or less if it tells none, which is a guess then.
constexpr int64_t cacheShare(int64_t kibibytes, int64_t processors) {
  constexpr int64_t guess = 32 << 10, least = 8 << 10, ofEach = 16 << 10;
  return std::max(std::min(kibibytes > 0 ? kibibytes : guess, processors * ofEach), least) << 10;
}

/// Of the cache that the first processor shares with its neighbours (sysconf adds up those of others).
inline int64_t largestCache() {
  static const int64_t bytes = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    int64_t kibibytes = 0;
    file >> kibibytes;
    return cacheShare(kibibytes, std::thread::hardware_concurrency());
  }();
  return bytes;
}

/// What went past the caches is where other threads look for it.
inline void finishStreams() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_CACHES_H
