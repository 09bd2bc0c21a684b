//===- Index.cpp - positions taken apart and put together -----------------------------------------------===//
#include "backends/cpu/emit/Index.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace trisect::cpu {

Index zeroIndex(Code &code, ArrayRef<int64_t> shape) {
  return Index(shape.size(), LaneValue::uniform(code.i64(0)));
}

Index lastIndex(Code &code, ArrayRef<int64_t> shape) {
  Index index;
  for (int64_t extent : shape)
    index.push_back(LaneValue::uniform(code.i64(extent - 1)));
  return index;
}

LaneValue linear(Code &code, const Index &index, ArrayRef<int64_t> shape, unsigned lanes) {
  LaneValue position = LaneValue::uniform(code.i64(0));
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    position = addLanes(code, position, mulLanes(code, index[d], LaneValue::uniform(code.i64(stride)), lanes),
                        lanes);
    stride *= shape[d];
  }
  return position;
}

std::pair<LaneValue, LaneValue> split(Code &code, const LaneValue &v, int64_t divisor, unsigned lanes) {
  if (divisor == 1)
    return {v, LaneValue::uniform(code.i64(0))};
  int64_t shift = llvm::Log2_64(divisor);
  auto parts = [&](Value x) {
    Type type = x.getType();
    return std::pair(code.shr(x, shift), code.both(x, code.integer(type, divisor - 1)));
  };
  if (v.isUniform()) {
    auto [high, low] = parts(v.value);
    return {LaneValue::uniform(high), LaneValue::uniform(low)};
  }
  std::optional<int64_t> step = v.isStrided() ? constantOf(v.stride) : std::nullopt;
  // Chunks begin at multiples of their width, so that a period of at least that width is never crossed.
  if (step && *step > 0 && llvm::isPowerOf2_64(*step) && *step * lanes <= divisor) {
    auto [high, low] = parts(v.value);
    return {LaneValue::uniform(high), LaneValue::strided(low, v.stride)};
  }
  if (step && *step % divisor == 0) {
    auto [high, low] = parts(v.value);
    return {LaneValue::strided(high, code.i64(*step / divisor)), LaneValue::uniform(low)};
  }
  // Several whole periods in a chunk: what lies in them is the same for each chunk.
  if (step == 1) {
    auto [high, low] = parts(code.iota(v.element(), lanes));
    Value first = code.splat(code.shr(v.value, shift), lanes);
    return {LaneValue::lanes(code.add(first, high)), LaneValue::lanes(low)};
  }
  auto [high, low] = parts(toVector(code, v, lanes));
  return {LaneValue::lanes(high), LaneValue::lanes(low)};
}

Index indexAt(Code &code, LaneValue position, ArrayRef<int64_t> shape, unsigned lanes) {
  return separateAll(code, spanningIndex(code, position, shape), shape, lanes);
}

Index spanningIndex(Code &code, LaneValue position, ArrayRef<int64_t> shape) {
  LaneValue zero = LaneValue::uniform(code.i64(0));
  zero.level = position.level;
  Index index(shape.size(), zero);
  int64_t span = 1, longer = -1, several = 0;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1)
      continue;
    longer = longer < 0 ? static_cast<int64_t>(d) : longer;
    span *= shape[d];
    ++several;
  }
  if (longer >= 0) {
    index[longer] = position;
    index[longer].span = several > 1 ? span : 0;
  }
  return index;
}

namespace {
unsigned innermost(const Index &index) {
  unsigned level = 0;
  for (const LaneValue &position : index)
    level = std::max(level, position.level);
  return level;
}
} // namespace

// The parts are made where the whole index is used, whatever loop it depends on.
Index separate(Code &code, Index index, ArrayRef<int64_t> shape, const Cuts &cuts, unsigned lanes) {
  unsigned level = innermost(index);
  for (size_t d = shape.size(); d-- > 0;) {
    int64_t span = index[d].span, inner = 1;
    for (size_t e = d + 1; e > 0;) {
      inner *= shape[--e];
      if (inner >= span)
        break;
      if (inner == 1 || !cuts.test(e))
        continue;
      auto [high, low] = split(code, index[d], inner, lanes);
      high.level = low.level = level;
      size_t next = e - 1;
      while (shape[next] == 1)
        --next;
      low.span = inner > shape[d] ? inner : 0;
      high.span = span / inner > shape[next] ? span / inner : 0;
      index[d] = low;
      index[next] = high;
      break;
    }
  }
  return index;
}

Index separateAll(Code &code, const Index &index, ArrayRef<int64_t> shape, unsigned lanes) {
  Cuts all(shape.size() + 1);
  return separate(code, index, shape, all.set(), lanes);
}

namespace {
/// The dimension that holds the position of `axis`.
size_t holderOf(const Index &index, ArrayRef<int64_t> shape, size_t axis) {
  for (size_t d = axis + 1; d < shape.size(); ++d) {
    int64_t inner = 1;
    for (size_t e = d + 1; e-- > axis;)
      inner *= shape[e];
    if (index[d].span >= inner)
      return d;
  }
  return axis;
}
} // namespace

Partner partnerAt(Code &code, const Index &index, ArrayRef<int64_t> shape, int64_t axis, unsigned lanes) {
  size_t holder = holderOf(index, shape, axis);
  int64_t distance = 1;
  for (size_t d = axis + 1; d <= holder; ++d)
    distance *= shape[d];
  const LaneValue &along = index[holder];
  if (along.isStrided() && constantOf(along.stride) == 1 && 2 * distance <= lanes)
    return {index, distance};
  Cuts cuts(shape.size() + 1);
  cuts.set(axis);
  cuts.set(axis + 1);
  Partner partner{separate(code, index, shape, cuts, lanes)};
  LaneValue &here = partner.index[axis];
  Value place = here.isStrided() ? toVector(code, here, lanes) : here.value;
  here = LaneValue::lanes(code.exclusive(place, code.integer(place.getType(), 1)));
  here.level = innermost(index);
  return partner;
}

} // namespace trisect::cpu
