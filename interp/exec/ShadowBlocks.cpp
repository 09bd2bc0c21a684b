//===- ShadowBlocks.cpp - taints through reductions, scans, products and histograms ---------------------===//
//
// A reduction by one known operation depends on every element of its line, and so does one that picks a place
// by comparing its elements. Any other body of several operations may choose among them, and nobody knows
// which: its result counts as clean. An element of a product depends on a row and a column, except where the
// other factor is an integer zero.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Shadow.h"

namespace trisect::interp {

namespace {

/// Undefined values alone go on: a sum of wrapped numbers is nobody's address.
Taint undefinedOnly(Taint taint) { return mattersAsAddress(taint) ? 0 : taint; }

/// Only an integer zero decides a product: zero times an undefined float may be NaN.
bool isZero(const char *data, unsigned size, DType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, size);
  return bits == 0 && !isFloat(type);
}

/// Whether all numbers lie in [0, end), those that a mask leaves out apart.
template <typename T> bool allWithin(const char *data, const char *mask, int64_t count, int64_t end) {
  auto *numbers = reinterpret_cast<const T *>(data);
  bool within = true;
  if (!mask) {
    for (int64_t n = 0; n < count; ++n)
      within &= uint64_t(int64_t(numbers[n])) < uint64_t(end);
    return within;
  }
  for (int64_t n = 0; n < count; ++n)
    within &= !mask[n] || uint64_t(int64_t(numbers[n])) < uint64_t(end);
  return within;
}

} // namespace

bool Shadow::picksPlace(const Instr &i) const {
  const RegionInfo &region = s.program.extra(i).region;
  if (i.opcode != Opcode::Reduce || i.numOperands != 2 || region.args.size() != 4 || !region.lanewise)
    return false;
  DType place = s.type(region.args[1]);
  if (!isInteger(place) || place == DType::I1)
    return false;
  bool compares = false;
  for (const Instr *each = &i + 1; each != s.code + i.target; ++each) {
    if (each->opcode != Opcode::Elementwise)
      continue;
    bool values = false;
    switch (each->op) {
    case OpId::arith_cmpf:
    case OpId::arith_cmpi:
      for (unsigned n = 0; n < each->numOperands; ++n)
        values |= s.operandSlot(*each, n) == region.args[0] || s.operandSlot(*each, n) == region.args[2];
      compares |= values;
      break;
    case OpId::arith_select:
    case OpId::arith_andi:
    case OpId::arith_ori:
    case OpId::arith_xori:
      break;
    default:
      return false;
    }
  }
  return compares;
}

void Shadow::fold(const Instr &i) {
  const Extra &extra = s.program.extra(i);
  const Shade source = shadeOf(i, 0);
  bool picks = picksPlace(i);
  bool known = picks || (extra.region.single && i.numOperands == 1);
  cleanResults(i);
  if (!known || !source.tainted())
    return;
  foldLines(i, source);
  if (picks)
    shade(s.resultSlot(i, 1)) = Shade(shade(s.resultSlot(i)));
}

void Shadow::foldLines(const Instr &i, const Shade &source) {
  const Extra &extra = s.program.extra(i);
  Shade &result = shade(s.resultSlot(i));
  if (!source.lanes) {
    result.setAll(undefinedOnly(source.all));
    return;
  }
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  auto axis = static_cast<size_t>(i.attribute);
  int64_t length = shape.dims[axis], inner = 1;
  for (size_t d = axis + 1; d < shape.dims.size(); ++d)
    inner *= shape.dims[d];
  int64_t outer = shape.elements / length / inner;
  bool scans = i.opcode == Opcode::Scan, reversed = scans && extra.ints[0];
  TaintLanes lanes(static_cast<size_t>(scans ? shape.elements : outer * inner), 0);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t k = 0; k < inner; ++k) {
      Taint sum = 0;
      for (int64_t n = 0; n < length; ++n) {
        int64_t at = (o * length + (reversed ? length - 1 - n : n)) * inner + k;
        if (!sum)
          sum = undefinedOnly(source.at(at));
        if (scans)
          lanes[static_cast<size_t>(at)] = sum;
      }
      if (!scans)
        lanes[static_cast<size_t>(o * inner + k)] = sum;
    }
  result.setLanes(std::move(lanes));
}

void Shadow::product(const Instr &i) {
  const Shade a = shadeOf(i, 0), b = shadeOf(i, 1), c = shadeOf(i, 2);
  cleanResults(i);
  Shade &result = shade(s.resultSlot(i));
  if (!a.tainted() && !b.tainted()) {
    result.all = undefinedOnly(c.all);
    result.lanes = c.lanes;
    return;
  }
  const Shape &left = s.shape(s.operandSlot(i, 0)), &shape = s.shape(s.resultSlot(i));
  size_t rank = shape.dims.size();
  int64_t rows = shape.dims[rank - 2], columns = shape.dims[rank - 1], length = left.dims[rank - 1];
  int64_t batches = shape.elements / rows / columns;
  Value keepA, keepB;
  const char *dataA = denseOperand(s, i, 0, keepA), *dataB = denseOperand(s, i, 1, keepB);
  DType typeA = s.type(s.operandSlot(i, 0)), typeB = s.type(s.operandSlot(i, 1));
  unsigned sizeA = byteSize(typeA), sizeB = byteSize(typeB);
  TaintLanes lanes(static_cast<size_t>(shape.elements), 0);
  for (int64_t at = 0; at < shape.elements; ++at)
    lanes[static_cast<size_t>(at)] = undefinedOnly(c.at(at));
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t k = 0; k < length; ++k) {
        int64_t atA = (batch * rows + m) * length + k;
        Taint taintA = undefinedOnly(a.at(atA));
        bool zeroA = !taintA && isZero(dataA + atA * sizeA, sizeA, typeA);
        if (!taintA && (zeroA || !b.tainted()))
          continue;
        for (int64_t n = 0; n < columns; ++n) {
          int64_t atB = (batch * length + k) * columns + n;
          Taint taintB = undefinedOnly(b.at(atB));
          Taint &taint = lanes[static_cast<size_t>((batch * rows + m) * columns + n)];
          if (taint || (!taintA && !taintB))
            continue;
          if (taintA && !taintB && isZero(dataB + atB * sizeB, sizeB, typeB))
            continue;
          taint = taintA ? taintA : taintB;
        }
      }
  result.setLanes(std::move(lanes));
}

void Shadow::count(const Instr &i) {
  const Shade input = shadeOf(i, 0);
  cleanResults(i);
  Shade &result = shade(s.resultSlot(i));
  SlotId slot = s.operandSlot(i, 0);
  int64_t elements = s.program.elements(slot), bins = s.program.elements(s.resultSlot(i));
  DType type = s.type(slot);
  Value keep[2];
  const char *data = denseOperand(s, i, 0, keep[0]);
  const char *mask = s.has(i, 1) ? denseOperand(s, i, 1, keep[1]) : nullptr;
  if (!input.tainted() && type == DType::I32 && allWithin<int32_t>(data, mask, elements, bins))
    return;
  for (int64_t n = 0; n < elements; ++n) {
    if (mask && !mask[n])
      continue;
    uint64_t bits = 0;
    std::memcpy(&bits, data + n * byteSize(type), byteSize(type));
    int64_t bin = signedBits(bits, type);
    if (Taint taint = undefinedOnly(input.at(n))) {
      result.setAll(taint);
      return;
    }
    if ((bin < 0 || bin >= bins) && has(FaultKind::UndefinedValue)) {
      births[indexOf(i)] = {"the value " + std::to_string(bin) + " lies outside " + std::to_string(bins) +
                                " bins",
                            Views::none, 0};
      result.setAll(makeTaint(TaintKind::Undefined, indexOf(i)));
      return;
    }
  }
}

} // namespace trisect::interp
