//===- OpenMp.cpp - a look through the loaded libraries -------------------------------------------------===//
#include "core/support/OpenMp.h"
#include "core/support/ForkGate.h"
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>

namespace trisect {

namespace {

/// Ends at the first library of such a name.
int inspect(dl_phdr_info *info, size_t, void *path) {
  const char *file = std::strrchr(info->dlpi_name, '/');
  file = file ? file + 1 : info->dlpi_name;
  for (const char *name : {"libgomp", "libomp.", "libomp5", "libiomp"})
    if (std::strncmp(file, name, std::strlen(name)) == 0) {
      *static_cast<std::string *>(path) = info->dlpi_name;
      return 1;
    }
  return 0;
}

/// What is in the library, which stays loaded from now on.
const OpenMp *open(const std::string &path) {
  void *handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return nullptr;
  auto parallel = reinterpret_cast<decltype(OpenMp::parallel)>(dlsym(handle, "GOMP_parallel"));
  auto maxThreads = reinterpret_cast<decltype(OpenMp::maxThreads)>(dlsym(handle, "omp_get_max_threads"));
  auto numThreads = reinterpret_cast<decltype(OpenMp::numThreads)>(dlsym(handle, "omp_get_num_threads"));
  if (!parallel || !maxThreads || !numThreads)
    return nullptr;
  return new OpenMp{parallel, maxThreads, numThreads, path.find("libgomp") == std::string::npos};
}

/// The loader's count of libraries that it has loaded.
unsigned long long librariesSoFar() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        *static_cast<unsigned long long *>(data) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

} // namespace

const OpenMp *loadedOpenMp() {
  static std::atomic<const OpenMp *> found{nullptr};
  if (const OpenMp *known = found.load(std::memory_order_acquire))
    return known;
  static ForkMutex lock;
  static unsigned long long looked = 0;
  std::lock_guard guard(lock);
  if (found.load())
    return found.load();
  unsigned long long now = librariesSoFar();
  if (now == looked)
    return nullptr;
  looked = now;
  std::string path;
  if (dl_iterate_phdr(inspect, &path))
    found.store(open(path), std::memory_order_release);
  return found.load();
}

} // namespace trisect
