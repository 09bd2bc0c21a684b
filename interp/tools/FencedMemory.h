//===- FencedMemory.h - memory that cannot be left ------------------------------------------------------===//
//
// What: a policy under which reads outside known ranges give zero and writes there do nothing; both are
// counted.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_FENCEDMEMORY_H
#define TRISECT_INTERP_TOOLS_FENCEDMEMORY_H

#include "interp/memory/Memory.h"
#include <cstring>
#include <map>

namespace trisect::tools {

class FencedMemory final : public interp::MemoryPolicy {
public:
  void add(uint64_t address, uint64_t bytes) { ranges[address] = address + bytes; }
  uint64_t outside() const { return misses; }

  void read(const interp::AccessSite &, uint64_t address, void *into, int64_t bytes) override {
    if (inside(address, bytes))
      std::memcpy(into, reinterpret_cast<const void *>(address), bytes);
    else
      std::memset(into, 0, bytes);
  }
  void write(const interp::AccessSite &, uint64_t address, const void *from, int64_t bytes) override {
    if (inside(address, bytes))
      std::memcpy(reinterpret_cast<void *>(address), from, bytes);
  }

private:
  bool inside(uint64_t address, int64_t bytes) {
    auto after = ranges.upper_bound(address);
    if (after != ranges.begin() && address + bytes <= std::prev(after)->second)
      return true;
    ++misses;
    return false;
  }

  std::map<uint64_t, uint64_t> ranges;
  uint64_t misses = 0;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_FENCEDMEMORY_H
