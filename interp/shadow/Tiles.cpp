//===- Tiles.cpp - taints through blocks of tensors -----------------------------------------------------===//
//
// What decides where a block lies is no lane of it: every operand counts.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/ops/Tile.h"
#include "interp/shadow/Accesses.h"
#include "interp/shadow/Decide.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

void travelTile(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  bool loads = i.opcode == Opcode::BlockLoad;
  unsigned valueAt = i.numOperands - 1u;
  SlotId slot = loads ? s.resultSlot(i) : s.operandSlot(i, valueAt);
  auto rank = static_cast<unsigned>(s.program.extra(i).ints.size());
  for (unsigned n = 0; n < 1 + 3 * rank; ++n) {
    decides(travel, i, n, "where a block lies");
    decides(travel, i, n, "where a block lies", true);
  }
  Tile block = tileOf(s, i, s.type(slot));
  Access access(block.pointer, &block.mask, block.shape, s.type(slot));
  const Taints *broken = nullptr; // an operand that depends on a broken hint
  for (unsigned n = 0; n < 1 + 3 * rank; ++n)
    if (kindOf(travel.operand(i, n).all) == TaintKind::Promised)
      broken = &travel.operand(i, n);
  if (broken && !loads && !access.none())
    reportTaint(travel, i, broken->all, s.operandSlot(i, 0), block.shape, {}, addressTaken);
  Touch t{i, access, block.shape, slot, travel.operand(i, 0).tensor, i.opcode != Opcode::BlockStore, !loads};
  t.atomic = i.opcode == Opcode::BlockReduce;
  if (i.opcode == Opcode::BlockStore)
    t.value = &s.slot(slot);
  t.through = broken;
  touch(travel, t);
  if (!loads) {
    decidesLanes(travel, i, valueAt, access, storedByte, false);
    return;
  }
  travel.clean(i);
  TaintLanes lanes;
  read(travel, t, lanes);
  if (!lanes.empty())
    travel.of(slot).setLanes(std::move(lanes));
}

void travelRows(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  bool loads = i.opcode == Opcode::BlockGather;
  SlotId slot = loads ? s.resultSlot(i) : s.operandSlot(i, 7);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  for (unsigned n = 0; n < i.numOperands - (loads ? 0u : 1u); ++n) {
    decides(travel, i, n, "which rows are touched");
    decides(travel, i, n, "which rows are touched", true);
  }
  if (!loads)
    decides(travel, i, 7, storedByte);
  int64_t columns = shape.dims[1];
  TileRows rows(s, i, type, columns);
  Value keep, part;
  if (!loads) {
    part.form = Form::Dense;
    part.data = const_cast<char *>(denseOperand(s, i, 7, keep));
  }
  int32_t tensor = travel.operand(i, 0).tensor;
  TaintLanes lanes;
  for (int64_t r = 0; r < shape.dims[0]; ++r) {
    Value pointer, mask;
    rows.row(r, pointer, mask);
    Access access(pointer, &mask, rows.line, type);
    Touch t{i, access, rows.line, slot, tensor, loads, !loads};
    if (!loads)
      t.value = &part;
    touch(travel, t);
    if (loads) {
      TaintLanes line;
      read(travel, t, line);
      if (!line.empty()) {
        lanes.resize(static_cast<size_t>(shape.elements), 0);
        std::copy(line.begin(), line.end(), lanes.begin() + r * columns);
      }
    }
    if (!loads)
      part.data += columns * byteSize(type);
  }
  travel.clean(i);
  if (!lanes.empty())
    travel.of(slot).setLanes(std::move(lanes));
}

} // namespace trisect::interp
