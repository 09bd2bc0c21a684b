//===- Linear.cpp - extremes of sums of stride times index ----------------------------------------------===//
#include "interp/exec/Linear.h"

namespace trisect::interp {

int Linear::onlyDimension() const {
  int found = -1;
  for (int d = 0; d < rank; ++d)
    if (stride[d]) {
      if (found >= 0)
        return -1;
      found = d;
    }
  return found;
}

bool toLinear(const Value &value, DType type, const Shape &shape, Linear &linear) {
  if (value.form == Form::Splat) {
    linear.rank = shape.rank() <= maxSymbolicRank ? shape.rank() : 0;
    linear.base = signedBits(value.base, type);
    for (int d = 0; d < linear.rank; ++d)
      linear.stride[d] = 0;
    return true;
  }
  if (value.form != Form::Affine)
    return false;
  linear.rank = shape.rank();
  linear.base = static_cast<int64_t>(value.base);
  for (int d = 0; d < linear.rank; ++d)
    linear.stride[d] = value.stride[d];
  return true;
}

void fromLinear(const Linear &linear, DType type, Value &value) {
  value.drop();
  value.base = static_cast<uint64_t>(linear.base);
  if (linear.uniform()) {
    value.form = Form::Splat;
    value.base = type == DType::I4 ? value.base : unsignedBits(value.base, type);
    return;
  }
  value.form = Form::Affine;
  for (int d = 0; d < linear.rank; ++d)
    value.stride[d] = linear.stride[d];
}

bool extremes(const Linear &linear, const Shape &shape, int64_t &low, int64_t &high) {
  low = high = linear.base;
  for (int d = 0; d < linear.rank; ++d) {
    int64_t span;
    if (__builtin_mul_overflow(linear.stride[d], shape.dims[d] - 1, &span))
      return false;
    if (__builtin_add_overflow(span < 0 ? low : high, span, span < 0 ? &low : &high))
      return false;
  }
  return true;
}

bool fits(const Linear &linear, const Shape &shape, DType type) {
  int64_t low, high;
  if (!extremes(linear, shape, low, high))
    return false;
  unsigned bits = bitWidth(type);
  if (bits >= 64)
    return true;
  int64_t limit = int64_t(1) << (bits - 1);
  return low >= -limit && high < limit;
}

} // namespace trisect::interp
