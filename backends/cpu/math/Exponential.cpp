//===- Exponential.cpp - exp and exp2 -------------------------------------------------------------------===//
//
// What: x = n + r in units of log 2, |r| <= 1/2; e^r by the polynomial of degree 6 that is nearest to it,
// within a twentieth of an ULP, 2^r by its Taylor series of degree 7, within a tenth; times 2^n, so that
// results below the normal range round once. Operands whose result is zero are kept from that product: a
// processor takes a hundred times as long for one that is subnormal, and -inf is what masked lanes of a
// softmax hold. A NaN goes through all steps and comes out quiet.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cmath>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
/// A number of this size has its units in its last bit.
constexpr double magic = 0x1.8p23;
/// The same, and twice the bias of exponents. It is even: ties go as they do without.
constexpr double shifted = magic + 254;

// Times `factor`, a power of two: each step rounds as it does without.
Value horner(Code &code, Value r, llvm::ArrayRef<double> coefficients, double factor) {
  Value sum = code.real(r.getType(), factor * coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;)
    sum = code.fma(sum, r, code.real(r.getType(), factor * coefficients[i]));
  return sum;
}

// An operand as the series takes it: neither too small nor too large, and any number whose result is not zero
// stays. A NaN fails all comparisons.
Value bounded(Code &code, Value x, double low, double high) {
  Value lower = code.real(x.getType(), low), upper = code.real(x.getType(), high);
  Value replaced = code.isWide(x.getType()) ? lower : code.zero(x.getType());
  x = code.select(code.cmp(CmpFPredicate::OLT, x, lower), replaced, x);
  return code.select(code.cmp(CmpFPredicate::OGT, x, upper), upper, x);
}

// p * 2^n where `counts`, else zero, by one instruction for each register.
Value scaleRegisters(Code &code, Value p, Value n, Value counts) {
  Type type = p.getType();
  if (lanesOf(type) == 16) {
    Value mask = code.b.create<LLVM::BitcastOp>(code.loc, code.b.getI16Type(), counts);
    Value nearest = code.integer(code.i32(), 4);
    return code.intrinsic("llvm.x86.avx512.mask.scalef.ps.512", type, {p, n, code.zero(type), mask, nearest});
  }
  auto half = [&](bool upper) {
    return scaleRegisters(code, code.half(p, upper), code.half(n, upper), code.half(counts, upper));
  };
  Value lower = half(false);
  return code.whole(lower, half(true));
}

// p * 2^n for integral |n| <= 252, where sum = shifted + n; zero for operands below `low`.
// The lowest bits of `sum` are n + 254. Half of them, n >> 1 and the bias, is the exponent of one power, what
// is left that of the other; what stands above them goes over the edge of the shift.
Value scale(Code &code, Value x, double low, Value p, Value sum) {
  Type type = p.getType();
  Value lower = code.real(type, low);
  if (code.isWide(type)) {
    Value counts = code.cmp(CmpFPredicate::UGE, x, lower);
    return scaleRegisters(code, p, code.subf(sum, code.real(type, shifted)), counts);
  }
  Value both = code.bits(sum, code.i32()), first = code.sar(both, 1);
  auto power = [&](Value exponent) { return code.bits(code.shl(exponent, 23), code.f32()); };
  Value product = code.mulf(code.mulf(p, power(first)), power(code.sub(both, first)));
  return code.select(code.cmp(CmpFPredicate::OLT, x, lower), code.zero(type), product);
}

// e^r.
Value nearZero(Code &code, Value r, double factor) {
  double series[] = {1,
                     1,
                     0x1.fffffb97a5460p-2,
                     0x1.555491042d08cp-3,
                     0x1.5558f2f6da23bp-5,
                     0x1.123a1f44b5b58p-7,
                     0x1.6a23cec7d1226p-10};
  return horner(code, r, series, factor);
}

// x less n log 2, where log 2 is in two parts: products of n with the first are exact.
Value lessLogs(Code &code, Value x, Value n) {
  Value r = code.fma(n, code.real(x.getType(), -0.693359375), x);
  return code.fma(n, code.real(x.getType(), 2.12194440054690583e-4), r);
}

// 2^(x - n), where sum = all + n.
Value rest(Code &code, Value x, Value sum, Value all, double factor = 1) {
  Value r = code.subf(x, code.subf(sum, all));
  double series[8], term = 1;
  for (int i = 0; i < 8; ++i) {
    series[i] = term;
    term *= M_LN2 / (i + 1);
  }
  return horner(code, r, series, factor);
}

Value atLeast(Code &code, Value x, double low) {
  Value lower = code.real(x.getType(), low);
  return code.select(code.cmp(CmpFPredicate::OGT, lower, x), lower, x);
}

// The power of two whose exponent, bias included, is in the lowest bits of `sum`.
Value powerIn(Code &code, Value sum) {
  return code.bits(code.shl(code.bits(sum, code.i32()), 23), code.f32());
}

// Of operands that are not positive, n is from -152 to 0: with 152 more it is the exponent of one power,
// which is zero at the lower end, and the factor of the series takes away what is too much.
constexpr int belowAll = 152;
constexpr double belowFactor = 0x1p-25; ///< 2^(127 - belowAll)
} // namespace

Value emitExp(Code &code, Value x) {
  constexpr double low = -104;
  Type type = x.getType();
  Value some = bounded(code, x, low, 100), all = code.real(type, shifted);
  Value sum = code.fma(some, code.real(type, 1.4426950408889634), all), n = code.subf(sum, all);
  return scale(code, x, low, nearZero(code, lessLogs(code, some, n), 1), sum);
}

Value emitExpBelow(Code &code, Value x) {
  Type type = x.getType();
  Value some = atLeast(code, x, -105.3), all = code.real(type, magic + belowAll);
  Value sum = code.fma(some, code.real(type, 1.4426950408889634), all), n = code.subf(sum, all);
  return code.mulf(nearZero(code, lessLogs(code, some, n), belowFactor), powerIn(code, sum));
}

Value emitExp2(Code &code, Value x) {
  constexpr double low = -150;
  Value some = bounded(code, x, low, 140), all = code.real(x.getType(), shifted);
  Value sum = code.addf(some, all);
  return scale(code, x, low, rest(code, some, sum, all), sum);
}

Value emitExp2Below(Code &code, Value x) {
  Value some = atLeast(code, x, -belowAll), all = code.real(x.getType(), magic + belowAll);
  Value sum = code.addf(some, all);
  return code.mulf(rest(code, some, sum, all, belowFactor), powerIn(code, sum));
}

Value emitSmallExp2(Code &code, Value x) {
  Type type = x.getType();
  bool scales = code.isWide(type);
  Value all = code.real(type, scales ? magic : magic + 126), sum = code.addf(x, all);
  if (scales) {
    Value always = code.cmp(CmpFPredicate::AlwaysTrue, x, x);
    return scaleRegisters(code, rest(code, x, sum, all), code.subf(sum, all), always);
  }
  return code.mulf(rest(code, x, sum, all, 2), powerIn(code, sum));
}

} // namespace trisect::cpu
