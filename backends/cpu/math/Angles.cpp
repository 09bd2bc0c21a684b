//===- Angles.cpp - the inverse functions of the circle, in f64, rounded once ---------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/math/Wide.h"
#include <limits>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quarterTurn = 0x1.921fb54442d18p+0, halfTurn = 0x1.921fb54442d18p+1;

/// The angle of (x, y).
Wide angleOf(Wide y, Wide x) {
  Code &code = *x.code;
  Wide a = x.absolute(), b = y.absolute();
  Value endless = code.both(a.equals(infinity), b.equals(infinity));
  a = choose(endless, x.like(1.0), a);
  b = choose(endless, x.like(1.0), b);
  Value wide = a > b;
  Wide high = choose(wide, a, b), low = choose(wide, b, a);
  // atan q = pi/4 + atan((q - 1) / (q + 1)) keeps the operand of the series below sqrt(2) - 1.
  Value upper = low > high * 0x1.a827999fcef32p-2;
  Wide numerator = choose(upper, low - high, low), denominator = choose(upper, low + high, high);
  Wide t = numerator / choose(denominator.equals(0.0), x.like(1.0), denominator), z = t * t;
  Wide p = horner(z, {-0x1.55555555553ap-2, 0x1.99999998cfffbp-3, -0x1.249248a9b2c38p-3, 0x1.c71c37dafcfebp-4,
                      -0x1.74563649b174bp-4, 0x1.3a9d31071e532p-4, -0x1.0c503f956605p-4, 0x1.a757649dd4de5p-5,
                      -0x1.bde7eaba10384p-6});
  Wide octant = choose(upper, x.like(0x1.921fb54442d18p-1), x.like(0.0)) + (t + t * z * p);
  Wide quadrant = choose(b > a, quarterTurn - octant, octant);
  Value word = x.bits(), left = code.cmp(arith::CmpIPredicate::slt, word, code.zero(word.getType()));
  Wide half = choose(left, halfTurn - quadrant, quadrant);
  Wide nan = x.likeBits(0x7ff8000000000000);
  return choose(code.either(x.isNan(), y.isNan()), nan, half).withSignOf(y);
}

/// asin s for 0 <= s <= 1/2.
Wide smallArcsine(Wide s) {
  Wide z = s * s;
  return s + s * z *
                 horner(z, {0x1.55555555555bcp-3, 0x1.3333333302d42p-4, 0x1.6db6dba9ded46p-5,
                            0x1.f1c6ff632bc58p-6, 0x1.6e8f37bce829dp-6, 0x1.1c0d42d9a72edp-6,
                            0x1.cf629dd6ae5fdp-7, 0x1.5114f44b779p-7, 0x1.fa6d9d973284ep-7,
                            -0x1.c05fb18feb0f9p-8, 0x1.c8ea18fd14be4p-6});
}

/// The arc sine of |x|, or of what it leaves to a right angle, halved, where it is steep.
struct Arc {
  Value steep;
  Wide small;
};
Arc arcOf(Wide x) {
  Wide a = x.absolute();
  Value steep = a > 0.5;
  return {steep, smallArcsine(choose(steep, ((1.0 - a) * 0.5).root(), a))};
}
} // namespace

Value emitAtan(Code &code, Value value) {
  Wide y = Wide::of(code, value);
  return angleOf(y, y.like(1.0)).single();
}

Value emitAtan2(Code &code, Value y, Value x) {
  return angleOf(Wide::of(code, y), Wide::of(code, x)).single();
}

Value emitAsin(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Arc arc = arcOf(x);
  return choose(arc.steep, quarterTurn - (arc.small + arc.small), arc.small).withSignOf(x).single();
}

Value emitAcos(Code &code, Value value) {
  Wide x = Wide::of(code, value);
  Arc arc = arcOf(x);
  Wide middle = quarterTurn - arc.small.withSignOf(x), twice = arc.small + arc.small;
  return choose(arc.steep, choose(x > 0.0, twice, halfTurn - twice), middle).single();
}

} // namespace trisect::cpu
