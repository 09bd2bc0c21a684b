//===- Mappings.cpp - one question a mapping ------------------------------------------------------------===//
#include "core/support/Mappings.h"
#include "core/support/ForkGate.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace trisect {

namespace {
/// `struct procmap_query` of linux/fs.h, which older systems do not have.
struct MappingQuery {
  uint64_t size = sizeof(MappingQuery);
  uint64_t flags = 0, address = 0;
  uint64_t start = 0, end = 0, foundFlags = 0, pageBytes = 0, offset = 0, inode = 0;
  uint32_t deviceMajor = 0, deviceMinor = 0, nameBytes = 0, buildIdBytes = 0;
  uint64_t nameAddress = 0, buildIdAddress = 0;
};
constexpr unsigned long queryRequest = _IOWR('f', 17, MappingQuery);
constexpr uint64_t sharedFlag = 8;

/// Stays open: to open it takes eight times as long as to ask.
std::atomic<int> file{-1};

/// The file is that of the process which opened it: a child that kept it would ask about its parent.
const bool installed = [] {
  inForkedChild([] { file = -1; });
  return true;
}();

int openFile() {
  int fresh = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), none = -1;
  if (fresh >= 0 && !file.compare_exchange_strong(none, fresh))
    close(fresh); // another thread was faster
  return file.load();
}

/// False if the system knows nothing of the address, or does not tell.
bool ask(MappingQuery &found, uint64_t address) {
  int known = file.load();
  for (int tries = 0; tries < 2; ++tries) {
    if (known < 0 && (known = openFile()) < 0)
      return false;
    found = {};
    found.address = address;
    if (ioctl(known, queryRequest, &found) == 0)
      return true;
    if (errno != EBADF && errno != ENOTTY)
      return false;
    // A program that closes all files has closed this one, and its number may be another file's by now.
    file.compare_exchange_strong(known, -1);
    known = -1;
  }
  return false;
}
} // namespace

bool arePrivate(std::span<const uint64_t> addresses) {
  MappingQuery found;
  return std::ranges::all_of(addresses, [&](uint64_t address) {
    if (address >= found.start && address < found.end)
      return true;
    return ask(found, address) && !(found.foundFlags & sharedFlag);
  });
}

} // namespace trisect
