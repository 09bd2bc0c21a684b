//===- OldBytes.cpp - a log of one program --------------------------------------------------------------===//
#include "backends/cpu/launch/OldBytes.h"
#include "core/support/MemoryGuard.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace trisect::cpu {

namespace {
constexpr size_t mostBytes = size_t(64) << 20; ///< of one program, with what tells where they were
constexpr size_t firstRoom = 4096;
} // namespace

void OldBytes::begin(AssertHook *hook) {
  if (hook->written)
    return;
  hook->written = 1;
  pieces.clear();
  used = 0;
  end = nullptr;
  overflown = false;
}

/// Room for so many bytes more, and for a piece.
bool OldBytes::grow(size_t bytes) noexcept {
  UnleavableWork whole;
  try {
    overflown = used + bytes + (pieces.size() + 1) * sizeof(Piece) > mostBytes;
    if (!overflown && used + bytes > kept.size())
      kept.resize(std::max(std::min(2 * kept.size(), mostBytes), used + std::max(bytes, firstRoom)));
    if (!overflown && pieces.size() == pieces.capacity())
      pieces.reserve(std::max<size_t>(8, 2 * pieces.size()));
  } catch (const std::bad_alloc &) {
    overflown = true;
  }
  return !overflown;
}

// Compiled code comes here before each vector that it stores: copies of whole ones are single instructions.
void OldBytes::add(uint64_t address, size_t bytes) noexcept {
  auto *from = reinterpret_cast<char *>(address);
  bool goesOn = from == end;
  if (used + bytes > kept.size() || (!goesOn && pieces.size() == pieces.capacity()))
    if (overflown || !grow(bytes))
      return;
  char *to = kept.data() + used;
  if (bytes == 64)
    std::memcpy(to, from, 64);
  else
    std::memcpy(to, from, bytes);
  if (goesOn)
    pieces.back().bytes += bytes;
  else
    pieces.push_back({from, used, bytes});
  used += bytes;
  end = from + bytes;
}

void OldBytes::keep(AssertHook *hook, const void *address, int64_t bytes, uint64_t on) noexcept {
  hook->old->begin(hook);
  auto first = reinterpret_cast<uint64_t>(address);
  while (on) {
    int lane = std::countr_zero(on), lanes = std::countr_one(on >> lane);
    hook->old->add(first + static_cast<uint64_t>(lane * bytes), static_cast<size_t>(lanes * bytes));
    on = lane + lanes < 64 ? on >> (lane + lanes) << (lane + lanes) : 0;
  }
}

void OldBytes::keepLanes(AssertHook *hook, const uint64_t *addresses, int64_t bytes, uint64_t on) noexcept {
  hook->old->begin(hook);
  for (; on; on &= on - 1)
    hook->old->add(addresses[std::countr_zero(on)], static_cast<size_t>(bytes));
}

void OldBytes::putBack() {
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    std::memcpy(piece->address, kept.data() + piece->at, piece->bytes);
  pieces.clear();
  used = 0;
  end = nullptr;
}

} // namespace trisect::cpu
