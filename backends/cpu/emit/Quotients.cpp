//===- Quotients.cpp - by one divisor for all lanes -----------------------------------------------------===//
//
// What: x / d for a scalar d, without a division a vector: q = x * (1 / d), twice bettered by what the exact
// remainder x - q * d says. Why: a softmax divides each element by its sum, and dividing takes half its time.
// Limits: the second step has the bits of the division if nothing on its way leaves the normal range
// (Markstein: the reciprocal is correctly rounded, and the first step brings q within an ULP). So the divisor
// lies between 2^-24 and 2^24, and lanes that are neither +0 nor, without their sign, between 2^-76 and 2^76
// let their vector divide.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/PathMarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
// Whether the bits of a positive number lie outside of 2^-exponent and 2^exponent.
Value isExtreme(Code &code, Value raw, int64_t exponent) {
  int64_t least = (127 - exponent) << 23, most = (127 + exponent) << 23;
  Value above = code.sub(raw, code.integer(raw.getType(), least));
  return code.cmp(CmpIPredicate::ugt, above, code.integer(raw.getType(), most - least));
}
} // namespace

Value emitQuotient(Code &code, Value x, Value divisor) {
  Value reciprocal = code.divf(code.real(divisor.getType(), 1.0), divisor);
  unsigned lanes = lanesOf(x.getType());
  Value r = code.splat(reciprocal, lanes), d = code.splat(code.fold<arith::NegFOp>(divisor), lanes);
  Value q = code.mulf(x, r);
  for (int step = 0; step < 2; ++step)
    q = code.fma(code.fma(q, d, x), r, q);
  Value raw = code.bits(x, code.i32());
  Value magnitude = code.both(raw, code.integer(raw.getType(), 0x7fffffff));
  Value hard = code.both(isExtreme(code, magnitude, 76), // and not +0
                         code.cmp(CmpIPredicate::ne, raw, code.zero(raw.getType())));
  Value any = code.either(code.anyTrue(hard), isExtreme(code, code.bits(divisor, code.i32()), 24));
  auto branch = code.b.create<scf::IfOp>(code.loc, TypeRange{x.getType()}, any, /*withElseRegion=*/true);
  markPaths(branch, "quotients by division", "quotients by a reciprocal");
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(branch.thenBlock());
  code.b.create<scf::YieldOp>(code.loc, code.divf(x, code.splat(divisor, lanes)));
  code.b.setInsertionPointToStart(branch.elseBlock());
  code.b.create<scf::YieldOp>(code.loc, q);
  return branch.getResult(0);
}

} // namespace trisect::cpu
