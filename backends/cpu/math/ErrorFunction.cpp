//===- ErrorFunction.cpp - erf --------------------------------------------------------------------------===//
//
// What: below 1, x + x p(x^2) with p a fit of erf(x)/x - 1 over Chebyshev's nodes, 4e-11 off at most; above,
// 1 - 2^q(x) with q a fit of log2 erfc on [1, 4], 2e-8 off at most, of which a fifth reaches the result.
// Both take eight steps, so that one chain can serve lanes of both kinds.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/orc/Machine.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double nearCoefficients[] = {-9.6735906397e-06, 1.1268253831e-04,  -8.4843965414e-04,
                                       5.2210534118e-03,  -2.6865438310e-02, 1.1283782622e-01,
                                       -3.7612638476e-01, 1.2837916706e-01};
constexpr double farCoefficients[] = {2.3285986606e-06,  -6.5773364712e-05, 8.5518567086e-04,
                                      -6.8386952564e-03, 3.8036246969e-02,  -1.5866506880e-01,
                                      -9.1169251124e-01, -1.6304858581e+00, 4.3744383973e-04};

Value horner(Code &code, Value x, llvm::ArrayRef<double> coefficients) {
  Value sum = code.real(x.getType(), coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = code.fma(sum, x, code.real(x.getType(), coefficient));
  return sum;
}

/// Whether to select coefficients takes less than a second chain of multiplications. With 256 bits it needs
/// the same units, and what it selects from needs registers, of which there are 16.
bool selectsBeside(const Code &code) { return !code.machine || code.machine->vectorBytes != 32; }
} // namespace

Value emitErf(Code &code, Value x) {
  Type type = x.getType();
  auto number = [&](double value) { return code.real(type, value); };
  Value size = code.b.create<math::AbsFOp>(code.loc, x), square = code.mulf(size, size);
  Value below = code.cmp(CmpFPredicate::OLT, size, number(1.0));
  // From 3.92 on the result is 1; a NaN stays.
  Value bounded = code.select(code.cmp(CmpFPredicate::OGT, size, number(4.0)), number(4.0), size);
  Value small, exponent;
  if (selectsBeside(code)) {
    // One chain, in which each lane has its own factor and coefficients.
    Value factor = code.select(below, square, bounded), sum;
    for (auto [near, far] : llvm::zip(nearCoefficients, farCoefficients)) {
      Value coefficient = code.select(below, number(near), number(far));
      sum = sum ? code.fma(sum, factor, coefficient) : coefficient;
    }
    Value last = code.select(below, size, number(*std::rbegin(farCoefficients)));
    small = exponent = code.fma(sum, bounded, last);
  } else {
    small = code.fma(size, horner(code, square, nearCoefficients), size);
    exponent = horner(code, bounded, farCoefficients);
  }
  // The exponent lies between -27 and 1.
  Value large = code.subf(number(1.0), emitSmallExp2(code, exponent));
  return code.make<math::CopySignOp>(code.select(below, small, large), x);
}

} // namespace trisect::cpu
