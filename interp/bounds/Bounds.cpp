//===- Bounds.cpp - what happens around each instruction ------------------------------------------------===//
#include "interp/bounds/Bounds.h"
#include "core/support/Lasting.h"
#include "interp/bounds/Elements.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

static constexpr uint8_t noMarks[Overlay::pageBytes] = {};

Bounds::Bounds(const Program &program, const Overlay &memory, const BoundProfile &profile,
               const Overlay::Reader &reader)
    : program(program), memory(memory), profile(profile), low(reader), high(reader),
      types([](uint64_t) { return noMarks; }), ends(program.slots.size()), products(program.slots.size(), 0) {
}

const EndsPtr &Bounds::endsOf(const Instance &s, const Instr &i, unsigned n) const {
  static const Lasting<EndsPtr> nothing;
  return s.has(i, n) ? ends[s.operandSlot(i, n)] : *nothing;
}

bool Bounds::anyOpen(const Instance &s, const Instr &i) const {
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (endsOf(s, i, n))
      return true;
  return false;
}

void Bounds::set(unsigned result, Ends list, DType type) {
  bool open = std::any_of(list.begin(), list.end(), [](const Span &span) { return !span.exact(); });
  pending[result] = open ? std::make_shared<const Ends>(std::move(list)) : nullptr;
}

void Bounds::setDoubt(Instance &s, const Instr &i, const char *what) {
  noteDoubt(s, i, what);
  pending.resize(i.numResults);
  for (unsigned n = 0; n < i.numResults; ++n) {
    SlotId slot = s.resultSlot(i, n);
    set(n, Ends(static_cast<size_t>(s.elements(i, slot)), Span::doubt(s.type(slot))), s.type(slot));
  }
}

std::string Bounds::placeOf(const Instance &s, const Instr &i) const {
  std::string place(info(i.op).mnemonic);
  const SourcePosition &position = s.program.position(i);
  return position.known() ? place + " at " + position.str() : place;
}

void Bounds::noteDoubt(const Instance &s, const Instr &i, const char *what) {
  if (doubtAt.empty())
    doubtAt = std::string(what) + " (" + placeOf(s, i) + ")";
}

void Bounds::lose(const Instance &s, const Instr &i, const char *what) {
  const SourcePosition &position = s.program.position(i);
  lostAt = std::string(what) + " depends on a value that the profile leaves open";
  if (position.known())
    lostAt += ", at " + position.str();
}

void Bounds::before(Instance &s, const Instr &i) {
  if (!lostAt.empty())
    return;
  setNothing(i);
  switch (i.opcode) {
  case Opcode::Elementwise:
    return elementwise(s, i);
  case Opcode::Move:
    return move(s, i);
  case Opcode::Branch:
  case Opcode::ForTest:
  case Opcode::ForNext:
    if (anyOpen(s, i))
      lose(s, i, i.opcode == Opcode::Branch ? "a branch" : "a trip count");
    return;
  case Opcode::Undefined:
    return setDoubt(s, i, "an undefined value");
  case Opcode::Gather:
    if (endsOf(s, i, 1))
      return setDoubt(s, i, "an index in doubt");
    return moveElements(s, i);
  case Opcode::Load:
  case Opcode::BlockLoad:
  case Opcode::BlockGather:
  case Opcode::AtomicLoad:
    return load(s, i);
  case Opcode::Store:
  case Opcode::BlockStore:
  case Opcode::BlockScatter:
  case Opcode::AtomicStore:
    return store(s, i);
  case Opcode::AtomicRmw:
  case Opcode::AtomicCas:
  case Opcode::AtomicPoll:
  case Opcode::BlockReduce:
    return atomic(s, i);
  case Opcode::Reduce:
  case Opcode::Scan:
    return fold(s, i);
  case Opcode::Map:
    return map(s, i);
  case Opcode::Dot:
    return product(s, i);
  case Opcode::DotScaled:
    if (anyOpen(s, i) || profile.freeOrder)
      setDoubt(s, i, "a scaled product of open values");
    return;
  case Opcode::Histogram:
    if (anyOpen(s, i))
      setDoubt(s, i, "a count of open values");
    return;
  case Opcode::InlineAsm:
    if (anyOpen(s, i) || program.extra(i).text.find(".approx") != std::string::npos)
      setDoubt(s, i, "assembly on open values");
    return;
  default:
    if (movesElements(i.opcode))
      moveElements(s, i);
  }
}

void Bounds::after(Instance &s, const Instr &i) {
  if (!lostAt.empty())
    return;
  for (unsigned n = 0; n < i.numResults && n < pending.size(); ++n) {
    SlotId slot = s.resultSlot(i, n);
    ends[slot] = std::move(pending[n]);
    products[slot] = i.opcode == Opcode::Elementwise && i.op == OpId::arith_mulf;
  }
  // Bodies of regions are handled as a whole: their instructions are not seen, and the handler jumps over
  // them.
}

std::vector<std::vector<uint64_t>> Bounds::runAt(Instance &s, const Instr &i, End end) {
  std::vector<std::pair<SlotId, Value>> kept;
  auto keep = [&](SlotId slot) {
    if (slot != noSlot)
      kept.emplace_back(slot, s.slot(slot));
  };
  for (unsigned n = 0; n < i.numOperands; ++n)
    keep(s.operandSlot(i, n));
  for (unsigned n = 0; n < i.numResults; ++n)
    keep(s.resultSlot(i, n));
  uint32_t pc = s.pc;
  uint64_t writes = s.writes;
  bool carried = s.carriedChange;
  MemoryPolicy *policy = s.policy;
  Observer *observer = std::exchange(s.observer, nullptr);
  if (memoryOpen && policy)
    s.policy = end == End::Low ? &low : end == End::High ? &high : &types;
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (const EndsPtr &open = endsOf(s, i, n)) {
      SlotId slot = s.operandSlot(i, n);
      s.slot(slot) = blockOf(s, slot, *open, end == End::High);
    }
  auto restore = [&] {
    for (auto &[slot, value] : kept)
      s.slot(slot) = value;
    s.pc = pc;
    s.writes = writes;
    s.carriedChange = carried;
    s.policy = policy;
    s.observer = observer;
  };
  std::vector<std::vector<uint64_t>> results;
  try {
    handlers[static_cast<int>(i.opcode)](s, i);
    for (unsigned n = 0; n < i.numResults; ++n)
      results.push_back(elementsOf(s, i, s.resultSlot(i, n)));
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return results;
}

void Bounds::setFromEnds(Instance &s, const Instr &i) {
  auto lows = runAt(s, i, End::Low), highs = runAt(s, i, End::High);
  for (unsigned n = 0; n < i.numResults; ++n) {
    Ends list(lows[n].size());
    for (size_t at = 0; at < list.size(); ++at)
      list[at] = {lows[n][at], highs[n][at]};
    set(n, std::move(list), s.type(s.resultSlot(i, n)));
  }
}

void Bounds::forEachOpen(const std::function<void(uint64_t, const Legal &)> &visit) const {
  types.forEachWrite([&](uint64_t base, std::span<const uint8_t> codes, std::span<const uint8_t> written) {
    for (size_t at = 0; at < codes.size(); ++at) {
      Mark mark(codes[at]);
      if (!written[at] || !mark.begins())
        continue;
      Legal legal;
      legal.type = *mark.type();
      legal.span = spanAt(base + at, legal.type);
      if (!legal.span.exact() || isNan(legal.span.low, legal.type))
        visit(base + at, legal);
    }
  });
}

Span Bounds::spanAt(uint64_t address, DType type) const {
  Span span;
  AccessSite nobody;
  low.read(nobody, address, &span.low, byteSize(type));
  high.read(nobody, address, &span.high, byteSize(type));
  return span;
}

} // namespace trisect::interp
