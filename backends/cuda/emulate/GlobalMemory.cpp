//===- GlobalMemory.cpp - the tensors of an emulated launch, watched ------------------------------------===//
#include "backends/cuda/emulate/GlobalMemory.h"
#include <algorithm>
#include <cstdlib>

namespace trisect::cuda {

GlobalMemory::GlobalMemory(std::span<const TensorView> tensors) {
  std::vector<Range> ranges;
  for (const TensorView &tensor : tensors) {
    Range range{tensor.address, std::max<uint64_t>(1, byteSize(tensor.type))};
    bool empty = false;
    for (size_t d = 0; d < tensor.shape.size(); ++d) {
      empty |= tensor.shape[d] == 0;
      auto span = static_cast<uint64_t>(std::abs(tensor.strides[d]) * (tensor.shape[d] - 1)) *
                  std::max<uint64_t>(1, byteSize(tensor.type));
      range.bytes += span;
      if (tensor.strides[d] < 0)
        range.address -= span;
    }
    if (!empty)
      ranges.push_back(range);
  }
  std::ranges::sort(ranges, {}, &Range::address);
  for (const Range &range : ranges) {
    uint64_t end = all.empty() ? 0 : all.back().address + all.back().read.size();
    if (all.empty() || range.address > end) {
      all.push_back({range.address, {}, {}, {}});
      end = range.address;
    }
    uint64_t size = std::max(end, range.address + range.bytes) - all.back().address;
    all.back().read.resize(size);
    all.back().written.resize(size);
    all.back().atomic.resize(size);
  }
  records.resize(all.size());
}

// True if nothing orders the two.
bool GlobalMemory::unordered(const Toucher &before, const Toucher &now) {
  if (before.when.blockEpoch != now.when.blockEpoch || before.program != now.program ||
      before.when.thread == now.when.thread || before.operation == now.operation)
    return false;
  bool oneWarp = before.when.thread / 32 == now.when.thread / 32;
  return !oneWarp || before.when.warpEpoch == now.when.warpEpoch;
}

std::optional<std::string> GlobalMemory::note(size_t piece, uint64_t at, Access access, const Toucher &now) {
  Bytewise &record = records[piece][at];
  auto race = [&](const char *earlier, const Toucher &before) {
    return "race on byte " + std::to_string(at) + " of a tensor: thread " + std::to_string(now.when.thread) +
           (access == Access::Read ? " reads" : " writes") + " what thread " +
           std::to_string(before.when.thread) + " of its program " + earlier +
           " in an operation before, with no barrier between";
  };
  if (unordered(record.written, now))
    return race("wrote", record.written);
  if (access != Access::Read)
    for (const Toucher &reader : {record.read, record.readBefore})
      if (unordered(reader, now))
        return race("read", reader);
  if (access != Access::Write) {
    all[piece].read[at] = 1;
    if (record.read.when.thread != now.when.thread || record.read.program != now.program)
      record.readBefore = record.read;
    record.read = now;
  }
  if (access != Access::Read) {
    all[piece].written[at] += access == Access::Write;
    all[piece].atomic[at] |= access == Access::Atomic;
    record.written = now;
  }
  return std::nullopt;
}

GlobalMemory::Piece *GlobalMemory::pieceOf(uint64_t address, uint32_t bytes) {
  auto after = std::ranges::upper_bound(all, address, {}, &Piece::address);
  if (after == all.begin() || address - (after - 1)->address + bytes > (after - 1)->read.size())
    return nullptr;
  return &*(after - 1);
}

void GlobalMemory::changed(uint64_t address, uint32_t bytes) {
  if (Piece *piece = pieceOf(address, bytes))
    for (uint64_t at = address - piece->address, end = at + bytes; at < end; ++at)
      ++piece->written[at];
}

std::optional<std::string> GlobalMemory::touch(Access access, uint64_t address, uint32_t bytes,
                                               const Toucher &now) {
  if (address % bytes)
    return "an access of " + std::to_string(bytes) +
           " bytes of global memory at an address that is no multiple of it";
  if (all.empty() || std::ranges::any_of(others, [&](const Range &range) {
        return address >= range.address && address + bytes <= range.address + range.bytes;
      }))
    return std::nullopt;
  const Piece *found = pieceOf(address, bytes);
  if (!found)
    return "an access of " + std::to_string(bytes) + " bytes of global memory outside of every tensor";
  size_t piece = found - all.data();
  if (records[piece].empty())
    records[piece].resize(all[piece].read.size());
  for (uint64_t at = address - all[piece].address, end = at + bytes; at < end; ++at)
    if (auto problem = note(piece, at, access, now))
      return problem;
  return std::nullopt;
}

} // namespace trisect::cuda
