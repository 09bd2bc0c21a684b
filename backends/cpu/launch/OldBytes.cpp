//===- OldBytes.cpp - a log of one program --------------------------------------------------------------===//
#include "backends/cpu/launch/OldBytes.h"
#include <bit>
#include <cstring>
#include <new>

namespace trisect::cpu {

namespace {
constexpr size_t mostBytes = size_t(64) << 20; ///< of one program, with what tells where they were
}

void OldBytes::begin(AssertHook *hook) {
  if (hook->written)
    return;
  hook->written = 1;
  pieces.clear();
  kept.clear();
  overflown = false;
}

void OldBytes::add(uint64_t address, size_t bytes) noexcept {
  if (overflown)
    return;
  auto *from = reinterpret_cast<char *>(address);
  try {
    size_t at = kept.size();
    overflown = at + bytes + (pieces.size() + 1) * sizeof(Piece) > mostBytes;
    if (overflown)
      return;
    kept.insert(kept.end(), from, from + bytes);
    if (!pieces.empty() && pieces.back().address + pieces.back().bytes == from)
      pieces.back().bytes += bytes;
    else
      pieces.push_back({from, at, bytes});
  } catch (const std::bad_alloc &) {
    overflown = true;
  }
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
  kept.clear();
}

} // namespace trisect::cpu
