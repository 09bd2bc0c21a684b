//===- QuotientsTest.cpp - quotients that could be rounded the other way --------------------------------===//
//
// What: x / y = RN(q + (x - q y) z), with z = RN(1 / y) and q = RN(x z), for all mantissas
// (cpu/emit/Quotients). Why all: before its last rounding it differs from x / y by less than 5 * 2^-48 / y (q
// is within 1.5 ULP, z y within 2^-24 of one, and the remainder is exact or rounded at 2^-47), so that only
// quotients as close to the middle of two numbers as that could be rounded the other way. If m is such a
// middle, x and m y differ by k units of their product, and for each y there is at most one m with each k, up
// to a power of two in y: it is found by the inverse of y modulo a power of two. Others need no test.
//
//===----------------------------------------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace {

constexpr int64_t low = 1 << 23, high = 1 << 24; ///< mantissas as integers
constexpr int mostUnits = 8;

struct Counts {
  int64_t tested = 0, wrong = 0;
};

void divide(int64_t numerator, int64_t denominator, float reciprocal, Counts &counts) {
  float x = std::ldexp(float(numerator), -23), y = std::ldexp(float(denominator), -23), q = x * reciprocal;
  float better = std::fma(std::fma(-q, y, x), reciprocal, q);
  ++counts.tested;
  counts.wrong += better != x / y;
}

/// Modulo 2^32.
uint32_t inverseOf(uint32_t odd) {
  uint32_t inverse = odd;
  for (int bits = 3; bits < 32; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

/// All x with x 2^places = m y + units, where m is a middle: an odd number of 25 bits.
void divideNear(int64_t y, int places, int units, float reciprocal, Counts &counts) {
  int even = __builtin_ctzll(uint64_t(y));
  if (units % (1 << even) != 0)
    return;
  int64_t period = (int64_t(1) << places) >> even;
  int64_t first = -(units >> even) * int64_t(inverseOf(uint32_t(y >> even))) & (period - 1);
  for (int64_t m = first; m < 2 * high; m += period) {
    int64_t x = (m * y + units) >> places;
    bool hasPlaces = places == 24 ? x >= y : x < y; // a quotient below one has one more
    if (m > high && m % 2 && x >= low && x < high && hasPlaces)
      divide(x, y, reciprocal, counts);
  }
}

Counts divideAll(int64_t step, bool exactReciprocal) {
  Counts counts;
  for (int64_t y = low; y < high; y += step) {
    float reciprocal = 1 / std::ldexp(float(y), -23);
    if (!exactReciprocal)
      reciprocal = std::nextafter(reciprocal, 2.0F);
    for (int places : {24, 25})
      for (int units = -mostUnits; units <= mostUnits; ++units)
        if (units != 0)
          divideNear(y, places, units, reciprocal, counts);
  }
  return counts;
}

TEST(Quotients, AllThatAreNearTheMiddleOfTwoNumbersAreRoundedAsADivisionDoes) {
  Counts counts = divideAll(1, true);
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GT(counts.tested, 40'000'000);
}

TEST(Quotients, AReciprocalThatIsNotTheNearestIsNotEnough) {
  Counts counts = divideAll(1021, false);
  EXPECT_GT(counts.wrong, counts.tested / 100);
}

} // namespace
