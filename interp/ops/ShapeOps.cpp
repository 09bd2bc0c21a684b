//===- ShapeOps.cpp - operations that rename indices ----------------------------------------------------===//
//
// What: splat, unsplat, expand_dims, broadcast, reshape, trans. All keep structure; on elements in memory
// they change strides, and copy only where strides cannot say it (a reshape of a view, ranks above the
// symbolic limit).
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// Elements of a View (up to the rank limit) as a fresh Dense value.
Value materialise(Instance &s, const Value &view, const Shape &shape, unsigned size) {
  Value out;
  out.setDense(s.pool.acquire(shape.elements * size));
  copyStrided(out.data, view.data, shape.dims.data(), view.stride, shape.rank(), size);
  return out;
}

/// Elements described by strides of any rank as a View or, above the limit, as a Dense copy.
void setStrided(Instance &s, const Instr &i, const Value &source, const char *data, const int64_t *strides) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  unsigned size = byteSize(s.type(slot));
  if (shape.rank() > maxSymbolicRank) {
    Value out;
    out.setDense(s.pool.acquire(shape.elements * size));
    copyStrided(out.data, data, shape.dims.data(), strides, shape.rank(), size);
    s.slot(slot) = std::move(out);
    return;
  }
  Value view = source;
  view.form = Form::View;
  view.data = const_cast<char *>(data);
  std::copy(strides, strides + shape.rank(), view.stride);
  s.slot(slot) = std::move(view);
}

/// Affine and Box of a rank above the limit have no form: as elements.
Value elements(Instance &s, const Value &value, DType type, const Shape &shape) {
  Value out;
  out.setDense(s.pool.acquire(shape.elements * byteSize(type)));
  copyOut(value, type, shape, 0, shape.elements, out.data);
  return out;
}

constexpr int anyRank = 32;

} // namespace

void splat(Instance &s, const Instr &i) {
  uint64_t bits = scalarBits(s, i, 0);
  s.result(i).setSplat(bits);
}

void unsplat(Instance &s, const Instr &i) {
  Value keep;
  const char *data = denseOperand(s, i, 0, keep);
  uint64_t bits = 0;
  std::memcpy(&bits, data, byteSize(s.type(s.resultSlot(i))));
  s.result(i).setSplat(bits);
}

void expandDims(Instance &s, const Instr &i) {
  int axis = static_cast<int>(i.attribute);
  int rank = s.shape(s.operandSlot(i, 0)).rank();
  Value value = s.take(i, 0);
  auto shift = [&](auto *array, auto fresh) {
    for (int d = rank; d > axis; --d)
      array[d] = array[d - 1];
    array[axis] = fresh;
  };
  if (rank + 1 > maxSymbolicRank && (value.form == Form::Affine || value.form == Form::Box))
    value = elements(s, value, s.type(s.operandSlot(i, 0)), s.shape(s.operandSlot(i, 0)));
  if (rank + 1 > maxSymbolicRank && value.form == Form::View)
    value = materialise(s, value, s.shape(s.operandSlot(i, 0)), byteSize(s.type(s.resultSlot(i))));
  switch (value.form) {
  case Form::Affine:
  case Form::View:
    shift(value.stride, int64_t(0));
    break;
  case Form::Box:
    shift(value.box.low, int32_t(0));
    shift(value.box.high, int32_t(1));
    break;
  default:
    break;
  }
  s.result(i) = std::move(value);
}

void broadcast(Instance &s, const Instr &i) {
  const Shape &from = s.shape(s.operandSlot(i, 0));
  const Shape &to = s.shape(s.resultSlot(i));
  Value value = s.take(i, 0);
  switch (value.form) {
  case Form::Affine:
    for (int d = 0; d < to.rank(); ++d)
      if (from.dims[d] == 1)
        value.stride[d] = 0;
    break;
  case Form::Box:
    for (int d = 0; d < to.rank(); ++d)
      if (from.dims[d] == 1) {
        value.box.low[d] = 0;
        value.box.high[d] = static_cast<int32_t>(to.dims[d]);
      }
    break;
  case Form::Dense:
  case Form::View: {
    int64_t strides[anyRank];
    const char *data;
    asView(value, from, byteSize(s.type(s.resultSlot(i))), data, strides);
    for (int d = 0; d < to.rank(); ++d)
      if (from.dims[d] == 1)
        strides[d] = 0;
    setStrided(s, i, value, data, strides);
    return;
  }
  default:
    break;
  }
  s.result(i) = std::move(value);
}

void reshape(Instance &s, const Instr &i) {
  SlotId source = s.operandSlot(i, 0);
  const Shape &from = s.shape(source);
  const Shape &to = s.shape(s.resultSlot(i));
  DType type = s.type(source);
  Value value = s.take(i, 0);
  switch (value.form) {
  case Form::View:
    value = materialise(s, value, from, byteSize(type));
    break;
  case Form::Affine: {
    // Structure survives if every result dimension lies within one source line.
    int64_t stride[maxSymbolicRank] = {};
    bool ok = to.rank() <= maxSymbolicRank;
    int d = from.rank() - 1;
    int64_t inside = 1; // elements of source dimension d that are already spoken for
    int64_t extent = d >= 0 ? from.dims[d] : 1, step = d >= 0 ? value.stride[d] : 0;
    for (int t = to.rank() - 1; t >= 0 && ok; --t) {
      int64_t want = to.dims[t];
      while (inside == extent && d > 0) {
        --d;
        extent = from.dims[d];
        step = value.stride[d];
        inside = 1;
      }
      stride[t] = step * inside;
      // A result dimension may swallow further source dimensions that continue the line.
      while (inside * want > extent && d > 0 && value.stride[d - 1] == step * extent) {
        extent *= from.dims[--d];
      }
      inside *= want;
      ok = inside <= extent && extent % inside == 0;
    }
    if (!ok) {
      value = elements(s, value, type, from);
      break;
    }
    std::copy(stride, stride + maxSymbolicRank, value.stride);
    break;
  }
  case Form::Box:
    value = elements(s, value, type, from);
    break;
  default:
    break;
  }
  s.result(i) = std::move(value);
}

void transpose(Instance &s, const Instr &i) {
  const auto &order = s.program.extra(i).ints;
  const Shape &from = s.shape(s.operandSlot(i, 0));
  int rank = from.rank();
  Value value = s.take(i, 0);
  if (value.form == Form::Affine) {
    int64_t stride[maxSymbolicRank];
    for (int d = 0; d < rank; ++d)
      stride[d] = value.stride[order[d]];
    std::copy(stride, stride + rank, value.stride);
  } else if (value.form == Form::Box) {
    auto box = value.box;
    for (int d = 0; d < rank; ++d) {
      value.box.low[d] = box.low[order[d]];
      value.box.high[d] = box.high[order[d]];
    }
  } else if (value.form == Form::Dense || value.form == Form::View) {
    int64_t strides[anyRank], turned[anyRank];
    const char *data;
    asView(value, from, byteSize(s.type(s.resultSlot(i))), data, strides);
    for (int d = 0; d < rank; ++d)
      turned[d] = strides[order[d]];
    setStrided(s, i, value, data, turned);
    return;
  }
  s.result(i) = std::move(value);
}

} // namespace trisect::interp
