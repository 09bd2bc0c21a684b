//===- Memory.cpp - lists of addresses, one by one ------------------------------------------------------===//
#include "interp/memory/Memory.h"
#include "interp/memory/Views.h"

namespace trisect::interp {

bool MemoryPolicy::maps(uint64_t address, int64_t bytes) { return isMapped(address, bytes); }

void MemoryPolicy::gather(const AccessSite &site, const uint64_t *address, const uint8_t *mask, void *into,
                          unsigned size, int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i)
    if (!mask || mask[i])
      read(site, address[i], static_cast<char *>(into) + i * size, size);
}

void MemoryPolicy::scatter(const AccessSite &site, const uint64_t *address, const uint8_t *mask,
                           const void *from, unsigned size, int64_t lanes) {
  for (int64_t i = 0; i < lanes; ++i)
    if (!mask || mask[i])
      write(site, address[i], static_cast<const char *>(from) + i * size, size);
}

} // namespace trisect::interp
