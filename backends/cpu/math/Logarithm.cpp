//===- Logarithm.cpp - log and log2 ---------------------------------------------------------------------===//
//
// What: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); log(1 + f) from the series of artanh in
// s = f / (2 + f), arranged around f - f^2/2 so that its leading part is exact.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
struct Reduced {
  Value exponent; ///< k as a float
  Value f;
};

Reduced reduce(Code &code, Value x) {
  Type real = x.getType(), word = withElement(real, code.i32());
  auto number = [&](int64_t n) { return code.integer(word, n); };
  // Subnormals are scaled up first.
  Value tiny = code.cmp(CmpFPredicate::OLT, x, code.realBits(real, 0x00800000));
  Value scaled = code.select(tiny, code.mulf(x, code.real(real, 33554432.0)), x);
  Value raw = code.bits(scaled, code.i32());
  // Distance from sqrt(1/2): its upper bits are k, its lower ones the place of 1 + f.
  constexpr int64_t root = 0x3f3504f3;
  Value distance = code.sub(raw, number(root));
  Value k = code.sar(distance, 23);
  Value place = code.add(code.both(distance, number(0x007fffff)), number(root));
  Value one = code.real(real, 1.0);
  Value f = code.subf(code.bits(place, code.f32()), one);
  k = code.select(tiny, code.sub(k, number(25)), k);
  return {code.b.create<arith::SIToFPOp>(code.loc, real, k), f};
}

// log(1 + f) - f, split so that the caller can add the parts in the best order: (f^2/2, correction).
std::pair<Value, Value> tail(Code &code, Value f) {
  Type real = f.getType();
  Value s = code.divf(f, code.addf(code.real(real, 2.0), f));
  Value z = code.mulf(s, s);
  Value sum = code.real(real, 2.0 / 11);
  for (double c : {2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3})
    sum = code.fma(sum, z, code.real(real, c));
  Value half = code.mulf(code.mulf(code.real(real, 0.5), f), f);
  return {half, code.mulf(s, code.fma(z, sum, half))};
}

// Zero, infinity, negative numbers and NaN.
Value special(Code &code, Value x, Value result) {
  Type real = x.getType();
  double infinity = std::numeric_limits<double>::infinity();
  Value zero = code.real(real, 0.0), top = code.real(real, infinity);
  result = code.select(code.cmp(CmpFPredicate::OEQ, x, top), top, result);
  result = code.select(code.cmp(CmpFPredicate::OEQ, x, zero), code.real(real, -infinity), result);
  Value nan = code.realBits(real, 0x7fc00000);
  return code.select(code.cmp(CmpFPredicate::ULT, x, zero), nan, result);
}
} // namespace

Value emitLog(Code &code, Value x) {
  Type real = x.getType();
  Reduced r = reduce(code, x);
  auto [half, correction] = tail(code, r.f);
  Value low = code.fma(r.exponent, code.real(real, -2.12194440054690583e-4), correction);
  Value sum = code.subf(r.f, code.subf(half, low));
  return special(code, x, code.fma(r.exponent, code.real(real, 0.693359375), sum));
}

Value emitLog2(Code &code, Value x) {
  Type real = x.getType();
  Reduced r = reduce(code, x);
  auto [half, correction] = tail(code, r.f);
  // log(1 + f) = high + low with 12 bits in high, so that high times the leading part of 1/log 2 is exact.
  Value difference = code.subf(r.f, half);
  Value mask = code.integer(withElement(real, code.i32()), 0xfffff000);
  Value high = code.bits(code.both(code.bits(difference, code.i32()), mask), code.f32());
  Value low = code.addf(code.subf(code.subf(r.f, high), half), correction);
  Value first = code.real(real, 1.4428710938e+00), second = code.real(real, -1.7605285393e-04);
  Value rest = code.fma(low, first, code.mulf(code.addf(low, high), second));
  Value sum = code.fma(high, first, r.exponent);
  Value lost = code.fma(high, first, code.subf(r.exponent, sum));
  return special(code, x, code.addf(sum, code.addf(lost, rest)));
}

} // namespace trisect::cpu
