//===- Mirror.cpp - there and back ----------------------------------------------------------------------===//
#include "jit/tools/Mirror.h"
#include <algorithm>
#include <cstring>

namespace trisect::tools {

Mirror::Mirror(MemorySpace &memory, const std::vector<Argument> &arguments)
    : memory(memory), arguments(arguments) {
  for (const Argument &argument : arguments) {
    Buffer *host = argument.buffer.get();
    bool known =
        std::any_of(copies.begin(), copies.end(), [&](const Copy &copy) { return copy.host == host; });
    if (host && !known)
      copies.push_back({host, memory.allocate(std::max<size_t>(host->data.size(), 1))});
  }
  for (const Copy &copy : copies) {
    std::vector<uint8_t> bytes =
        copy.host->type == DType::Ptr ? movedPointers(*copy.host, true) : copy.host->data;
    if (!bytes.empty())
      memory.write(copy.device, bytes.data(), bytes.size());
  }
}

Mirror::~Mirror() {
  for (const Copy &copy : copies)
    memory.release(copy.device);
}

uint64_t Mirror::moved(uint64_t address, bool toDevice) const {
  for (const Copy &copy : copies) {
    uint64_t from = toDevice ? copy.host->address() : copy.device;
    uint64_t to = toDevice ? copy.device : copy.host->address();
    if (address - from < std::max<size_t>(copy.host->data.size(), 1))
      return to + (address - from);
  }
  return address;
}

std::vector<uint8_t> Mirror::movedPointers(const Buffer &buffer, bool toDevice) const {
  std::vector<uint8_t> bytes = buffer.data;
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t address = 0;
    std::memcpy(&address, bytes.data() + at, 8);
    address = moved(address, toDevice);
    std::memcpy(bytes.data() + at, &address, 8);
  }
  return bytes;
}

ArgBits Mirror::translated(size_t n, ArgBits bits) {
  const Argument &argument = arguments[n];
  if (argument.descriptor) {
    DescriptorArg &copy = descriptors.emplace_back(*argument.descriptor);
    copy.address = moved(copy.address, true);
    return reinterpret_cast<uint64_t>(&copy);
  }
  return argument.buffer ? moved(bits, true) : bits;
}

void Mirror::copyBack() {
  memory.sync(nullptr);
  for (const Copy &copy : copies) {
    Buffer &host = *copy.host;
    if (!host.data.empty())
      memory.read(copy.device, host.data.data(), host.data.size());
    if (host.type == DType::Ptr)
      host.data = movedPointers(host, false);
  }
}

} // namespace trisect::tools
