//===- Quotients.cpp - by one divisor for all lanes -----------------------------------------------------===//
//
// What: x / d for a scalar d, without a division a vector: q = x * (1 / d), bettered by what the exact
// remainder q * d - x says. Why: a softmax divides each element by its sum, and dividing takes half its time.
// Limits: it has the bits of the division if nothing on its way leaves the normal range (Markstein: the
// reciprocal is correctly rounded; tests/unit/backends/QuotientsTest.cpp goes through all quotients that
// could be rounded the other way). So the divisor lies between 2^-24 and 2^24, and lanes that are neither
// zero nor, without their sign, between 2^-76 and 2^76 let their chunk divide.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Choice.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/PathMarks.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
constexpr unsigned lanesAtOnce = 16;

constexpr int64_t leastBits(int64_t exponent) { return (127 - exponent) << 23; }
constexpr int64_t mostBits(int64_t exponent) { return (127 + exponent) << 23; }

/// Whether the bits of a divisor lie outside of 2^-24 and 2^24.
Value isExtreme(Code &code, Value raw) {
  Value above = code.sub(raw, code.integer(raw.getType(), leastBits(24)));
  return code.cmp(CmpIPredicate::ugt, above, code.integer(raw.getType(), mostBits(24) - leastBits(24)));
}

template <typename Op> Value joinLanes(Code &code, Value lanes) {
  while (lanesOf(lanes.getType()) > lanesAtOnce)
    lanes = code.make<Op>(code.half(lanes, false), code.half(lanes, true));
  return lanes;
}

/// Whether a lane needs a division. Less one, the bits of zero without sign are the greatest of all numbers
/// without sign, and the least of those with one.
Value anyHard(Code &code, Value x) {
  Value raw = code.bits(x, code.i32());
  auto constant = [&](Value like, int64_t bits) { return code.integer(like.getType(), bits); };
  Value below = code.sub(code.both(raw, constant(raw, 0x7fffffff)), constant(raw, 1));
  Value least = joinLanes<arith::MinUIOp>(code, below), most = joinLanes<arith::MaxSIOp>(code, below);
  return code.anyTrue(code.either(code.cmp(CmpIPredicate::ult, least, constant(least, leastBits(76) - 1)),
                                  code.cmp(CmpIPredicate::sgt, most, constant(most, mostBits(76) - 1))));
}
} // namespace

Value emitQuotient(Code &code, Value x, Value divisor) {
  unsigned lanes = lanesOf(x.getType());
  Value reciprocal = code.splat(code.divf(code.real(divisor.getType(), 1.0), divisor), lanes);
  Value q = code.mulf(x, reciprocal);
  // In this order of signs a zero keeps its own.
  Value less = code.fma(q, code.splat(divisor, lanes), code.fold<arith::NegFOp>(x));
  q = code.fma(code.fold<arith::NegFOp>(less), reciprocal, q);
  Value any = code.either(anyHard(code, x), isExtreme(code, code.bits(divisor, code.i32())));
  scf::IfOp choice = eitherWay(code, x.getType(), any, [&](bool hard) {
    return SmallVector<Value>{hard ? code.divf(x, code.splat(divisor, lanes)) : q};
  });
  markPaths(choice, "quotients by division", "quotients by a reciprocal");
  return choice.getResult(0);
}

} // namespace trisect::cpu
