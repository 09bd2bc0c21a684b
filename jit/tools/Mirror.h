//===- Mirror.h - arguments of a run test in the memory of a device -------------------------------------===//
//
// What: copies each buffer to the device, gives the arguments that a kernel there gets, and copies back what
// the kernel left. Addresses that stand in buffers are translated both ways. Why: run tests hold their
// buffers on the host, whatever tier they test.
// Limits: for one launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_MIRROR_H
#define TRISECT_JIT_TOOLS_MIRROR_H

#include "backends/target/Memory.h"
#include "interp/tools/Buffer.h"
#include <deque>

namespace trisect::tools {

class Mirror {
public:
  Mirror(MemorySpace &memory, const std::vector<Argument> &arguments);
  ~Mirror();
  Mirror(const Mirror &) = delete;
  Mirror &operator=(const Mirror &) = delete;

  /// What the kernel gets for argument `n` in place of `bits`, which are the host's.
  ArgBits translated(size_t n, ArgBits bits);
  void copyBack();

private:
  struct Copy {
    Buffer *host;
    uint64_t device;
  };
  uint64_t moved(uint64_t address, bool toDevice) const;
  std::vector<uint8_t> movedPointers(const Buffer &buffer, bool toDevice) const;

  MemorySpace &memory;
  const std::vector<Argument> &arguments;
  std::vector<Copy> copies;
  std::deque<DescriptorArg> descriptors;
};

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_MIRROR_H
