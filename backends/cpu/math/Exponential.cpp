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

Value horner(Code &code, Value r, llvm::ArrayRef<double> coefficients) {
  Value sum = code.real(r.getType(), coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;)
    sum = code.fma(sum, r, code.real(r.getType(), coefficients[i]));
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

// p * 2^n for integral |n| <= 252, where sum = magic + n; zero for operands below `low`.
Value scale(Code &code, Value x, double low, Value p, Value sum) {
  Type type = p.getType();
  Value lower = code.real(type, low);
  if (code.isWide(type)) {
    Value counts = code.cmp(CmpFPredicate::UGE, x, lower);
    return scaleRegisters(code, p, code.subf(sum, code.real(type, magic)), counts);
  }
  Value n = code.sub(code.bits(sum, code.i32()), code.bits(code.real(type, magic), code.i32()));
  Value first = code.sar(n, 1);
  auto power = [&](Value exponent) {
    return code.bits(code.shl(code.add(exponent, code.integer(n.getType(), 127)), 23), code.f32());
  };
  Value product = code.mulf(code.mulf(p, power(first)), power(code.sub(n, first)));
  return code.select(code.cmp(CmpFPredicate::OLT, x, lower), code.zero(type), product);
}

// 2^(x - n), where sum = magic + n.
Value rest(Code &code, Value x, Value sum) {
  Value r = code.subf(x, code.subf(sum, code.real(x.getType(), magic)));
  double series[8], term = 1;
  for (int i = 0; i < 8; ++i) {
    series[i] = term;
    term *= M_LN2 / (i + 1);
  }
  return horner(code, r, series);
}
} // namespace

Value emitExp(Code &code, Value x) {
  constexpr double low = -104;
  Type type = x.getType();
  Value some = bounded(code, x, low, 100), all = code.real(type, magic);
  Value sum = code.fma(some, code.real(type, 1.4426950408889634), all), n = code.subf(sum, all);
  // log 2 in two parts; products of n with the first are exact.
  Value r = code.fma(n, code.real(type, -0.693359375), some);
  r = code.fma(n, code.real(type, 2.12194440054690583e-4), r);
  Value p = horner(code, r,
                   {1, 1, 0x1.fffffb97a5460p-2, 0x1.555491042d08cp-3, 0x1.5558f2f6da23bp-5,
                    0x1.123a1f44b5b58p-7, 0x1.6a23cec7d1226p-10});
  return scale(code, x, low, p, sum);
}

Value emitExp2(Code &code, Value x) {
  constexpr double low = -150;
  Value some = bounded(code, x, low, 140);
  Value sum = code.addf(some, code.real(x.getType(), magic));
  return scale(code, x, low, rest(code, some, sum), sum);
}

Value emitSmallExp2(Code &code, Value x) {
  Type type = x.getType();
  Value all = code.real(type, magic), sum = code.addf(x, all), p = rest(code, x, sum);
  if (code.isWide(type)) {
    Value always = code.cmp(CmpFPredicate::AlwaysTrue, x, x);
    return scaleRegisters(code, p, code.subf(sum, all), always);
  }
  Value n = code.sub(code.bits(sum, code.i32()), code.bits(all, code.i32()));
  Value power = code.shl(code.add(n, code.integer(n.getType(), 127)), 23);
  return code.mulf(p, code.bits(power, code.f32()));
}

} // namespace trisect::cpu
