//===- BlockOps.cpp - block pointers and tensor descriptors ---------------------------------------------===//
//
// What: a tile of a tensor given by base, shape, strides and offsets is one affine pattern cut by a box: the
// same machinery as for loads and stores of pointers.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Access.h"
#include "interp/exec/AtomicCell.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Handlers.h"
#include "interp/exec/Symbolic.h"
#include <algorithm>

namespace trisect::interp {

namespace {

struct Tile {
  Shape shape; ///< of the block, leading unit dimensions included
  Value pointer, mask;
  unsigned next; ///< the first operand after offsets
};

int64_t scalar(Instance &s, const Instr &i, unsigned n) {
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
    int64_t size = scalar(s, i, 1 + d), stride = scalar(s, i, 1 + rank + d);
    int64_t offset = scalar(s, i, 1 + 2 * rank + d);
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

/// A row of a descriptor by its number: where it starts, and which columns of the block lie inside.
struct RowReader {
  uint64_t base;
  int64_t rows, columns, rowStride, columnStride, first;

  RowReader(Instance &s, const Instr &i, unsigned columnOperand)
      : base(scalarBits(s, i, 0)), rows(scalar(s, i, 1)), columns(scalar(s, i, 2)),
        rowStride(scalar(s, i, 3)), columnStride(scalar(s, i, 4)), first(scalar(s, i, columnOperand)) {}
};

} // namespace

void blockLoad(Instance &s, const Instr &i) {
  SlotId result = s.resultSlot(i);
  DType type = s.type(result);
  unsigned size = byteSize(type);
  Tile tile = tileOf(s, i, type);
  int64_t padding = s.program.extra(i).more.back();
  if (padding < 0)
    padding = scalar(s, i, tile.next);
  Value other;
  other.setSplat(padding == 2 ? nanBits(type) : 0);
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
  RowReader from(s, i, 7);
  SlotId result = s.resultSlot(i);
  const Shape &shape = s.shape(result);
  DType type = s.type(result), rowType = s.type(s.operandSlot(i, 6));
  unsigned size = byteSize(type);
  int64_t rows = shape.dims[0], columns = shape.dims[1];
  Value keep, other, out;
  const char *numbers = denseOperand(s, i, 6, keep);
  other.setSplat(scalar(s, i, 5) == 2 ? nanBits(type) : 0);
  out.setDense(s.pool.acquire(shape.elements * size));
  Shape line{{columns}, columns};
  for (int64_t r = 0; r < rows; ++r) {
    uint64_t bits = 0;
    std::memcpy(&bits, numbers + r * byteSize(rowType), byteSize(rowType));
    int64_t row = signedBits(bits, rowType);
    Value pointer, mask;
    pointer.form = Form::Affine;
    pointer.base = from.base + uint64_t(row * from.rowStride + from.first * from.columnStride) * size;
    pointer.stride[0] = from.columnStride * size;
    int32_t low = static_cast<int32_t>(std::clamp<int64_t>(-from.first, 0, columns));
    int32_t high = static_cast<int32_t>(std::clamp<int64_t>(from.columns - from.first, 0, columns));
    if (row < 0 || row >= from.rows)
      high = low;
    setBox(mask, line, &low, &high);
    char *into = out.data + r * columns * size;
    const void *found = Access(pointer, &mask, line, type).load(s, i, &other, 0, columns, into);
    if (found != into)
      std::memcpy(into, found, columns * size);
  }
  s.slot(result) = std::move(out);
}

void blockScatter(Instance &s, const Instr &i) {
  // base, shape x2, strides x2, rows, column, value
  RowReader to(s, i, 6);
  SlotId value = s.operandSlot(i, 7);
  const Shape &shape = s.shape(value);
  DType type = s.type(value), rowType = s.type(s.operandSlot(i, 5));
  unsigned size = byteSize(type);
  int64_t rows = shape.dims[0], columns = shape.dims[1];
  Value keepRows, keepValue;
  const char *numbers = denseOperand(s, i, 5, keepRows), *values = denseOperand(s, i, 7, keepValue);
  Shape line{{columns}, columns};
  for (int64_t r = 0; r < rows; ++r) {
    uint64_t bits = 0;
    std::memcpy(&bits, numbers + r * byteSize(rowType), byteSize(rowType));
    int64_t row = signedBits(bits, rowType);
    if (row < 0 || row >= to.rows)
      continue;
    Value pointer, mask;
    pointer.form = Form::Affine;
    pointer.base = to.base + uint64_t(row * to.rowStride + to.first * to.columnStride) * size;
    pointer.stride[0] = to.columnStride * size;
    int32_t low = static_cast<int32_t>(std::clamp<int64_t>(-to.first, 0, columns));
    int32_t high = static_cast<int32_t>(std::clamp<int64_t>(to.columns - to.first, 0, columns));
    setBox(mask, line, &low, &high);
    Access(pointer, &mask, line, type).store(s, i, {values + r * columns * size, false}, 0, columns);
  }
}

} // namespace trisect::interp
