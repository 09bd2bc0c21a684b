//===- AddressSpace.cpp - limits of the process and what it has mapped ----------------------------------===//
#include "core/support/AddressSpace.h"
#include "core/support/PerThread.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <limits>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace trisect {

namespace {

/// Far more than all thread-local variables of one library take.
constexpr int64_t spaceOfAThread = 1 << 20;

struct Mapped {
  int64_t all = 0, data = 0;
};

/// Of /proc/self/statm, in bytes; without an allocation.
std::optional<Mapped> mapped() {
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  char text[256];
  ssize_t length = read(file, text, sizeof(text) - 1);
  close(file);
  if (length <= 0)
    return std::nullopt;
  text[length] = 0;
  std::array<int64_t, 6> pages{};
  char *at = text;
  for (int64_t &each : pages)
    each = std::strtoll(at, &at, 10);
  int64_t size = sysconf(_SC_PAGESIZE);
  return Mapped{pages[0] * size, pages[5] * size};
}

/// What a thread has that claimed its storage; a key of its own would be thread-local storage again.
pthread_key_t makeKey() {
  pthread_key_t key = 0;
  pthread_key_create(&key, nullptr);
  return key;
}
const pthread_key_t claimed = makeKey();

thread_local volatile char ours = 0;

bool hasRoom() {
  auto left = addressSpaceLeft();
  if (left && *left < spaceOfAThread)
    return false;
  // The system may refuse for other reasons.
  void *probe = std::malloc(1 << 16);
  std::free(probe);
  return probe != nullptr;
}

} // namespace

std::optional<int64_t> addressSpaceLeft() {
  rlimit space{}, data{};
  bool limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  bool dataLimited = getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY;
  if (!limited && !dataLimited)
    return std::nullopt;
  auto used = mapped();
  if (!used)
    return std::nullopt;
  auto most = std::numeric_limits<int64_t>::max();
  auto left = [&](bool counts, rlim_t limit, int64_t taken) {
    return counts ? std::max<int64_t>(0, int64_t(std::min<rlim_t>(limit, rlim_t(most))) - taken) : most;
  };
  return std::min(left(limited, space.rlim_cur, used->all), left(dataLimited, data.rlim_cur, used->data));
}

void requireAddressSpace(int64_t bytes, const char *doing) {
  auto left = addressSpaceLeft();
  if (!left || *left >= bytes)
    return;
  throw OutOfAddressSpace("too little address space " + std::string(doing) +
                          ": the limit of this process leaves " + std::to_string(*left >> 20) + " MiB, " +
                          std::to_string(bytes >> 20) +
                          " MiB are asked for; raise it (ulimit -v, ulimit -d, resource.setrlimit)");
}

bool claimThreadStorage() {
  if (pthread_getspecific(claimed))
    return true;
  if (!hasRoom())
    return false;
  ours = static_cast<char>(std::uncaught_exceptions()); // touches those of the C++ library too
  return PerThreadSlot::makeAll() && pthread_setspecific(claimed, "") == 0;
}

void requireThreadStorage() {
  if (!claimThreadStorage())
    requireAddressSpace(spaceOfAThread, "for the variables of a thread");
}

} // namespace trisect
