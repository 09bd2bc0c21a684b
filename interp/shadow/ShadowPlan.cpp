//===- ShadowPlan.cpp - slices over slots ---------------------------------------------------------------===//
#include "interp/shadow/ShadowPlan.h"
#include "core/support/Enums.h"
#include "core/support/OpFacts.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// The slot whose elements an access moves.
SlotId elementSlot(const Program &program, const Instr &i) {
  switch (i.opcode) {
  case Opcode::Load:
  case Opcode::BlockLoad:
  case Opcode::BlockGather:
  case Opcode::AtomicLoad:
    return program.result(i);
  case Opcode::BlockStore:
  case Opcode::BlockReduce:
  case Opcode::BlockScatter:
    return program.operand(i, i.numOperands - 1u);
  default:
    return program.operand(i, 1);
  }
}

bool comparesUnsigned(uint64_t predicate) {
  using enum attr::CmpI;
  auto test = static_cast<attr::CmpI>(predicate);
  return test == Ult || test == Ule || test == Ugt || test == Uge;
}

bool readsUnsigned(const Instr &i) {
  bool unsignedOrder = i.op == OpId::arith_cmpi && comparesUnsigned(i.attribute);
  return i.opcode == Opcode::Elementwise && (unsignedOrder || readsUnsigned(i.op));
}

bool isLogic(const Program &program, const Instr &i) {
  return (i.op == OpId::arith_andi || i.op == OpId::arith_ori || i.op == OpId::arith_xori) &&
         program.type(program.result(i)) == DType::I1;
}

bool makesFloats(const Program &program, const Instr &i) {
  if (!i.numResults || !isFloat(program.type(program.result(i))))
    return false;
  switch (i.opcode) {
  case Opcode::Elementwise:
    return i.op != OpId::arith_select && i.op != OpId::arith_bitcast && i.op != OpId::tt_bitcast;
  case Opcode::Dot:
  case Opcode::DotScaled:
  case Opcode::Reduce:
  case Opcode::Scan:
    return true;
  default:
    return false;
  }
}

} // namespace

ShadowPlan::ShadowPlan(const Program &program, const SanitizeOptions &options)
    : flags(program.code.size(), 0), written(program.parameters.size(), false) {
  for (size_t at = 0; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    if (i.opcode == Opcode::Elementwise && options.has(FaultKind::UndefinedValue) && makesUndefined(i.op))
      flags[at] |= ShadowUndefines;
    if (options.has(FaultKind::NanOrigin) && makesFloats(program, i))
      flags[at] |= ShadowFinite;
    if (i.numResults && program.type(program.result(i)) == DType::Ptr)
      flags[at] |=
          i.opcode == Opcode::Elementwise && i.op != OpId::tt_int_to_ptr ? ShadowPointer : ShadowFoundPointer;
  }
  if (options.has(FaultKind::BrokenHint))
    for (size_t at = 0; at < program.code.size(); ++at)
      if (program.code[at].numResults && program.hints.count(program.result(program.code[at])))
        flags[at] |= ShadowHinted;
  if (options.has(FaultKind::IntegerOverflow))
    findAddressSlice(program);
  findRoots(program);
  for (size_t at = 0; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    if (!hasRegion(i.opcode))
      continue;
    for (size_t inner = at + 1; inner < i.target; ++inner)
      if (flags[inner] & (ShadowWraps | ShadowUndefines | ShadowFinite))
        flags[at] |= ShadowBody;
  }
}

bool ShadowPlan::foldsSums(const Program &program, const Instr &i) {
  if (i.opcode != Opcode::Reduce && i.opcode != Opcode::Scan)
    return false;
  const RegionInfo &region = program.extra(i).region;
  return region.single && i.numOperands == 1 && region.op == OpId::arith_addi;
}

void ShadowPlan::findAddressSlice(const Program &program) {
  std::vector<bool> wanted(program.slots.size(), false), asUnsigned(program.slots.size(), false);
  auto want = [&](uint32_t use) {
    SlotId slot = use & ~lastUseBit;
    if (slot == noSlot || wanted[slot])
      return false;
    wanted[slot] = true;
    return true;
  };
  for (const Instr &i : program.code) {
    if (readsUnsigned(i))
      for (uint32_t use : program.operands(i))
        asUnsigned[use & ~lastUseBit] = true;
    if (i.opcode == Opcode::Gather)
      want(program.operands(i)[1]);
    if (!touchesMemory(i.opcode))
      continue;
    bool tile = touchesTile(i.opcode);
    SlotId element = elementSlot(program, i);
    for (unsigned n = 0; n < i.numOperands; ++n) {
      SlotId slot = program.operand(i, n);
      bool mask = slot != noSlot && program.type(slot) == DType::I1 && slot != element &&
                  i.opcode != Opcode::AtomicPoll;
      if (n == 0 || mask || (tile && slot != element))
        want(slot);
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t at = program.code.size(); at-- > 0;) {
      const Instr &i = program.code[at];
      if (i.opcode == Opcode::Move) {
        for (unsigned n = 0; n < i.numResults; ++n)
          if (wanted[program.result(i, n)])
            changed |= want(program.operand(i, n));
        continue;
      }
      if (hasRegion(i.opcode)) {
        const auto &inner = program.extra(i).region.results;
        for (unsigned n = 0; n < i.numResults; ++n)
          for (size_t r = n * inner.size() / i.numResults; r < (n + 1) * inner.size() / i.numResults; ++r)
            if (wanted[program.result(i, n)])
              changed |= want(inner[r]);
        continue;
      }
      bool through = movesElements(i.opcode) ||
                     (i.opcode == Opcode::Elementwise && (carriesWrap(i.op) || isLogic(program, i)));
      if (!through || std::none_of(program.results(i).begin(), program.results(i).end(),
                                   [&](uint32_t slot) { return wanted[slot]; }))
        continue;
      for (uint32_t use : program.operands(i))
        changed |= want(use);
    }
  }
  for (size_t at = 0; at < program.code.size(); ++at) {
    const Instr &i = program.code[at];
    bool arithmetic =
        i.opcode == Opcode::Elementwise && (i.op == OpId::arith_addi || i.op == OpId::arith_subi ||
                                            i.op == OpId::arith_muli || i.op == OpId::arith_shli);
    if (!arithmetic && !foldsSums(program, i))
      continue;
    SlotId slot = program.result(i);
    if (wanted[slot] && !asUnsigned[slot] && program.type(slot) != DType::I1)
      flags[at] |= ShadowWraps;
  }
}

void ShadowPlan::findRoots(const Program &program) {
  // One bit a parameter, the last for all others and for pointers of unknown origin.
  constexpr uint64_t other = uint64_t(1) << 63;
  std::vector<uint64_t> roots(program.slots.size(), 0);
  for (size_t n = 0; n < program.parameters.size(); ++n)
    roots[program.parameters[n].slot] = n < 63 ? uint64_t(1) << n : other;
  bool changed = true;
  while (changed) {
    changed = false;
    auto add = [&](SlotId slot, uint64_t more) {
      changed |= (roots[slot] | more) != roots[slot];
      roots[slot] |= more;
    };
    for (const Instr &i : program.code) {
      if (i.opcode == Opcode::Move) {
        for (unsigned n = 0; n < i.numResults; ++n)
          add(program.result(i, n), roots[program.operand(i, n)]);
        continue;
      }
      for (uint32_t slot : program.results(i)) {
        if (program.type(slot) != DType::Ptr)
          continue;
        bool follows =
            movesElements(i.opcode) || (i.opcode == Opcode::Elementwise && i.op != OpId::tt_int_to_ptr);
        uint64_t more = follows ? 0 : other;
        if (follows)
          for (uint32_t use : program.operands(i))
            if (program.type(use & ~lastUseBit) == DType::Ptr)
              more |= roots[use & ~lastUseBit];
        add(slot, more);
      }
    }
  }
  for (const Instr &i : program.code) {
    if (!touchesMemory(i.opcode))
      continue;
    narrowest = std::min(narrowest, byteSize(program.type(elementSlot(program, i))));
    if (!writesMemory(i.opcode))
      continue;
    uint64_t from = roots[program.operand(i, 0)];
    writesUnknown |= (from & other) || !from;
    for (size_t n = 0; n < std::min<size_t>(written.size(), 63); ++n)
      if (from >> n & 1)
        written[n] = true;
  }
}

} // namespace trisect::interp
