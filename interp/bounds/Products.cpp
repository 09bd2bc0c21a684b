//===- Products.cpp - ends through matrix products ------------------------------------------------------===//
//
// Centre and radius in f64: |a|·rb + ra·|b| + ra·rb for each term of open operands, and one rounding of the
// accumulator a term. Exact operands in tier 0's own order leave nothing open, unless an instruction that
// takes subnormals for zero may meet one.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/bounds/Bounds.h"
#include "interp/bounds/Elements.h"
#include "interp/bounds/Rounding.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <climits>
#include <cmath>

namespace trisect::interp {

namespace {

/// Open elements as centres and radii.
struct Discs {
  std::vector<double> centre, radius;

  /// What is larger than `most` may be infinite.
  Discs(const Ends &list, DType type, size_t count, double most = HUGE_VAL) : centre(count), radius(count) {
    for (size_t n = 0; n < count; ++n) {
      const Span &span = list[list.size() == 1 ? 0 : n];
      double low = toDouble(span.low, type), high = toDouble(span.high, type);
      centre[n] = span.exact() ? low : low / 2 + high / 2;
      radius[n] = span.exact() ? 0 : (high / 2 - low / 2) * (1 + 0x1p-40);
      if (span.inDoubt(type) || std::fabs(low) > most || std::fabs(high) > most)
        centre[n] = radius[n] = std::nan("");
    }
  }
};

/// What rounding of the operands to a shorter format may change, relative to a product.
double operandRounding(DType type, const BoundProfile &profile) {
  return profile.gpu && type == DType::F32 ? 0x1p-9 : 0; // tf32, rounded or cut off, in both
}

/// Larger operands may become infinite by that.
double mostOperand(DType type, const BoundProfile &profile) {
  return operandRounding(type, profile) != 0 ? 0x1.fep127 : HUGE_VAL; // the largest of bf16
}

/// The least number of f32 that is not subnormal; factors of bf16 have the same.
constexpr int leastNormalExponent = -126;
constexpr double leastNormal = 0x1p-126;

/// The least exponent of a number that is not zero.
int leastExponent(const Discs &numbers) {
  int least = INT_MAX;
  for (double x : numbers.centre)
    if (x != 0 && std::isfinite(x))
      least = std::min(least, std::ilogb(x));
  return least;
}

/// How far zeros in place of subnormal sums may carry a sum of `terms` products of bf16; subnormal factors
/// reach down to zero afterwards. All sums are multiples of the last place of the least product and start
/// value: where those are not subnormal no sum is, and nothing is lost. Sums in blocks have more additions,
/// but lose no more: one that loses needs a chain whose last step, or both whose last steps, lost nothing.
double loseSubnormals(Discs &a, Discs &b, const Discs &c, size_t terms) {
  int left = leastExponent(a), right = leastExponent(b), start = leastExponent(c);
  auto lastPlace = [](int exponent, int digits) { return exponent == INT_MAX ? 0 : exponent - digits; };
  int sums = std::min(lastPlace(left, 7) + lastPlace(right, 7), lastPlace(start, 23));
  if (std::min({left, right, sums}) >= leastNormalExponent)
    return 0;
  for (Discs *factors : {&a, &b})
    for (size_t n = 0; n < factors->centre.size(); ++n)
      if (double &x = factors->centre[n]; std::fabs(x) < leastNormal) {
        factors->radius[n] += std::fabs(x) / 2;
        x /= 2;
      }
  return static_cast<double>(terms + 1) * leastNormal;
}

} // namespace

void Bounds::product(Instance &s, const Instr &i) {
  SlotId slot = s.resultSlot(i);
  DType type = s.type(slot), left = s.type(s.operandSlot(i, 0)), right = s.type(s.operandSlot(i, 1));
  bool halves = profile.flushesHalves && left == DType::BF16 && right == DType::BF16 && type == DType::F32;
  bool open = anyOpen(s, i) || profile.freeOrder;
  if (!open && !halves)
    return;
  if (!isFloat(type))
    return anyOpen(s, i) ? setDoubt(s, i, "a product of open integers") : void();
  const Shape &shape = s.shape(slot);
  auto rank = shape.dims.size();
  auto rows = static_cast<size_t>(shape.dims[rank - 2]), columns = static_cast<size_t>(shape.dims[rank - 1]);
  auto terms = static_cast<size_t>(s.shape(s.operandSlot(i, 0)).dims.back());
  auto batches = static_cast<size_t>(shape.elements) / (rows * columns);
  Discs a(operandEnds(s, i, 0, endsOf(s, i, 0)), left, batches * rows * terms, mostOperand(left, profile));
  Discs b(operandEnds(s, i, 1, endsOf(s, i, 1)), right, batches * terms * columns,
          mostOperand(right, profile));
  Discs c(operandEnds(s, i, 2, endsOf(s, i, 2)), type, static_cast<size_t>(shape.elements));
  double lost = halves ? loseSubnormals(a, b, c, terms) : 0;
  if (!open && lost == 0)
    return;
  // An accumulator of 16 bits is kept in f32.
  double unit = type == DType::F64 ? 0x1p-53 : 0x1p-24;
  double most = largestFinite(type == DType::F64 ? DType::F64 : DType::F32);
  double slack = static_cast<double>(terms + 1) * unit * (1 + 0x1p-10) + operandRounding(left, profile);
  Ends out(static_cast<size_t>(shape.elements));
  std::vector<double> centre(columns), radius(columns), total(columns);
  for (size_t batch = 0; batch < batches; ++batch)
    for (size_t m = 0; m < rows; ++m) {
      size_t row = (batch * rows + m) * columns;
      for (size_t n = 0; n < columns; ++n) {
        centre[n] = c.centre[row + n];
        radius[n] = c.radius[row + n];
        total[n] = std::fabs(centre[n]) + radius[n];
      }
      for (size_t k = 0; k < terms; ++k) {
        double x = a.centre[(batch * rows + m) * terms + k], rx = a.radius[(batch * rows + m) * terms + k];
        const double *y = b.centre.data() + (batch * terms + k) * columns;
        const double *ry = b.radius.data() + (batch * terms + k) * columns;
        for (size_t n = 0; n < columns; ++n) {
          double far = std::fabs(x) * ry[n] + rx * std::fabs(y[n]) + rx * ry[n];
          centre[n] += x * y[n];
          radius[n] += far;
          total[n] += std::fabs(x * y[n]) + far;
        }
      }
      for (size_t n = 0; n < columns; ++n) {
        double wide = radius[n] + lost + slack * total[n];
        // Where some order leaves the type on its way, no number comes back.
        out[row + n] =
            total[n] + wide > most ? Span::doubt(type) : spanAround(centre[n] - wide, centre[n] + wide, type);
      }
    }
  set(0, std::move(out), type);
}

} // namespace trisect::interp
