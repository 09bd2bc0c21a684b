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

namespace trisect::cpu {

/// Bytes of the cache that the first processor shares with its neighbours (sysconf adds up those of others);
/// a guess where the system tells none.
inline int64_t largestCache() {
  static const int64_t bytes = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    int64_t kibibytes = 0;
    constexpr int64_t guess = 32 << 10, least = 8 << 10;
    file >> kibibytes;
    return std::max(kibibytes > 0 ? kibibytes : guess, least) << 10;
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
