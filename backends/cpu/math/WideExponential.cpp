//===- WideExponential.cpp - f32 functions around e^x and log x -----------------------------------------===//
//
// What: expm1, log10, log1p and the hyperbolic functions and their inverses, in f64, rounded once. Near zero,
// where a difference would cancel, some terms of the series stand in.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/math/Wide.h"

using namespace mlir;

namespace trisect::cpu {

Value emitExpm1(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Wide series = x + x * x * horner(x, {0.5, 1.0 / 6});
  Wide small = choose(x.equals(0.0), x, series);
  return choose(x.absolute() < 0x1p-12, small, expOf(x) - 1.0).single();
}

Value emitLog10(Code &code, Value value) {
  return (logOf(Wide::of(code, value)) * 0x1.bcb7b1526e50ep-2).single();
}

Value emitLog1p(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Wide series = x * (1.0 - x * (0.5 - x * (1.0 / 3)));
  return choose(x.absolute() < 0x1p-20, series, logOf(1.0 + x)).single();
}

Value emitSinh(Code &code, Value value) {
  Wide x = Wide::of(code, value), e = expOf(x);
  Wide series = x * horner(x * x, {1.0, 1.0 / 6, 1.0 / 120});
  return choose(x.absolute() < 0x1p-6, series, (e - 1.0 / e) * 0.5).single();
}

Value emitCosh(Code &code, Value value) {
  Wide e = expOf(Wide::of(code, value));
  return ((e + 1.0 / e) * 0.5).single();
}

Value emitAsinh(Code &code, Value value) {
  Wide x = Wide::of(code, value), a = x.absolute(), z = x * x;
  Wide series = x * horner(z, {1.0, -1.0 / 6, 3.0 / 40});
  return choose(a < 0x1p-6, series, logOf(a + (z + 1.0).root()).withSignOf(x)).single();
}

Value emitAcosh(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Value counts = code.cmp(arith::CmpFPredicate::OGE, x.value, x.like(1.0).value);
  return choose(counts, logOf(x + (x * x - 1.0).root()), x.likeBits(0x7ff8000000000000)).single();
}

Value emitAtanh(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Wide series = x * horner(x * x, {1.0, 1.0 / 3, 1.0 / 5});
  return choose(x.absolute() < 0x1p-6, series, logOf((1.0 + x) / (1.0 - x)) * 0.5).single();
}

} // namespace trisect::cpu
