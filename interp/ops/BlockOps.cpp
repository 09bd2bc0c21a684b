//===- BlockOps.cpp - block pointers and tensor descriptors ---------------------------------------------===//
//
// What: a tile of a tensor given by base, shape, strides and offsets is one affine pattern cut by a box: the
// same machinery as for loads and stores of pointers.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Enums.h"
#include "interp/exec/Fault.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/Access.h"
#include "interp/ops/AtomicCell.h"
#include "interp/ops/Handlers.h"
#include "interp/ops/Symbolic.h"
#include "interp/ops/Tile.h"
#include <algorithm>

namespace trisect::interp {

int64_t tileScalar(Instance &s, const Instr &i, unsigned n) {
  return signedBits(scalarBits(s, i, n), s.type(s.operandSlot(i, n)));
}

Tile tileOf(Instance &s, const Instr &i, DType type) {
  const Extra &extra = s.program.extra(i);
  int rank = static_cast<int>(extra.ints.size());
  Tile tile;
  tile.shape.dims = extra.ints;
  for (int64_t extent : extra.ints)
    tile.shape.elements *= extent;
  uint64_t base = scalarBits(s, i, 0);
  int32_t low[maxSymbolicRank], high[maxSymbolicRank];
  tile.pointer.form = Form::Affine;
  for (int d = 0; d < rank; ++d) {
    int64_t size = tileScalar(s, i, 1 + d), stride = tileScalar(s, i, 1 + rank + d);
    int64_t offset = tileScalar(s, i, 1 + 2 * rank + d);
    int64_t step = stride * byteSize(type);
    base += uint64_t(offset) * uint64_t(step);
    tile.pointer.stride[d] = step;
    low[d] = 0;
    high[d] = static_cast<int32_t>(extra.ints[d]);
    if (extra.more[d]) {
      low[d] = static_cast<int32_t>(std::clamp<int64_t>(-offset, 0, extra.ints[d]));
      high[d] = static_cast<int32_t>(std::clamp<int64_t>(size - offset, 0, extra.ints[d]));
    }
  }
  tile.pointer.base = base;
  setBox(tile.mask, tile.shape, low, high);
  tile.next = static_cast<unsigned>(1 + 3 * rank);
  return tile;
}

TileRows::TileRows(Instance &s, const Instr &i, DType type, int64_t columns)
    : line{{columns}, columns}, size(byteSize(type)) {
  bool gathers = i.opcode == Opcode::BlockGather;
  base = scalarBits(s, i, 0);
  rows = tileScalar(s, i, 1);
  this->columns = tileScalar(s, i, 2);
  rowStride = tileScalar(s, i, 3);
  columnStride = tileScalar(s, i, 4);
  numbersAt = gathers ? 6 : 5;
  first = tileScalar(s, i, numbersAt + 1);
  numbers = denseOperand(s, i, numbersAt, keep);
  numberType = s.type(s.operandSlot(i, numbersAt));
}

void TileRows::row(int64_t r, Value &pointer, Value &mask) const {
  uint64_t bits = 0;
  std::memcpy(&bits, numbers + r * byteSize(numberType), byteSize(numberType));
  int64_t row = signedBits(bits, numberType);
  pointer.form = Form::Affine;
  pointer.base = base + uint64_t(row * rowStride + first * columnStride) * size;
  pointer.stride[0] = columnStride * size;
  auto low = static_cast<int32_t>(std::clamp<int64_t>(-first, 0, line.elements));
  auto high = static_cast<int32_t>(std::clamp<int64_t>(columns - first, 0, line.elements));
  if (row < 0 || row >= rows)
    high = low;
  setBox(mask, line, &low, &high);
}

namespace {

uint64_t nanBits(DType type) {
  switch (type) {
  case DType::F16:
    return 0x7e00;
  case DType::BF16:
    return 0x7fc0;
  case DType::F32:
    return 0x7fc00000;
  case DType::F64:
    return 0x7ff8000000000000;
  case DType::F8E5M2:
    return 0x7e;
  case DType::F8E4M3FN:
    return 0x7f;
  case DType::F8E5M2FNUZ:
  case DType::F8E4M3FNUZ:
    return 0x80;
  default:
    return 0;
  }
}

} // namespace

void blockLoad(Instance &s, const Instr &i) {
  SlotId result = s.resultSlot(i);
  DType type = s.type(result);
  unsigned size = byteSize(type);
  Tile tile = tileOf(s, i, type);
  int64_t padding = s.program.extra(i).more.back();
  if (padding < 0)
    padding = tileScalar(s, i, tile.next);
  Value other;
  other.setSplat(attr::PaddingOption(padding) == attr::PaddingOption::Nan ? nanBits(type) : 0);
  Access access(tile.pointer, &tile.mask, tile.shape, type);
  if (access.none()) {
    s.slot(result) = std::move(other);
    return;
  }
  access.fetchAhead(s, i);
  Value out;
  int64_t strides[maxSymbolicRank];
  if ((i.flags & FlagInPlace) && !s.policy && access.isView(strides) && access.address() % size == 0 &&
      s.shape(result).rank() == tile.shape.rank()) {
    out.form = Form::View;
    out.data = reinterpret_cast<char *>(access.address());
    std::copy(strides, strides + tile.shape.rank(), out.stride);
  } else {
    out.setDense(s.pool.acquire(tile.shape.elements * size));
    const void *found = access.load(s, i, &other, 0, tile.shape.elements, out.data);
    if (found != out.data)
      std::memcpy(out.data, found, tile.shape.elements * size);
  }
  s.slot(result) = std::move(out);
}

void blockStore(Instance &s, const Instr &i) {
  unsigned valueAt = i.numOperands - 1u;
  SlotId value = s.operandSlot(i, valueAt);
  Tile tile = tileOf(s, i, s.type(value));
  Access access(tile.pointer, &tile.mask, tile.shape, s.type(value));
  const Value &held = s.slot(value);
  if (held.isSplat()) {
    access.store(s, i, {&held.base, true}, 0, tile.shape.elements);
    return;
  }
  Value keep;
  access.store(s, i, {denseOperand(s, i, valueAt, keep), false}, 0, tile.shape.elements);
}

void blockReduce(Instance &s, const Instr &i) {
  unsigned valueAt = i.numOperands - 1u;
  DType type = s.type(s.operandSlot(i, valueAt));
  unsigned size = byteSize(type);
  Tile tile = tileOf(s, i, type);
  if (tile.mask.isFalse())
    return;
  Value keep;
  const char *values = denseOperand(s, i, valueAt, keep);
  int64_t count = tile.shape.elements;
  std::vector<uint64_t> addresses(count);
  std::vector<uint8_t> active(count);
  copyOut(tile.pointer, DType::Ptr, tile.shape, 0, count, addresses.data());
  copyOut(tile.mask, DType::I1, tile.shape, 0, count, active.data());
  AtomicCell cell(s, i, type);
  for (int64_t n = 0; n < count; ++n)
    if (active[n]) {
      uint64_t bits = 0;
      std::memcpy(&bits, values + n * size, size);
      cell.update(addresses[n], static_cast<AtomicKind>(i.attribute), bits);
    }
}

void blockGather(Instance &s, const Instr &i) {
  // base, shape x2, strides x2, padding, rows, column
  SlotId result = s.resultSlot(i);
  const Shape &shape = s.shape(result);
  DType type = s.type(result);
  unsigned size = byteSize(type);
  int64_t columns = shape.dims[1];
  TileRows from(s, i, type, columns);
  Value other, out;
  other.setSplat(tileScalar(s, i, 5) == 2 ? nanBits(type) : 0);
  out.setDense(s.pool.acquire(shape.elements * size));
  for (int64_t r = 0; r < shape.dims[0]; ++r) {
    Value pointer, mask;
    from.row(r, pointer, mask);
    char *into = out.data + r * columns * size;
    const void *found = Access(pointer, &mask, from.line, type).load(s, i, &other, 0, columns, into);
    if (found != into)
      std::memcpy(into, found, columns * size);
  }
  s.slot(result) = std::move(out);
}

void blockScatter(Instance &s, const Instr &i) {
  // base, shape x2, strides x2, rows, column, value
  SlotId value = s.operandSlot(i, 7);
  const Shape &shape = s.shape(value);
  DType type = s.type(value);
  unsigned size = byteSize(type);
  int64_t columns = shape.dims[1];
  TileRows to(s, i, type, columns);
  Value keep;
  const char *values = denseOperand(s, i, 7, keep);
  for (int64_t r = 0; r < shape.dims[0]; ++r) {
    Value pointer, mask;
    to.row(r, pointer, mask);
    Access(pointer, &mask, to.line, type).store(s, i, {values + r * columns * size, false}, 0, columns);
  }
}

} // namespace trisect::interp
