//===- Exponential.cpp - exp and exp2 -------------------------------------------------------------------===//
//
// What: x = n + r in units of log 2, |r| <= 1/2; 2^r by its Taylor series, whose error at degree 7 is a tenth
// of an ULP; times 2^n in two factors, so that results below the normal range round once.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr int degree = 7;

Value horner(Code &code, Value r, llvm::ArrayRef<double> coefficients) {
  Value sum = code.real(r.getType(), coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;)
    sum = code.fma(sum, r, code.real(r.getType(), coefficients[i]));
  return sum;
}

Value clamp(Code &code, Value x, double low, double high) {
  Value lower = code.real(x.getType(), low), upper = code.real(x.getType(), high);
  // A NaN fails both comparisons and stays.
  x = code.select(code.cmp(arith::CmpFPredicate::OLT, x, lower), lower, x);
  return code.select(code.cmp(arith::CmpFPredicate::OGT, x, upper), upper, x);
}

// p * 2^n for integral |n| <= 252.
Value scale(Code &code, Value p, Value n) {
  Type word = withElement(n.getType(), code.i32());
  Value whole = code.b.create<arith::FPToSIOp>(code.loc, word, n);
  Value first = code.sar(whole, 1);
  auto power = [&](Value exponent) {
    return code.bits(code.shl(code.add(exponent, code.integer(word, 127)), 23), code.f32());
  };
  return code.mulf(code.mulf(p, power(first)), power(code.sub(whole, first)));
}

// fptosi of NaN is undefined; a NaN in `n` must not reach it.
Value finish(Code &code, Value x, Value p, Value n) {
  Value isNan = code.cmp(arith::CmpFPredicate::UNO, x, x);
  return code.select(isNan, x, scale(code, p, code.select(isNan, code.zero(n.getType()), n)));
}
} // namespace

Value emitExp(Code &code, Value x) {
  Type type = x.getType();
  Value bounded = clamp(code, x, -110.0, 100.0);
  Value n =
      code.b.create<math::RoundEvenOp>(code.loc, code.mulf(bounded, code.real(type, 1.4426950408889634)));
  // log 2 in two parts; products of n with the first are exact.
  Value r = code.fma(n, code.real(type, -0.693359375), bounded);
  r = code.fma(n, code.real(type, 2.12194440054690583e-4), r);
  double series[degree + 1], factorial = 1;
  for (int i = 0; i <= degree; ++i) {
    series[i] = 1 / factorial;
    factorial *= i + 1;
  }
  return finish(code, x, horner(code, r, series), n);
}

Value emitExp2(Code &code, Value x) {
  Value bounded = clamp(code, x, -160.0, 140.0);
  Value n = code.b.create<math::RoundEvenOp>(code.loc, bounded);
  Value r = code.subf(bounded, n);
  double series[degree + 1], term = 1;
  for (int i = 0; i <= degree; ++i) {
    series[i] = term;
    term *= M_LN2 / (i + 1);
  }
  return finish(code, x, horner(code, r, series), n);
}

} // namespace trisect::cpu
