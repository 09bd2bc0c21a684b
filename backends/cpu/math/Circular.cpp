//===- Circular.cpp - sin, cos and tan ------------------------------------------------------------------===//
//
// What: in f64: x = n * pi + r, |r| <= pi/2 up to the rounding of n, which for cos is half an odd number;
// (-1)^n sin r by the polynomial that is nearest to it, within 2^-43 of itself; rounded once. tan is a
// quotient of both series of a quarter turn. Operands of 2^30 and more (tan: 2^20), which no program means,
// go to the C library's functions of f64, lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Choice.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/math/Wide.h"
#include "backends/cpu/orc/Machine.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double largest = 0x1p30, largestOfTan = 0x1p20;

/// Of sin r / r in r^2, from the last to that of r^2; the first is 1.
constexpr double coefficients[] = {0x1.52dbee2d3069bp-33,  -0x1.ae03f859c7bfep-26, 0x1.71dcf84c5362cp-19,
                                   -0x1.a019fd5952f3ap-13, 0x1.1111110a5597ap-7,   -0x1.5555555547141p-3};
constexpr double inverseOfPi = 0x1.45f306dc9c883p-2;
/// A number of this size has its units in its last bit.
constexpr double magic = 0x1.8p52;
/// One of this size, an odd one, has its units in bit 20.
constexpr double magicOfHalves = 0x1.8p32 + 1;
constexpr unsigned unit = 20;

Value isInside(Code &code, Value x, double limit) {
  Value size = code.b.create<math::AbsFOp>(code.loc, x);
  return code.cmp(CmpFPredicate::OLT, size, code.real(x.getType(), limit));
}

/// n as a number, and its parity as a sign.
struct Turns {
  Value n, sign;
};

// x / pi, to the nearest integer.
Turns wholeTurns(Code &code, Value x) {
  Type wide = x.getType();
  Value sum = code.fma(x, code.real(wide, inverseOfPi), code.real(wide, magic));
  return {code.subf(sum, code.real(wide, magic)), code.shl(code.bits(sum, code.i64()), 63)};
}

// m + 1/2 for m the next integer below x / pi: cos x = (-1)^(m + 1) sin (x - (m + 1/2) pi). The fraction of
// the sum becomes one half by its bits; the sign is that of m + 1, since the magic number is odd.
Turns halfTurns(Code &code, Value x) {
  Type wide = x.getType();
  Value sum = code.fma(x, code.real(wide, inverseOfPi), code.real(wide, magicOfHalves));
  Value bits = code.bits(sum, code.i64());
  Type type = bits.getType();
  Value units = code.both(bits, code.integer(type, -(int64_t(1) << unit)));
  Value n = code.bits(code.either(units, code.integer(type, int64_t(1) << (unit - 1))), code.f64());
  // Of the bits themselves where one instruction takes the sign out of them while it is used.
  bool together = code.machine && code.machine->vectorBytes == 64;
  Value sign = together ? code.both(code.shl(bits, 63 - unit), code.integer(type, INT64_MIN))
                        : code.shl(units, 63 - unit);
  return {code.subf(n, code.real(wide, magicOfHalves)), sign};
}

Value circular(Code &code, Value x, bool cosine) {
  Type single = x.getType(), wide = withElement(single, code.f64());
  Value exact = code.b.create<arith::ExtFOp>(code.loc, wide, x);
  Turns turns = cosine ? halfTurns(code, exact) : wholeTurns(code, exact);
  // pi in two parts.
  Value r = code.fma(turns.n, code.real(wide, -0x1.921fb54442d18p+1), exact);
  r = code.fma(turns.n, code.real(wide, -0x1.1a62633145c07p-53), r);
  r = code.bits(code.exclusive(code.bits(r, code.i64()), turns.sign), code.f64());
  Value z = code.mulf(r, r), series = code.real(wide, coefficients[0]);
  for (double coefficient : llvm::ArrayRef(coefficients).drop_front())
    series = code.fma(series, z, code.real(wide, coefficient));
  // A product last: it keeps the sign of zero.
  Value result = code.mulf(r, code.fma(series, z, code.real(wide, 1.0)));
  return code.b.create<arith::TruncFOp>(code.loc, single, result);
}

Value tangent(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Wide sum = x * 0x1.45f306dc9c883p-1 + magic, n = sum - magic;
  Wide r = (x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34, z = r * r;
  Wide sine = r + r * z *
                      horner(z, {-0x1.5555555555161p-3, 0x1.1111110fd1496p-7, -0x1.a019fd95094bep-13,
                                 0x1.71d9a549ac8fbp-19, -0x1.aa262ee715bp-26});
  Wide cosine =
      (1.0 - z * 0.5) + z * z *
                            horner(z, {0x1.5555555555434p-5, -0x1.6c16c16b5fdb7p-10, 0x1.a019ff501e5c1p-16,
                                       -0x1.27e25ca05d2bep-22, 0x1.1c808728603bbp-29});
  // In the second and the fourth quarter turn they change places, and one its sign.
  Value quarter = sum.bits(), one = code.integer(quarter.getType(), 1);
  Value odd = code.cmp(arith::CmpIPredicate::ne, code.both(quarter, one), code.zero(quarter.getType()));
  Wide flipped = x.ofBits(code.exclusive(cosine.bits(), code.integer(quarter.getType(), INT64_MIN)));
  Wide quotient = choose(odd, flipped, sine) / choose(odd, sine, cosine);
  return choose(x.equals(0.0), x, quotient).single();
}

// Of operands beyond the limit, infinities and NaN among them.
Value orLibrary(Code &code, Value x, Value result, llvm::StringRef name, double limit = largest) {
  Value inside = isInside(code, x, limit);
  scf::IfOp choice = eitherWay(code, x.getType(), code.allTrue(inside), [&](bool all) {
    if (all)
      return SmallVector<Value>{result};
    Value called = Wide(code, callLibm(code, name, {Wide::of(code, x).value})).single();
    return SmallVector<Value>{code.select(inside, result, called)};
  });
  markPaths(choice, "operands in range", "operands for the C library");
  return choice.getResult(0);
}
} // namespace

Value emitSin(Code &code, Value x) { return orLibrary(code, x, circular(code, x, false), "sin"); }
Value emitCos(Code &code, Value x) { return orLibrary(code, x, circular(code, x, true), "cos"); }
Value emitTan(Code &code, Value x) { return orLibrary(code, x, tangent(code, x), "tan", largestOfTan); }

} // namespace trisect::cpu
