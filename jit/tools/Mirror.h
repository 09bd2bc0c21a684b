//===- Mirror.h - memory of the host in the memory of a device ------------------------------------------===//
//
// What: copies ranges to the device, gives the arguments that a kernel there gets, and copies back what the
// kernel left. Addresses that stand in memory are translated both ways. Why: run tests and corpora hold their
// buffers on the host, whatever tier they test.
// Limits: for one launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_MIRROR_H
#define TRISECT_JIT_TOOLS_MIRROR_H

#include "backends/target/Memory.h"
#include "core/support/HostRange.h"
#include "interp/tools/Buffer.h"
#include <deque>
#include <vector>

namespace trisect::tools {

/// The buffers of the arguments, each once.
std::vector<HostRange> rangesOf(const std::vector<Argument> &arguments);

class Mirror {
public:
  /// Where a kernel's descriptors lie: on the host, as a GPU's launcher wants them, or in the device's
  /// memory.
  enum class Descriptors : uint8_t { Here, There };
  Mirror(MemorySpace &memory, const std::vector<HostRange> &ranges, Descriptors place = Descriptors::Here);
  ~Mirror();
  Mirror(const Mirror &) = delete;
  Mirror &operator=(const Mirror &) = delete;

  /// Where the device has what the host has at `address`; the address itself where it has nothing of it.
  uint64_t there(uint64_t address) const { return moved(address, true); }
  /// The descriptor argument that a kernel there gets in place of `descriptor`.
  ArgBits there(const DescriptorArg &descriptor);
  /// What the kernel gets for `argument` in place of `bits`, which are the host's.
  ArgBits there(const Argument &argument, ArgBits bits);
  void copyBack();

private:
  struct Copy {
    HostRange host;
    uint64_t device;
  };
  uint64_t moved(uint64_t address, bool toDevice) const;
  void move(std::vector<uint8_t> &bytes, bool toDevice) const;

  MemorySpace &memory;
  Descriptors place;
  std::vector<Copy> copies;
  std::deque<DescriptorArg> descriptors;
  std::vector<uint64_t> placed; ///< descriptors in the device's memory
};

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_MIRROR_H
