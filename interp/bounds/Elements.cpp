//===- Elements.cpp - slots as lists of bits and back ---------------------------------------------------===//
#include "interp/bounds/Elements.h"
#include "interp/exec/Fetch.h"

namespace trisect::interp {

namespace {
std::vector<uint64_t> unpacked(const char *data, unsigned size, int64_t count) {
  std::vector<uint64_t> bits(static_cast<size_t>(count), 0);
  for (size_t n = 0; n < bits.size(); ++n)
    std::memcpy(&bits[n], data + n * size, size);
  return bits;
}
} // namespace

std::vector<uint64_t> elementsOf(const Instance &s, const Instr &i, SlotId slot) {
  const Value &value = s.values[slot];
  DType type = s.type(slot);
  int64_t count = s.elements(i, slot);
  if (value.isSplat())
    return std::vector<uint64_t>(static_cast<size_t>(count), unsignedBits(value.base, type));
  std::vector<char> bytes(static_cast<size_t>(count) * byteSize(type) + 64);
  copyOut(value, type, s.shape(slot), 0, count, bytes.data());
  return unpacked(bytes.data(), byteSize(type), count);
}

Ends operandEnds(const Instance &s, const Instr &i, unsigned n, const EndsPtr &open) {
  if (open)
    return *open;
  SlotId slot = s.operandSlot(i, n);
  const Value &value = s.values[slot];
  if (value.isSplat())
    return {Span::at(unsignedBits(value.base, s.type(slot)))};
  Ends list;
  for (uint64_t bits : elementsOf(s, i, slot))
    list.push_back(Span::at(bits));
  return list;
}

Value blockOf(Instance &s, SlotId slot, const Ends &list, bool high) {
  Value value;
  if (s.shape(slot).rank() == 0) {
    value.setSplat(high ? list.front().high : list.front().low);
    return value;
  }
  unsigned size = byteSize(s.type(slot));
  value.setDense(s.pool.acquire(static_cast<int64_t>(list.size()) * size));
  for (size_t n = 0; n < list.size(); ++n)
    std::memcpy(value.data + n * size, high ? &list[n].high : &list[n].low, size);
  return value;
}

Value filledBlock(Instance &s, SlotId slot, uint64_t bits) {
  Value value;
  if (s.shape(slot).rank() == 0) {
    value.setSplat(bits);
    return value;
  }
  unsigned size = byteSize(s.type(slot));
  int64_t count = s.shape(slot).elements;
  value.setDense(s.pool.acquire(count * size));
  fill(value.data, bits, size, count);
  return value;
}

} // namespace trisect::interp
