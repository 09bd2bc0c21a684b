//===- Access.cpp - ends through memory -----------------------------------------------------------------===//
//
// Two further overlays hold memory at either end. While nothing open was stored they are not there and loads
// cost nothing; from then on every access of the program happens in all three.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/bounds/Bounds.h"
#include "interp/bounds/Elements.h"
#include "interp/bounds/Rounding.h"
#include "interp/exec/Format.h"
#include "interp/ops/AccessLanes.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace trisect::interp {

namespace {

/// The operand whose elements a store moves.
unsigned valueOperand(const Instr &i) {
  return i.opcode == Opcode::Store || i.opcode == Opcode::AtomicStore ? 1 : i.numOperands - 1u;
}

/// The mark of an element: its first byte, then the others.
uint64_t mark(DType type, uint8_t firstByte) {
  uint64_t code = static_cast<uint8_t>(type), bits = 0;
  for (unsigned n = 0; n < byteSize(type); ++n)
    bits |= code << (8 * n);
  return bits | firstByte;
}

} // namespace

void Bounds::spread() {
  if (memoryOpen)
    return;
  memoryOpen = true;
  memory.forEachWrite([&](uint64_t base, std::span<const uint8_t> bytes, std::span<const uint8_t> written) {
    AccessSite nobody;
    for (size_t at = 0; at < bytes.size(); ++at)
      if (written[at]) {
        size_t end = at;
        while (end < bytes.size() && written[end])
          ++end;
        for (Overlay *each : {&low, &high})
          each->write(nobody, base + at, bytes.data() + at, static_cast<int64_t>(end - at));
        at = end;
      }
  });
}

void Bounds::load(Instance &s, const Instr &i) {
  bool otherOpen = i.opcode == Opcode::Load && endsOf(s, i, 2);
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (endsOf(s, i, n) && !(otherOpen && n == 2))
      return setDoubt(s, i, "a load through an address or mask in doubt");
  if (memoryOpen || otherOpen)
    setFromEnds(s, i);
}

void Bounds::store(Instance &s, const Instr &i) {
  unsigned value = valueOperand(i);
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (n != value && endsOf(s, i, n))
      return lose(s, i, "the address or mask of a store");
  if (!memoryOpen && !endsOf(s, i, value))
    return;
  spread();
  runAt(s, i, End::Low);
  runAt(s, i, End::High);
  SlotId slot = s.operandSlot(i, value);
  Value kept = s.slot(slot);
  EndsPtr open = std::move(ends[slot]);
  s.slot(slot) = filledBlock(s, slot, mark(s.type(slot), firstByte));
  runAt(s, i, End::Type);
  s.slot(slot) = std::move(kept);
  ends[slot] = std::move(open);
}

void Bounds::atomic(Instance &s, const Instr &i) {
  bool open = anyOpen(s, i);
  if (i.opcode == Opcode::AtomicPoll || (!open && i.opcode == Opcode::AtomicCas && !memoryOpen))
    return open ? lose(s, i, "a wait") : void();
  if (i.opcode == Opcode::BlockReduce)
    return open || memoryOpen ? lose(s, i, "a reduction in memory") : void();
  if (i.opcode == Opcode::AtomicCas)
    return open ? lose(s, i, "a compare and swap") : setFromEnds(s, i);
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (n != 1 && endsOf(s, i, n))
      return lose(s, i, "the address or mask of an atomic");
  bool adds = i.attribute == AtomicFAdd;
  bool grows = adds || i.attribute == AtomicFMax || i.attribute == AtomicFMin || i.attribute == AtomicExch;
  if (open && !grows)
    return lose(s, i, "an atomic");
  addInAnyOrder(s, i, open, adds);
}

void Bounds::addInAnyOrder(Instance &s, const Instr &i, bool open, bool adds) {
  SlotId slot = s.operandSlot(i, 1);
  DType type = s.type(slot);
  const Value *mask = s.has(i, 2) ? &s.operand(i, 2) : nullptr;
  Access access(s.operand(i, 0), mask, s.shape(slot), type);
  Ends values = operandEnds(s, i, 1, endsOf(s, i, 1));
  struct Cell {
    int64_t terms = 0;
    double total = 0;
  };
  std::map<uint64_t, Cell> cells;
  bool collide = false;
  access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < count; ++n) {
      const Span &value = values[values.size() == 1 ? 0 : static_cast<size_t>(lane + n)];
      Cell &cell = cells[address + static_cast<uint64_t>(n * step)];
      collide |= ++cell.terms > 1;
      if (isFloat(type))
        cell.total += std::max(std::fabs(toDouble(value.low, type)), std::fabs(toDouble(value.high, type)));
    }
  });
  bool free = adds && collide;
  if (!open && !memoryOpen && !free)
    return;
  spread();
  setFromEnds(s, i);
  if (free)
    setDoubt(s, i, "the order of additions to one address");
  AccessSite nobody;
  uint64_t code = mark(type, firstByte);
  for (auto &[address, cell] : cells) {
    types.write(nobody, address, &code, byteSize(type));
    if (!free || cell.terms < 2)
      continue;
    Span span = spanAt(address, type);
    double before =
        std::max(std::fabs(toDouble(span.low, type)), std::fabs(toDouble(span.high, type))) + cell.total;
    span = loosened(span, static_cast<double>(cell.terms) * unitRoundoff(type) * (before + cell.total), type);
    low.write(nobody, address, &span.low, byteSize(type));
    high.write(nobody, address, &span.high, byteSize(type));
  }
}

} // namespace trisect::interp
