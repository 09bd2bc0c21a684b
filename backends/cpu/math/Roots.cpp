//===- Roots.cpp - rsqrt and cube roots -----------------------------------------------------------------===//
//
// What: 1 / sqrt x and one Newton step, which takes back what its two roundings lost; cube roots of f32 by
// two cubic steps in f64 from a third of the exponent, of f64 by the C library and one Newton step.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/math/Wide.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// |x| > 0 and finite.
Value isPlain(Code &code, Value size) {
  Type type = size.getType();
  return code.both(code.cmp(CmpFPredicate::OGT, size, code.zero(type)),
                   code.cmp(CmpFPredicate::OLT, size, code.real(type, infinity)));
}
} // namespace

Value emitRsqrt(Code &code, Value x) {
  Type type = x.getType();
  Value one = code.real(type, 1.0);
  Value y = code.divf(one, code.b.create<math::SqrtOp>(code.loc, x));
  if (elementOf(type).isF64())
    return y;
  Value root = code.mulf(x, y), minus = code.b.create<arith::NegFOp>(code.loc, root);
  Value lost = code.fma(x, y, minus);
  Value residual = code.subf(code.fma(minus, y, one), code.mulf(lost, y));
  Value refined = code.fma(code.mulf(code.real(type, 0.5), y), residual, y);
  return code.select(isPlain(code, x), refined, y);
}

Value emitCbrt(Code &code, Value value) {
  Wide x = Wide::of(code, value), a = x.absolute();
  Value plain = isPlain(code, a.value);
  a = choose(plain, a, x.like(1.0));
  // The upper half of the bits over three, and what that leaves of the exponent's bias.
  Value word = a.bits(), upper = code.shr(word, 32);
  Value third = code.b.create<arith::DivUIOp>(code.loc, upper, code.integer(word.getType(), 3));
  Wide t = x.ofBits(code.shl(code.add(third, code.integer(word.getType(), 715094163)), 32));
  for (int step = 0; step < 2; ++step) {
    Wide cube = t * t * t;
    t = t * (cube + a * 2.0) / (cube * 2.0 + a);
  }
  return choose(plain, t.withSignOf(x), x).single();
}

Value emitWideCbrt(Code &code, Value value) {
  Wide x(code, value), y(code, callLibm(code, "cbrt", {value}));
  Wide square = y * y;
  auto fused = [&](Wide p, Wide q, Wide r) { return Wide(code, code.fma(p.value, q.value, r.value)); };
  auto minus = [&](Wide p) { return Wide(code, code.b.create<arith::NegFOp>(code.loc, p.value)); };
  Wide lost = fused(y, y, minus(square));
  Wide rest = fused(minus(square), y, x) - lost * y;
  return choose(isPlain(code, x.absolute().value), y + rest / (square * 3.0), y).value;
}

} // namespace trisect::cpu
