//===- Circular.cpp - sin and cos -----------------------------------------------------------------------===//
//
// What: in f64: x = n * pi/2 + r, |r| <= pi/4 up to the rounding of n; the series of sin or cos of r as n
// says; rounded once. Operands of 2^30 and more, which no program means, go to the C library lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double largest = 1073741824.0;

/// 1 + z (c0 + z (c1 + ...)), where the coefficients are those of the series.
Value series(Code &code, Value z, std::initializer_list<double> divisors) {
  Value sum = code.real(z.getType(), 1.0);
  // From the last term: each divides what follows it by the next two factors of the factorial.
  for (double divisor : divisors)
    sum = code.fma(code.mulf(z, code.real(z.getType(), -1.0 / divisor)), sum, code.real(z.getType(), 1.0));
  return sum;
}

Value circular(Code &code, Value x, int64_t quarters) {
  Type single = x.getType(), wide = withElement(single, code.f64()), word = withElement(single, code.i32());
  Value inside =
      code.cmp(CmpFPredicate::OLT, code.b.create<math::AbsFOp>(code.loc, x), code.real(single, largest));
  Value bounded = code.select(inside, x, code.zero(single));
  Value exact = code.b.create<arith::ExtFOp>(code.loc, wide, bounded);
  Value n =
      code.b.create<math::RoundEvenOp>(code.loc, code.mulf(exact, code.real(wide, 0.63661977236758134308)));
  // pi/2 in two parts.
  Value r = code.fma(n, code.real(wide, -1.57079632679489655800e+00), exact);
  r = code.fma(n, code.real(wide, -6.12323399573676603587e-17), r);
  Value z = code.mulf(r, r);
  Value sine = code.mulf(r, series(code, z, {10 * 11, 8 * 9, 6 * 7, 4 * 5, 2 * 3}));
  Value cosine = series(code, z, {11 * 12, 9 * 10, 7 * 8, 5 * 6, 3 * 4, 1 * 2});
  Value turn = code.b.create<arith::FPToSIOp>(code.loc, word, n);
  turn = code.add(turn, code.integer(word, quarters));
  Value odd = code.trunc(turn, code.i1());
  Value result = code.b.create<arith::TruncFOp>(code.loc, single, code.select(odd, cosine, sine));
  Value sign = code.shl(code.shr(turn, 1), 31);
  return code.bits(code.exclusive(code.bits(result, code.i32()), sign), code.f32());
}

// Of operands beyond the bound, infinities and NaN among them.
Value orLibrary(Code &code, Value x, Value result, llvm::StringRef name) {
  Value inside =
      code.cmp(CmpFPredicate::OLT, code.b.create<math::AbsFOp>(code.loc, x), code.real(x.getType(), largest));
  auto branch = code.b.create<scf::IfOp>(code.loc, TypeRange{x.getType()}, code.allTrue(inside),
                                         /*withElseRegion=*/true);
  markPaths(branch, "operands in range", "operands for the C library");
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(branch.thenBlock());
  code.b.create<scf::YieldOp>(code.loc, result);
  code.b.setInsertionPointToStart(branch.elseBlock());
  Value called = callLibm(code, name, {x});
  code.b.create<scf::YieldOp>(code.loc, ValueRange{code.select(inside, result, called)});
  return branch.getResult(0);
}
} // namespace

Value emitSin(Code &code, Value x) {
  Value result = circular(code, x, 0);
  // Keeps the sign of zero.
  Value isZero = code.cmp(CmpFPredicate::OEQ, x, code.zero(x.getType()));
  return orLibrary(code, x, code.select(isZero, x, result), "sin");
}

Value emitCos(Code &code, Value x) { return orLibrary(code, x, circular(code, x, 1), "cos"); }

} // namespace trisect::cpu
