//===- Hyperbolic.cpp - tanh ----------------------------------------------------------------------------===//
//
// What: t / (t + 2) for t = exp(2|x|) - 1, which is made without cancellation: 2|x| = n log 2 + r,
// t = 2^n (exp(r) - 1) + (2^n - 1).
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

Value emitTanh(Code &code, Value x) {
  Type type = x.getType(), word = withElement(type, code.i32());
  Value size = code.b.create<math::AbsFOp>(code.loc, x);
  // From 9.02 on the result is 1; a NaN stays for the end.
  Value known = code.cmp(CmpFPredicate::OLT, size, code.real(type, 10.0));
  Value twice = code.addf(size, size);
  twice = code.select(known, twice, code.real(type, 20.0));
  Value n = code.b.create<math::RoundEvenOp>(code.loc, code.mulf(twice, code.real(type, 1.4426950408889634)));
  Value r = code.fma(n, code.real(type, -0.693359375), twice);
  r = code.fma(n, code.real(type, 2.12194440054690583e-4), r);
  // exp(r) - 1 - r, divided by r^2.
  Value sum = code.real(type, 1.0 / 5040);
  for (double factorial : {720.0, 120.0, 24.0, 6.0, 2.0})
    sum = code.fma(sum, r, code.real(type, 1 / factorial));
  Value grown = code.fma(code.mulf(r, r), sum, r);
  Value whole = code.b.create<arith::FPToSIOp>(code.loc, word, n);
  Value power = code.bits(code.shl(code.add(whole, code.integer(word, 127)), 23), code.f32());
  Value t = code.fma(power, grown, code.subf(power, code.real(type, 1.0)));
  Value result = code.divf(t, code.addf(t, code.real(type, 2.0)));
  result = code.make<math::CopySignOp>(result, x);
  return code.select(code.cmp(CmpFPredicate::UNO, x, x), x, result);
}

} // namespace trisect::cpu
