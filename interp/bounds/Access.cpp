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

/// Whether sign and payload of some element are nobody's.
bool anyNan(const Ends &values, DType type) {
  return std::any_of(values.begin(), values.end(), [&](const Span &span) { return isNan(span.low, type); });
}

Mark markOf(const Span &span, DType type) { return {type, !span.exact() || isNan(span.low, type)}; }

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
  if (memoryOpen)
    recastLoaded(s, i);
}

void Bounds::recastLoaded(Instance &s, const Instr &i) {
  DType type = s.type(s.resultSlot(i));
  // Lanes that are masked off hold `other`, which is of the type.
  bool fills = i.opcode == Opcode::Load && s.has(i, 2) && s.operandSlot(i, 1) != s.operandSlot(i, 2);
  auto marks = fills ? runMarked(s, i, 2, filledBlock(s, s.operandSlot(i, 2), Mark(type, false).bits()))
                     : runAt(s, i, End::Type);
  Ends list;
  for (size_t at = 0; at < marks[0].size(); ++at) {
    Mark mark(marks[0][at]);
    if (mark.is(type) || !mark.open(byteSize(type)))
      continue;
    if (list.empty())
      list = loadedEnds(s, i);
    std::optional<DType> written = mark.type();
    list[at] = written && mark.is(*written) ? list[at].recast(*written, type) : Span::doubt(type);
  }
  if (list.empty())
    return;
  noteDoubt(s, i, "a load of bits that were written as another type");
  set(0, std::move(list), type);
}

Ends Bounds::loadedEnds(Instance &s, const Instr &i) {
  if (pending[0])
    return *pending[0];
  auto exact = runAt(s, i, End::Low);
  Ends list;
  for (uint64_t bits : exact[0])
    list.push_back(Span::at(bits));
  return list;
}

std::vector<std::vector<uint64_t>> Bounds::runMarked(Instance &s, const Instr &i, unsigned n, Value marks) {
  SlotId slot = s.operandSlot(i, n);
  Value kept = std::exchange(s.slot(slot), std::move(marks));
  EndsPtr open = std::exchange(ends[slot], nullptr);
  auto results = runAt(s, i, End::Type);
  s.slot(slot) = std::move(kept);
  ends[slot] = std::move(open);
  return results;
}

void Bounds::store(Instance &s, const Instr &i) {
  unsigned value = valueOperand(i);
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (n != value && endsOf(s, i, n))
      return lose(s, i, "the address or mask of a store");
  SlotId slot = s.operandSlot(i, value);
  DType type = s.type(slot);
  Ends values = operandEnds(s, i, value, endsOf(s, i, value));
  if (!memoryOpen && !endsOf(s, i, value) && !anyNan(values, type))
    return;
  spread();
  runAt(s, i, End::Low);
  runAt(s, i, End::High);
  for (Span &span : values)
    span = Span::at(markOf(span, type).bits());
  bool uniform = values.size() == 1;
  runMarked(s, i, value, uniform ? filledBlock(s, slot, values[0].low) : blockOf(s, slot, values, false));
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
  for (auto &[address, cell] : cells) {
    uint64_t seen = 0;
    types.read(nobody, address, &seen, byteSize(type));
    if (Mark written(seen); !written.is(type) && written.open(byteSize(type)))
      return lose(s, i, "an atomic on what was written as another type");
    Span span = spanAt(address, type);
    if (free && cell.terms > 1) {
      double before =
          std::max(std::fabs(toDouble(span.low, type)), std::fabs(toDouble(span.high, type))) + cell.total;
      span =
          loosened(span, static_cast<double>(cell.terms) * unitRoundoff(type) * (before + cell.total), type);
      low.write(nobody, address, &span.low, byteSize(type));
      high.write(nobody, address, &span.high, byteSize(type));
    }
    uint64_t code = markOf(span, type).bits();
    types.write(nobody, address, &code, byteSize(type));
  }
}

} // namespace trisect::interp
