//===- Power.cpp - x^y ----------------------------------------------------------------------------------===//
//
// What: 2^(y log2 |x|) in f64, rounded once, and the sign of odd powers of negative numbers. log2 is the
// series of artanh, within 2^-43 of its size; 2^r that of the exponential, within 2^-37.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

class Power {
public:
  Power(Code &code, Value x, Value y) : code(code), x(x), y(y), single(x.getType()) {
    wide = withElement(single, code.f64());
    word = withElement(single, code.i64());
    size = code.b.create<math::AbsFOp>(code.loc, x);
  }

  Value emit() {
    Value one = code.real(single, 1.0), zero = code.zero(single);
    Value exponent = code.b.create<arith::ExtFOp>(code.loc, wide, y);
    Value result = code.b.create<arith::TruncFOp>(code.loc, single, exp2(code.mulf(exponent, log2())));
    result = code.select(code.cmp(CmpFPredicate::OEQ, size, one), one, result);
    Value isNan = code.either(code.cmp(CmpFPredicate::UNO, x, x), code.cmp(CmpFPredicate::UNO, y, y));
    result = code.select(isNan, code.addf(x, y), result);
    result = negative(result);
    Value always = code.either(code.cmp(CmpFPredicate::OEQ, x, one), code.cmp(CmpFPredicate::OEQ, y, zero));
    return code.select(always, one, result);
  }

private:
  Value number(double value) { return code.real(wide, value); }

  // Of |x|; every subnormal of f32 is a normal number of f64.
  Value log2() {
    Value raw = code.bits(code.b.create<arith::ExtFOp>(code.loc, wide, size), code.i64());
    // Distance from sqrt(1/2): its upper bits are the exponent, its lower ones the place of the rest.
    // Counted from -1024 on, so that the shift needs no sign.
    constexpr int64_t root = 0x3fe6a09e667f3bcd, fraction = 0x000fffffffffffff, low = 0x4000000000000000;
    Value distance = code.add(raw, code.integer(word, low - root));
    Value place = code.add(code.both(distance, code.integer(word, fraction)), code.integer(word, root));
    Value m = code.bits(place, code.f64());
    // The exponent as a number, without conversion of 64-bit integers: its bits below those of 1.5 * 2^52.
    constexpr int64_t magic = 0x4338000000000000;
    Value shifted = code.add(code.shr(distance, 52), code.integer(word, magic));
    Value exponent = code.subf(code.bits(shifted, code.f64()), number(6755399441055744.0 + 1024));
    Value s = code.divf(code.subf(m, number(1)), code.addf(m, number(1))), z = code.mulf(s, s);
    constexpr double scale = 2 / M_LN2;
    Value sum = number(scale / 15);
    for (int odd : {13, 11, 9, 7, 5, 3, 1})
      sum = code.fma(sum, z, number(scale / odd));
    Value result = code.fma(s, sum, exponent);
    Value none = code.cmp(CmpFPredicate::OEQ, size, code.zero(single));
    Value endless = code.cmp(CmpFPredicate::OEQ, size, code.real(single, infinity));
    return code.select(none, number(-infinity), code.select(endless, number(infinity), result));
  }

  Value exp2(Value t) {
    // A NaN fails both comparisons; what becomes of it is not used.
    t = code.select(code.cmp(CmpFPredicate::OGT, t, number(-200)), t, number(-200));
    t = code.select(code.cmp(CmpFPredicate::OLT, t, number(200)), t, number(200));
    Value n = code.b.create<math::RoundEvenOp>(code.loc, t), r = code.subf(t, n);
    constexpr int degree = 9;
    double terms[degree + 1], term = 1;
    for (int i = 0; i <= degree; ++i) {
      terms[i] = term;
      term *= M_LN2 / (i + 1);
    }
    Value sum = number(terms[degree]);
    for (int i = degree; i-- > 0;)
      sum = code.fma(sum, r, number(terms[i]));
    // n in the lowest bits of n + 1.5 * 2^52.
    Value bits = code.shl(code.bits(code.addf(n, number(6755399441055744.0)), code.i64()), 52);
    return code.bits(code.add(code.bits(sum, code.i64()), bits), code.f64());
  }

  // Odd powers of numbers below 0 are negative, powers that are no integers none.
  Value negative(Value result) {
    auto whole = [&](Value v) {
      return code.cmp(CmpFPredicate::OEQ, code.b.create<math::FloorOp>(code.loc, v), v);
    };
    Value isWhole = whole(y), half = whole(code.mulf(y, code.real(single, 0.5)));
    Value sign =
        code.both(code.bits(x, code.i32()), code.integer(withElement(single, code.i32()), 0x80000000));
    Value odd = code.both(isWhole, code.negate(half));
    Value flipped = code.bits(code.exclusive(code.bits(result, code.i32()), sign), code.f32());
    result = code.select(odd, flipped, result);
    Value below = code.both(code.cmp(CmpFPredicate::OLT, x, code.zero(single)),
                            code.cmp(CmpFPredicate::OGT, x, code.real(single, -infinity)));
    Value none = code.both(below, code.negate(isWhole));
    return code.select(none, code.realBits(single, 0x7fc00000), result);
  }

  Code &code;
  Value x, y, size;
  Type single, wide, word;
};
} // namespace

Value emitPow(Code &code, Value x, Value y) { return Power(code, x, y).emit(); }

} // namespace trisect::cpu
