//===- Mirror.cpp - there and back ----------------------------------------------------------------------===//
#include "jit/tools/Mirror.h"
#include <algorithm>
#include <cstring>

namespace trisect::tools {

std::vector<HostRange> rangesOf(const std::vector<Argument> &arguments) {
  std::vector<HostRange> ranges;
  for (const Argument &argument : arguments) {
    Buffer *host = argument.buffer.get();
    if (host && std::none_of(ranges.begin(), ranges.end(),
                             [&](const HostRange &range) { return range.data == host->data.data(); }))
      ranges.push_back({host->data.data(), host->data.size(), host->type == DType::Ptr});
  }
  return ranges;
}

Mirror::Mirror(MemorySpace &memory, const std::vector<HostRange> &ranges, Descriptors place)
    : memory(memory), place(place) {
  for (const HostRange &range : ranges)
    copies.push_back({range, memory.allocate(std::max<size_t>(range.bytes, 1))});
  for (const Copy &copy : copies) {
    std::vector<uint8_t> bytes(copy.host.data, copy.host.data + copy.host.bytes);
    if (copy.host.addresses)
      move(bytes, true);
    if (!bytes.empty())
      memory.write(copy.device, bytes.data(), bytes.size());
  }
}

Mirror::~Mirror() {
  for (const Copy &copy : copies)
    memory.release(copy.device);
  for (uint64_t each : placed)
    memory.release(each);
}

uint64_t Mirror::moved(uint64_t address, bool toDevice) const {
  for (const Copy &copy : copies) {
    auto host = reinterpret_cast<uint64_t>(copy.host.data);
    uint64_t from = toDevice ? host : copy.device;
    uint64_t to = toDevice ? copy.device : host;
    if (address - from < std::max<size_t>(copy.host.bytes, 1))
      return to + (address - from);
  }
  return address;
}

void Mirror::move(std::vector<uint8_t> &bytes, bool toDevice) const {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t address = 0;
    std::memcpy(&address, bytes.data() + at, 8);
    address = moved(address, toDevice);
    std::memcpy(bytes.data() + at, &address, 8);
  }
}

ArgBits Mirror::there(const DescriptorArg &descriptor) {
  DescriptorArg &copy = descriptors.emplace_back(descriptor);
  copy.address = moved(copy.address, true);
  if (place == Descriptors::Here)
    return reinterpret_cast<uint64_t>(&copy);
  placed.push_back(memory.allocate(sizeof copy));
  memory.write(placed.back(), &copy, sizeof copy);
  return placed.back();
}

ArgBits Mirror::there(const Argument &argument, ArgBits bits) {
  if (argument.descriptor)
    return there(*argument.descriptor);
  return argument.buffer ? moved(bits, true) : bits;
}

void Mirror::copyBack() {
  memory.sync(nullptr);
  for (const Copy &copy : copies) {
    std::vector<uint8_t> bytes(copy.host.bytes);
    if (bytes.empty())
      continue;
    memory.read(copy.device, bytes.data(), bytes.size());
    if (copy.host.addresses)
      move(bytes, false);
    std::memcpy(copy.host.data, bytes.data(), bytes.size());
  }
}

} // namespace trisect::tools
