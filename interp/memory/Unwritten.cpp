//===- Unwritten.cpp - marks, pattern and the list of marked memory -------------------------------------===//
//
// The pattern of eight neighbouring bytes is a hash of their address. Host writes are looked for in those
// eight: a write of the same eight bytes by chance does not happen, one of the same single byte would.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Unwritten.h"
#include "core/support/ForkGate.h"
#include "interp/memory/Extent.h"
#include <algorithm>
#include <cstring>
#include <mutex>

namespace trisect::interp {

namespace {

constexpr uint64_t word = 8;

uint8_t patternAt(uint64_t address) {
  uint64_t z = (address / word) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z ^= z >> 27;
  return static_cast<uint8_t>(z >> (8 * (address % word)));
}

struct Marks {
  ForkMutex lock;
  std::vector<std::shared_ptr<Unwritten>> all;
};

Marks &marks() {
  static auto *only = new Marks; // never destroyed: threads of the host launch while the process exits
  return *only;
}

} // namespace

Unwritten::Unwritten(uint64_t low, uint64_t high) : from(low), to(high), flags(high - low, 0) {}

void Unwritten::setUnwritten(uint64_t address, int64_t bytes, MemoryPolicy *memory) {
  for (int64_t n = 0; n < bytes; ++n) {
    uint8_t pattern = patternAt(address + uint64_t(n));
    if (memory)
      memory->write({}, address + uint64_t(n), &pattern, 1);
    else
      *reinterpret_cast<uint8_t *>(address + uint64_t(n)) = pattern;
  }
  std::memset(flags.data() + (address - from), 1, size_t(bytes));
}

void Unwritten::setWritten(uint64_t address, int64_t bytes) {
  uint64_t begin = std::max(address, from), end = std::min(address + uint64_t(bytes), to);
  if (begin < end)
    std::memset(flags.data() + (begin - from), 0, end - begin);
}

bool Unwritten::unwritten(uint64_t address, MemoryPolicy *memory) const {
  if (!flags[address - from])
    return false;
  uint64_t begin = std::max(address / word * word, from), end = std::min((address / word + 1) * word, to);
  uint8_t held[word];
  if (memory)
    memory->read({}, begin, held, static_cast<int64_t>(end - begin));
  else
    std::memcpy(held, reinterpret_cast<const void *>(begin), end - begin);
  for (uint64_t at = begin; at < end; ++at)
    if (flags[at - from] && held[at - begin] != patternAt(at))
      return false;
  return true;
}

bool Unwritten::any(uint64_t address, int64_t bytes, MemoryPolicy *memory) const {
  uint64_t begin = std::max(address, from), end = std::min(address + uint64_t(bytes), to);
  if (begin >= end)
    return false;
  const void *found = std::memchr(flags.data() + (begin - from), 1, end - begin);
  if (!found)
    return false;
  for (uint64_t at = from + uint64_t(static_cast<const uint8_t *>(found) - flags.data()); at < end; ++at)
    if (unwritten(at, memory))
      return true;
  return false;
}

void markUninitialized(const TensorView &view, MemoryPolicy *memory) {
  Extent extent(view);
  if (extent.empty())
    return;
  Marks &known = marks();
  std::lock_guard guard(known.lock);
  // Memory that overlaps shares one stretch, so that a write through either view counts.
  uint64_t low = extent.low(), high = extent.high();
  std::vector<std::shared_ptr<Unwritten>> parts, rest;
  for (auto &each : known.all)
    (each->low() < high && low < each->high() ? parts : rest).push_back(each);
  for (auto &each : parts) {
    low = std::min(low, each->low());
    high = std::max(high, each->high());
  }
  auto made = std::make_shared<Unwritten>(low, high);
  for (auto &each : parts)
    for (uint64_t at = each->low(); at < each->high(); ++at)
      if (each->any(at, 1, memory))
        made->setUnwritten(at, 1, memory);
  extent.forRuns([&](uint64_t address, int64_t bytes) { made->setUnwritten(address, bytes, memory); });
  rest.push_back(std::move(made));
  known.all = std::move(rest);
}

void forgetUninitialized(uint64_t address, int64_t bytes) {
  Marks &known = marks();
  std::lock_guard guard(known.lock);
  std::erase_if(known.all, [&](const auto &each) {
    return each->low() < address + uint64_t(bytes) && address < each->high();
  });
}

std::vector<std::shared_ptr<Unwritten>> unwrittenIn(uint64_t low, uint64_t high) {
  Marks &known = marks();
  std::lock_guard guard(known.lock);
  std::vector<std::shared_ptr<Unwritten>> found;
  for (auto &each : known.all)
    if (each->low() < high && low < each->high())
      found.push_back(each);
  return found;
}

} // namespace trisect::interp
