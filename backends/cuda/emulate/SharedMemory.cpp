//===- SharedMemory.cpp - the shared memory of a block, watched -----------------------------------------===//
#include "backends/cuda/emulate/SharedMemory.h"
#include <cstring>

namespace trisect::cuda {

// True if nothing orders the two.
bool WatchedMemory::together(const Moment &before, const Moment &now) {
  if (before.blockEpoch != now.blockEpoch || before.thread == now.thread)
    return false;
  bool oneWarp = before.thread / 32 == now.thread / 32;
  return !oneWarp || before.warpEpoch == now.warpEpoch;
}

std::optional<std::string> WatchedMemory::note(Access access, uint32_t address, uint32_t bytes, Moment now) {
  if (uint64_t(address) + bytes > data.size())
    return "shared memory is accessed at byte " + std::to_string(address) + " of " +
           std::to_string(data.size());
  if (address % bytes)
    return "an access of " + std::to_string(bytes) + " bytes of shared memory at byte " +
           std::to_string(address) + " is not aligned";
  auto race = [&](uint32_t at, const char *earlier, const Moment &before) {
    return "race on byte " + std::to_string(at) + " of shared memory: thread " + std::to_string(now.thread) +
           (access == Access::Read ? " reads" : " writes") + " what thread " + std::to_string(before.thread) +
           " " + earlier + ", with no barrier between";
  };
  for (uint32_t at = address; at < address + bytes; ++at) {
    Bytewise &record = records[at];
    bool bothAtomic = access == Access::Atomic && record.atomically;
    if (together(record.written, now) && !bothAtomic)
      return race(at, "wrote", record.written);
    if (access != Access::Read)
      for (const Moment &reader : {record.read, record.readBefore})
        if (together(reader, now))
          return race(at, "read", reader);
    if (access == Access::Read) {
      if (record.read.thread != now.thread)
        record.readBefore = record.read;
      record.read = now;
    } else {
      record.written = now;
      record.atomically = access == Access::Atomic;
    }
  }
  return std::nullopt;
}

std::optional<std::string> WatchedMemory::touch(Access access, uint32_t address, void *buffer, uint32_t bytes,
                                                Moment now) {
  if (auto problem = note(access, address, bytes, now))
    return problem;
  if (access == Access::Read)
    std::memcpy(buffer, data.data() + address, bytes);
  else
    std::memcpy(data.data() + address, buffer, bytes);
  return std::nullopt;
}

std::optional<std::string> WatchedMemory::addAtomically(uint32_t address, uint32_t amount, Moment now) {
  if (auto problem = note(Access::Atomic, address, sizeof(amount), now))
    return problem;
  uint32_t value;
  std::memcpy(&value, data.data() + address, sizeof(value));
  value += amount;
  std::memcpy(data.data() + address, &value, sizeof(value));
  return std::nullopt;
}

} // namespace trisect::cuda
