//===- ErrorFunction.cpp - erf --------------------------------------------------------------------------===//
//
// What: a polynomial about the nearest multiple of a quarter, whose coefficients each lane looks up. Up to
// 3/8 it is x + x p(x), so that small results keep all their places; beyond 31/8 it stays what it is
// there, 1.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/math/SmallTable.h"
#include "core/support/ErfTable.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <iterator>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
/// A number of this size has quarters in its last bit.
constexpr double magicOfQuarters = 0x1.8p21;
constexpr double end = 0x1.effffep1; ///< below 31/8
constexpr double nearZero = 0.375;
} // namespace

Value emitErf(Code &code, Value x) {
  Type type = x.getType();
  if (lanesOf(type) > lanesOfLookup(code)) {
    Value lower = emitErf(code, code.half(x, false));
    return code.whole(lower, emitErf(code, code.half(x, true)));
  }
  auto number = [&](double value) { return code.real(type, value); };
  Value size = code.b.create<math::AbsFOp>(code.loc, x);
  // A NaN stays.
  Value a = code.select(code.cmp(CmpFPredicate::OGT, size, number(end)), number(end), size);
  Value interval = code.bits(code.addf(a, number(magicOfQuarters)), code.i32());
  Value distance = code.subf(a, lookUp(code, erfTable.point, interval)), sum;
  for (auto power = std::rbegin(erfTable.more); power != std::rend(erfTable.more); ++power) {
    Value coefficient = lookUp(code, *power, interval);
    sum = sum ? code.fma(sum, distance, coefficient) : coefficient;
  }
  Value small = code.cmp(CmpFPredicate::OLT, a, number(nearZero));
  Value there = code.select(small, a, lookUp(code, erfTable.value, interval));
  return code.make<math::CopySignOp>(code.fma(sum, distance, there), x);
}

} // namespace trisect::cpu
