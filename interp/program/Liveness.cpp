//===- Liveness.cpp - where operands die, and which loads may be read where they lie --------------------===//
//
// Backward data flow over basic blocks with one bit a slot. An operand dies at an instruction if no path from
// there reads the slot before it is written again.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/Optimize.h"
#include <algorithm>

namespace trisect::interp {

namespace {

struct Span {
  uint32_t begin, end;
  std::vector<uint32_t> next;
};

/// Basic blocks; regions are part of the code around them (their body runs within their instruction).
std::vector<Span> spans(const Program &program) {
  std::vector<bool> starts = jumpTargets(program);
  size_t count = program.code.size();
  starts[0] = true;
  for (uint32_t at = 0; at < count; ++at)
    switch (program.code[at].opcode) {
    case Opcode::Jump:
    case Opcode::Branch:
    case Opcode::ForTest:
    case Opcode::ForNext:
    case Opcode::Return:
    case Opcode::Reduce:
    case Opcode::Scan:
    case Opcode::Map:
    case Opcode::RegionEnd:
      starts[at + 1] = true;
      break;
    default:
      break;
    }
  std::vector<Span> all;
  std::vector<uint32_t> spanAt(count + 1, 0);
  for (uint32_t at = 0; at < count; ++at) {
    if (starts[at])
      all.push_back({at, at, {}});
    spanAt[at] = static_cast<uint32_t>(all.size() - 1);
    all.back().end = at + 1;
  }
  // A region body may run again and again before its instruction is done.
  std::vector<uint32_t> regionOf;
  for (uint32_t at = 0; at < count; ++at) {
    const Instr &i = program.code[at];
    Span &span = all[spanAt[at]];
    if (at + 1 != span.end)
      continue;
    auto to = [&](uint32_t place) {
      if (place < count)
        span.next.push_back(spanAt[place]);
    };
    switch (i.opcode) {
    case Opcode::Jump:
      to(i.target);
      break;
    case Opcode::Branch:
    case Opcode::ForTest:
    case Opcode::ForNext:
      to(i.target);
      to(at + 1);
      break;
    case Opcode::Return:
      break;
    case Opcode::Reduce:
    case Opcode::Scan:
    case Opcode::Map:
      regionOf.push_back(at);
      to(at + 1);
      to(i.target);
      break;
    case Opcode::RegionEnd:
      to(at + 1);
      if (!regionOf.empty()) {
        to(regionOf.back() + 1);
        regionOf.pop_back();
      }
      break;
    default:
      to(at + 1);
    }
  }
  return all;
}

using Bits = std::vector<uint64_t>;

bool test(const Bits &bits, SlotId slot) { return bits[slot / 64] >> (slot % 64) & 1; }
void set(Bits &bits, SlotId slot) { bits[slot / 64] |= uint64_t(1) << (slot % 64); }
void reset(Bits &bits, SlotId slot) { bits[slot / 64] &= ~(uint64_t(1) << (slot % 64)); }

/// Live slots before the instruction, given those after it.
void transfer(const Program &program, const Instr &i, Bits &live) {
  for (uint32_t slot : program.results(i))
    reset(live, slot);
  for (uint32_t use : program.operands(i))
    if (SlotId slot = use & ~lastUseBit; slot != noSlot)
      set(live, slot);
}

} // namespace

void markDeaths(Program &program) {
  std::vector<Span> all = spans(program);
  size_t words = (program.slots.size() + 63) / 64;
  std::vector<Bits> liveIn(all.size(), Bits(words, 0)), liveOut(all.size(), Bits(words, 0));
  std::vector<bool> inRegion(program.code.size(), false);
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    if (hasRegion(i.opcode))
      std::fill(inRegion.begin() + at + 1, inRegion.begin() + i.target, true);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t n = all.size(); n-- > 0;) {
      Bits live(words, 0);
      for (uint32_t next : all[n].next)
        for (size_t w = 0; w < words; ++w)
          live[w] |= liveIn[next][w];
      liveOut[n] = live;
      for (uint32_t at = all[n].end; at-- > all[n].begin;)
        transfer(program, program.code[at], live);
      if (live != liveIn[n]) {
        liveIn[n] = std::move(live);
        changed = true;
      }
    }
  }
  for (size_t n = 0; n < all.size(); ++n) {
    Bits live = liveOut[n];
    for (uint32_t at = all[n].end; at-- > all[n].begin;) {
      Instr &i = program.code[at];
      // Region bodies run many times for one instruction, a poll until it succeeds: nothing dies there.
      bool keep = inRegion[at] || i.opcode == Opcode::AtomicPoll;
      Bits after = live;
      transfer(program, i, live);
      for (unsigned k = 0; k < i.numOperands && !keep; ++k) {
        uint32_t &use = program.uses[i.uses + k];
        SlotId slot = use & ~lastUseBit;
        if (slot == noSlot || program.slots[slot].constant || test(after, slot))
          continue;
        bool again = false; // the last of equal operands carries the mark
        for (unsigned later = k + 1; later < i.numOperands; ++later)
          again |= (program.uses[i.uses + later] & ~lastUseBit) == slot;
        for (uint32_t result : program.results(i))
          again |= result == slot;
        if (again)
          continue;
        use |= lastUseBit;
        i.flags |= FlagLastUse;
      }
    }
  }
}

void markInPlace(Program &program) {
  // A load that only products read, perhaps transposed, with nothing in between that writes memory or jumps.
  std::vector<uint32_t> reads(program.slots.size(), 0);
  for (const Instr &i : program.code)
    for (uint32_t use : program.operands(i))
      if (SlotId slot = use & ~lastUseBit; slot != noSlot)
        ++reads[slot];
  std::vector<bool> targets = jumpTargets(program);
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    Instr &load = program.code[at];
    if ((load.opcode != Opcode::Load && load.opcode != Opcode::BlockLoad) || (load.flags & FlagVolatile))
      continue;
    SlotId slot = program.result(load);
    if (program.shape(slot).rank() < 2 || reads[slot] != 1)
      continue;
    for (uint32_t k = at + 1; k < program.code.size() && !targets[k]; ++k) {
      const Instr &i = program.code[k];
      bool reader = false;
      for (uint32_t use : program.operands(i))
        reader |= (use & ~lastUseBit) == slot;
      if (reader && i.opcode == Opcode::Dot) {
        if (program.operand(i, 0) == slot || program.operand(i, 1) == slot)
          load.flags |= FlagInPlace;
        break;
      }
      if (reader && i.opcode == Opcode::Transpose && reads[program.result(i)] == 1) {
        slot = program.result(i);
        continue;
      }
      if (reader || !(isPure(i.opcode) || i.opcode == Opcode::Load || i.opcode == Opcode::BlockLoad ||
                      i.opcode == Opcode::Group))
        break;
    }
  }
}

} // namespace trisect::interp
