//===- Wide.cpp - f64 vector code, its exponential and its logarithm ------------------------------------===//
#include "backends/cpu/math/Wide.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr uint64_t nan = 0x7ff8000000000000;
/// A number of this size has its units in its last bit.
constexpr double magic = 0x1.8p52;
constexpr int64_t magicBits = 0x4338000000000000;
} // namespace

Wide Wide::of(Code &code, Value single) {
  Type type = withElement(single.getType(), code.f64());
  return {code, code.b.create<arith::ExtFOp>(code.loc, type, single)};
}

Value Wide::single() const {
  return code->b.create<arith::TruncFOp>(code->loc, withElement(value.getType(), code->f32()), value);
}

Wide Wide::absolute() const { return {*code, code->b.create<math::AbsFOp>(code->loc, value)}; }
Wide Wide::root() const { return {*code, code->b.create<math::SqrtOp>(code->loc, value)}; }
Wide Wide::withSignOf(Wide sign) const { return {*code, code->make<math::CopySignOp>(value, sign.value)}; }

Wide choose(Value condition, Wide a, Wide b) {
  return {*a.code, a.code->select(condition, a.value, b.value)};
}

Wide horner(Wide x, std::initializer_list<double> coefficients) {
  Wide sum = x.like(*(coefficients.end() - 1));
  for (const double *next = coefficients.end() - 1; next-- != coefficients.begin();)
    sum = *next + x * sum;
  return sum;
}

Wide expOf(Wide x) {
  Code &code = *x.code;
  x = choose(x > 700, x.like(700), x);
  x = choose(x < -700, x.like(-700), x);
  Wide sum = x * 0x1.71547652b82fep+0 + magic, n = sum - magic;
  Wide r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  Wide p =
      horner(r, {0.5, 0x1.5555555553b48p-3, 0x1.5555555554ca7p-5, 0x1.1111111c5719ap-7, 0x1.6c16c1739a511p-10,
                 0x1.a019ad55d1aa7p-13, 0x1.a019c971b4d98p-16, 0x1.72c79824255ep-19, 0x1.288088c0e67a5p-22});
  Value word = sum.bits();
  Wide power = x.ofBits(code.shl(code.add(word, code.integer(word.getType(), 1023)), 52));
  return (1.0 + (r + r * r * p)) * power;
}

Wide logOf(Wide x) {
  Code &code = *x.code;
  Value raw = x.bits();
  auto number = [&](int64_t n) { return code.integer(raw.getType(), n); };
  Value e = code.sar(code.sub(raw, number(0x3fe6a09e667f3bcd)), 52);
  Wide m = x.ofBits(code.sub(raw, code.shl(e, 52)));
  Wide exponent = x.ofBits(code.add(e, number(magicBits))) - magic;
  Wide f = m - 1.0, s = f / (2.0 + f), z = s * s;
  Wide p = horner(z, {0x1.5555555555558p-1, 0x1.9999999995273p-2, 0x1.2492492dfd86cp-2, 0x1.c71c62d5e53ep-3,
                      0x1.7462b91b8df65p-3, 0x1.39fdcceb4bb45p-3, 0x1.2b5f68a50d903p-3});
  Wide fraction = f - s * (f - z * p);
  Wide result = exponent * 0x1.62e42feep-1 + (fraction + exponent * 0x1.a39ef35793c76p-33);
  result = choose(x.equals(infinity), x, result);
  result = choose(x.equals(0.0), x.like(-infinity), result);
  Value counts = code.cmp(arith::CmpFPredicate::OGE, x.value, x.like(0.0).value);
  return choose(counts, result, x.likeBits(nan));
}

} // namespace trisect::cpu
