//===- Integers.cpp - libdevice functions on integers and on the halves of a double ---------------------===//
#include "backends/cpu/runtime/Function.h"
#include <bit>
#include <chrono>
#include <cmath>

namespace trisect::cpu {

namespace {
using I = int32_t;
using U = uint32_t;
using L = int64_t;
using W = uint64_t;

// Three bits of the selector pick one of eight bytes.
U pickBytes(U a, U b, U selector) {
  uint8_t bytes[8];
  for (int n = 0; n < 4; ++n) {
    bytes[n] = static_cast<uint8_t>(a >> 8 * n);
    bytes[4 + n] = static_cast<uint8_t>(b >> 8 * n);
  }
  return bytes[selector & 7] | U(bytes[selector >> 4 & 7]) << 8 | U(bytes[selector >> 8 & 7]) << 16 |
         U(bytes[selector >> 12 & 7]) << 24;
}

// Swaps neighbours, pairs, nibbles; the machine turns bytes.
U mirrored(U x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
W mirroredWord(W x) { return W(mirrored(U(x))) << 32 | mirrored(U(x >> 32)); }

I low24(I x) { return static_cast<I>(U(x) << 8) >> 8; }
template <class T> U distance(T a, T b) { return a > b ? U(a) - U(b) : U(b) - U(a); }

L nanoseconds() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

double reciprocalHigh(double x) {
  if (std::fpclassify(x) == FP_SUBNORMAL)
    x = std::copysign(0.0, x);
  return std::bit_cast<double>(std::bit_cast<W>(1.0 / x) >> 32 << 32);
}
} // namespace

void addIntegers(RuntimeList &list) {
  add<nanoseconds, L>(list, "clock");
  add<[](W x) { return I(std::popcount(x)); }, I, W>(list, "__nv_popcll");
  add<[](W x) { return I(std::countl_zero(x)); }, I, W>(list, "__nv_clzll");
  add<[](U x) { return x ? I(std::countr_zero(x)) + 1 : 0; }, I, U>(list, "__nv_ffs");
  add<[](W x) { return x ? I(std::countr_zero(x)) + 1 : 0; }, I, W>(list, "__nv_ffsll");
  add<mirrored, U, U>(list, "__nv_brev");
  add<mirroredWord, W, W>(list, "__nv_brevll");
  add<pickBytes, U, U, U, U>(list, "__nv_byte_perm");
  add<[](I a, I b) { return I(L(a) * L(b) >> 32); }, I, I, I>(list, "__nv_mulhi");
  add<[](L a, L b) { return L(static_cast<__int128>(a) * b >> 64); }, L, L, L>(list, "__nv_mul64hi");
  add<[](I a, I b) { return I(W(L(low24(a)) * low24(b))); }, I, I, I>(list, "__nv_mul24");
  add<[](U a, U b) { return U(W(a << 8 >> 8) * (b << 8 >> 8)); }, U, U, U>(list, "__nv_umul24");
  add<[](I a, I b, U c) { return distance(a, b) + c; }, U, I, I, U>(list, "__nv_sad");
  add<[](U a, U b, U c) { return distance(a, b) + c; }, U, U, U, U>(list, "__nv_usad");
  add<[](I a, I b) { return I((L(a) + b) >> 1); }, I, I, I>(list, "__nv_hadd");
  add<[](I a, I b) { return I((L(a) + b + 1) >> 1); }, I, I, I>(list, "__nv_rhadd");
  add<[](U a, U b) { return U((W(a) + b) >> 1); }, U, U, U>(list, "__nv_uhadd");
  add<[](U a, U b) { return U((W(a) + b + 1) >> 1); }, U, U, U>(list, "__nv_urhadd");
  add<[](double x) { return U(std::bit_cast<W>(x) >> 32); }, U, double>(list, "__nv_double2hiint");
  add<[](double x) { return U(std::bit_cast<W>(x)); }, U, double>(list, "__nv_double2loint");
  add<[](U high, U low) { return std::bit_cast<double>(W(high) << 32 | low); }, double, U, U>(
      list, "__nv_hiloint2double");
  add<reciprocalHigh, double, double>(list, "__nv_rcp64h");
}

} // namespace trisect::cpu
