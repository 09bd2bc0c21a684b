//===- Mappings.cpp - one question a mapping ------------------------------------------------------------===//
#include "core/support/Mappings.h"
#include <algorithm>
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
} // namespace

// The file is that of the process which opens it: a child that kept it would ask about its parent.
bool arePrivate(std::span<const uint64_t> addresses) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  MappingQuery found;
  bool all = std::ranges::all_of(addresses, [&](uint64_t address) {
    if (address >= found.start && address < found.end)
      return true;
    found = {};
    found.address = address;
    return ioctl(file, queryRequest, &found) == 0 && !(found.foundFlags & sharedFlag);
  });
  close(file);
  return all;
}

} // namespace trisect
