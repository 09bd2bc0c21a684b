//===- Hyperbolic.cpp - tanh ----------------------------------------------------------------------------===//
//
// What: an odd polynomial below 3/4, 1 - 2 / (e^(2|x|) + 1) above; in f32.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

Value emitTanh(Code &code, Value x) {
  Type type = x.getType();
  auto number = [&](double value) { return code.real(type, value); };
  Value size = code.b.create<math::AbsFOp>(code.loc, x), z = code.mulf(x, x);
  Value p = number(0x1.f48334p-10);
  for (double coefficient : {-0x1.03f77ap-7, 0x1.6224cp-6, -0x1.b9d7a4p-5, 0x1.111042p-3, -0x1.555554p-2})
    p = code.fma(p, z, number(coefficient));
  Value near = code.fma(code.mulf(size, z), p, size);
  Value grown = code.addf(emitExp(code, code.addf(size, size)), number(1));
  Value far = code.subf(number(1), code.divf(number(2), grown));
  Value result = code.select(code.cmp(CmpFPredicate::OLT, size, number(0.75)), near, far);
  return code.make<math::CopySignOp>(result, x);
}

} // namespace trisect::cpu
