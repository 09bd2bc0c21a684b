//===- ParallelGrid.cpp - borrowed OpenMP or own threads ------------------------------------------------===//
#include "backends/common/ParallelGrid.h"
#include "backends/common/ThreadPool.h"
#include "core/support/Options.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <thread>

namespace trisect {

namespace {
using GompParallel = void (*)(void (*body)(void *), void *data, unsigned threads, unsigned flags);

int findOpenMp(dl_phdr_info *info, size_t, void *found) {
  const char *file = std::strrchr(info->dlpi_name, '/');
  file = file ? file + 1 : info->dlpi_name;
  if (std::strncmp(file, "libgomp", 7) != 0 && std::strncmp(file, "libomp", 6) != 0 &&
      std::strncmp(file, "libiomp", 7) != 0)
    return 0;
  void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return 0;
  void *symbol = dlsym(handle, "GOMP_parallel");
  if (!symbol)
    return 0;
  *static_cast<void **>(found) = symbol;
  return 1;
}

// Looked up until one is found: a library that brings OpenMP may be imported after Trisect.
GompParallel borrowed() {
  static std::atomic<void *> known{nullptr};
  void *symbol = known.load(std::memory_order_acquire);
  if (!symbol) {
    dl_iterate_phdr(findOpenMp, static_cast<void *>(&symbol));
    known.store(symbol, std::memory_order_release);
  }
  return reinterpret_cast<GompParallel>(symbol);
}

struct Work {
  int64_t total, chunk;
  llvm::function_ref<void(int64_t, int64_t)> body;
  llvm::function_ref<void()> ownShareDone;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> next{0};

  void drain() {
    while (true) {
      int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= total)
        return;
      body(begin, std::min(begin + chunk, total));
    }
  }

  void share() {
    drain();
    if (ownShareDone && std::this_thread::get_id() == caller)
      ownShareDone();
  }
};
} // namespace

unsigned defaultThreads() {
  if (std::optional<int64_t> wanted = optionInteger(OptionId::Threads))
    return static_cast<unsigned>(*wanted);
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return 1;
}

std::string_view parallelRuntime() { return borrowed() ? "gomp" : "own"; }

void parallelChunks(int64_t total, int64_t chunk, unsigned threads,
                    llvm::function_ref<void(int64_t, int64_t)> body,
                    llvm::function_ref<void()> ownShareDone) {
  if (total <= 0)
    return;
  Work work{total, std::max<int64_t>(chunk, 1), body, ownShareDone};
  int64_t pieces = (total + work.chunk - 1) / work.chunk;
  threads = static_cast<unsigned>(std::min<int64_t>(threads, pieces));
  if (threads <= 1)
    return work.drain();
  if (GompParallel gomp = borrowed())
    gomp([](void *data) { static_cast<Work *>(data)->share(); }, &work, threads, 0);
  else
    ThreadPool::instance().run(threads, [&work] { work.share(); });
}

} // namespace trisect
