//===- DroppingMemory.cpp - accesses at fault without what is at fault ----------------------------------===//
#include "interp/shadow/DroppingMemory.h"
#include <cstring>

namespace trisect::interp {

bool DroppingMemory::allows(uint64_t address, int64_t bytes) const {
  return allowed != Views::none ? views[allowed].extent.contains(address, bytes)
                                : views.find(address, bytes) != Views::none ||
                                      (under ? under->maps(address, bytes) : isMapped(address, bytes));
}

void DroppingMemory::read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += size) {
    char *to = static_cast<char *>(into) + at;
    if (!allows(address + uint64_t(at), size))
      std::memset(to, 0, size);
    else if (under)
      under->read(site, address + uint64_t(at), to, size);
    else
      std::memcpy(to, reinterpret_cast<const void *>(address + uint64_t(at)), size);
  }
}

void DroppingMemory::write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += size)
    if (allows(address + uint64_t(at), size)) {
      const char *bits = static_cast<const char *>(from) + at;
      if (under)
        under->write(site, address + uint64_t(at), bits, size);
      else
        std::memcpy(reinterpret_cast<void *>(address + uint64_t(at)), bits, size);
    }
}

} // namespace trisect::interp
