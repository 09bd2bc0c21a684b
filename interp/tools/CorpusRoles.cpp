//===- CorpusRoles.cpp - what integer parameters mean to a kernel ---------------------------------------===//
#include "interp/tools/CorpusRoles.h"
#include <algorithm>
#include <bit>

namespace trisect::tools {

using interp::Instr;
using interp::Opcode;
using interp::Program;
using interp::SlotId;

namespace {
/// Parameters after this many are not followed.
constexpr size_t mostParameters = 64;

uint64_t bitOf(size_t parameter) { return uint64_t(1) << parameter; }
} // namespace

CorpusRoles::CorpusRoles(const Program &program)
    : slots(program.slots.size()), strides(std::min(mostParameters, program.parameters.size()), 0),
      blocks(strides.size(), nullptr) {
  for (size_t n = 0; n < strides.size(); ++n) {
    const interp::Parameter &parameter = program.parameters[n];
    bool pointer = parameter.descriptor || parameter.type == DType::Ptr;
    if (pointer)
      slots[parameter.slot].base = bitOf(n);
    else if (!isFloat(parameter.type))
      slots[parameter.slot].same = slots[parameter.slot].sum = bitOf(n);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Instr &i : program.code)
      changed |= visit(program, i);
  }
  for (const Instr &i : program.code)
    if (i.opcode == Opcode::Load || i.opcode == Opcode::Store)
      moves(program, i);
}

void CorpusRoles::moves(const Program &program, const Instr &i) {
  SlotId pointer = program.operand(i, 0);
  const interp::Shape &block = program.shape(pointer);
  for (size_t n = 0; n < blocks.size(); ++n)
    if (slots[pointer].base >> n & 1 && (!blocks[n] || blocks[n]->elements < block.elements))
      blocks[n] = &block;
}

int64_t CorpusRoles::blockExtent(size_t parameter, int dimensions) const {
  int64_t extent = 1;
  for (size_t n = 0; n < blocks.size(); ++n) {
    if (!blocks[n] || !(strides[n] >> parameter & 1))
      continue;
    int64_t mine = 1;
    for (int d = 0; d < std::min(dimensions, blocks[n]->rank()); ++d)
      mine *= blocks[n]->dims[blocks[n]->dims.size() - 1 - static_cast<size_t>(d)];
    extent = std::max(extent, mine);
  }
  return extent;
}

int CorpusRoles::strideRank(size_t parameter) const {
  if (parameter >= strides.size() || isSize(parameter))
    return -1;
  int rank = -1;
  for (uint64_t of : strides)
    if (of >> parameter & 1)
      rank = std::max(rank, std::popcount((of & ~sizes) >> parameter) - 1);
  return rank;
}

bool CorpusRoles::into(SlotId slot, const Slot &more) {
  Slot &mine = slots[slot];
  Slot joined{mine.same | more.same, mine.sum | more.sum, mine.factor | more.factor, mine.base | more.base,
              mine.entry | more.entry};
  bool changed = joined != mine;
  mine = joined;
  return changed;
}

bool CorpusRoles::size(SlotId slot) {
  uint64_t more = sizes | slots[slot].sum;
  bool changed = more != sizes;
  sizes = more;
  return changed;
}

bool CorpusRoles::stride(uint64_t base, uint64_t which) {
  bool changed = false;
  for (size_t n = 0; n < strides.size(); ++n)
    if (base >> n & 1) {
      changed |= (strides[n] | which) != strides[n];
      strides[n] |= which;
    }
  return changed;
}

bool CorpusRoles::tile(const Program &program, const Instr &i) {
  bool rows = i.opcode == Opcode::BlockGather || i.opcode == Opcode::BlockScatter;
  auto rank = static_cast<unsigned>(rows ? 2 : program.extra(i).ints.size());
  bool changed = false;
  for (unsigned d = 1; d <= rank; ++d) {
    changed |= size(program.operand(i, d));
    changed |= stride(slots[program.operand(i, 0)].base, slots[program.operand(i, rank + d)].same);
  }
  return changed;
}

bool CorpusRoles::elementwise(const Program &program, const Instr &i) {
  Slot made;
  bool changed = false;
  auto operand = [&](unsigned n) -> const Slot & { return slots[program.operand(i, n)]; };
  switch (i.op) {
  case OpId::arith_muli:
    for (unsigned n : {0u, 1u})
      made.factor |= operand(n).factor | operand(n).same;
    break;
  case OpId::tt_addptr:
    made = operand(0);
    changed = stride(operand(0).base, operand(1).factor | operand(1).same);
    break;
  case OpId::tt_int_to_ptr:
    changed = (tables | operand(0).entry) != tables;
    tables |= operand(0).entry;
    break;
  case OpId::arith_cmpi:
  case OpId::arith_minsi:
  case OpId::arith_minui:
  case OpId::arith_maxsi:
  case OpId::arith_maxui:
  case OpId::arith_divsi:
  case OpId::arith_divui:
  case OpId::arith_remsi:
  case OpId::arith_remui:
    for (unsigned n : {0u, 1u}) {
      changed |= size(program.operand(i, n));
      made.factor |= operand(n).factor;
    }
    break;
  default: {
    bool casts = i.numOperands == 1;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      Slot part = operand(n);
      if (!casts)
        part.same = 0;
      made = {made.same | part.same, made.sum | part.sum, made.factor | part.factor, made.base | part.base,
              made.entry | part.entry};
    }
  }
  }
  return into(program.result(i), made) || changed;
}

bool CorpusRoles::visit(const Program &program, const Instr &i) {
  bool changed = false;
  switch (i.opcode) {
  case Opcode::ForTest:
    return size(program.operand(i, 1));
  case Opcode::Move:
    for (unsigned n = 0; n < i.numResults; ++n)
      changed |= into(program.result(i, n), slots[program.operand(i, n)]);
    return changed;
  case Opcode::Load: {
    Slot loaded;
    loaded.entry = slots[program.operand(i, 0)].base;
    return into(program.result(i), loaded);
  }
  case Opcode::Elementwise:
    return elementwise(program, i);
  case Opcode::BlockLoad:
  case Opcode::BlockStore:
  case Opcode::BlockReduce:
  case Opcode::BlockGather:
  case Opcode::BlockScatter:
    return tile(program, i);
  case Opcode::Splat:
  case Opcode::Unsplat:
  case Opcode::ExpandDims:
  case Opcode::Broadcast:
  case Opcode::Reshape:
  case Opcode::Transpose:
    return into(program.result(i), slots[program.operand(i, 0)]);
  default:
    return false;
  }
}

} // namespace trisect::tools
