//===- Integers.cpp - libdevice functions on integers and on the halves of a double ---------------------===//
#include "interp/kernels/libdevice/Lanes.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include "interp/numerics/Bits.h"

namespace trisect::interp {

namespace {
/// Byte i of the result is byte (selector nibble i) of the eight bytes of b:a.
uint32_t bytePerm(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = (uint64_t(b) << 32) | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= uint32_t((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff) << (8 * i);
  return result;
}
uint32_t reverseBits(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= ((x >> i) & 1u) << (31 - i);
  return result;
}
uint64_t reverseBits64(uint64_t x) {
  return (uint64_t(reverseBits(uint32_t(x))) << 32) | reverseBits(uint32_t(x >> 32));
}
int64_t signExtend24(int32_t x) { return int32_t(uint32_t(x) << 8) >> 8; }
uint32_t absoluteDifference(int64_t a, int64_t b) { return uint32_t(a > b ? a - b : b - a); }
/// An approximate reciprocal of which only the high half counts, as rcp.approx.ftz.f64.
double reciprocalHigh(double x) {
  const double flushed = absolute(x) < 0x1p-1022 ? withSign(0.0, x) : x;
  return doubleOf(bitsOf(1.0 / flushed) & 0xffffffff00000000u);
}
} // namespace

void addLibdeviceIntegers(Registry &r) {
  constexpr DType i32 = DType::I32, i64 = DType::I64, f64 = DType::F64;
  r.addExtern("__nv_popcll", i64, i32,
              laneKernel<[](uint64_t x) { return __builtin_popcountll(x); }, int32_t, uint64_t>);
  r.addExtern("__nv_clzll", i64, i32,
              laneKernel<[](uint64_t x) { return x ? __builtin_clzll(x) : 64; }, int32_t, uint64_t>);
  r.addExtern("__nv_ffs", i32, i32, laneKernel<[](int32_t x) { return __builtin_ffs(x); }, int32_t, int32_t>);
  r.addExtern("__nv_ffsll", i64, i32,
              laneKernel<[](int64_t x) { return __builtin_ffsll(x); }, int32_t, int64_t>);
  r.addExtern("__nv_brev", i32, i32, laneKernel<reverseBits, uint32_t, uint32_t>);
  r.addExtern("__nv_brevll", i64, i64, laneKernel<reverseBits64, uint64_t, uint64_t>);
  r.addExtern("__nv_byte_perm", i32, i32, laneKernel<bytePerm, uint32_t, uint32_t, uint32_t, uint32_t>);

  r.addExtern("__nv_mulhi", i32, i32,
              laneKernel<[](int32_t a, int32_t b) { return int32_t((int64_t(a) * b) >> 32); }, int32_t,
                         int32_t, int32_t>);
  r.addExtern("__nv_mul64hi", i64, i64,
              laneKernel<[](int64_t a, int64_t b) { return int64_t((static_cast<__int128>(a) * b) >> 64); },
                         int64_t, int64_t, int64_t>);
  r.addExtern("__nv_mul24", i32, i32,
              laneKernel<[](int32_t a, int32_t b) { return int32_t(signExtend24(a) * signExtend24(b)); },
                         int32_t, int32_t, int32_t>);
  r.addExtern(
      "__nv_umul24", i32, i32,
      laneKernel<[](uint32_t a, uint32_t b) { return uint32_t(uint64_t(a & 0xffffff) * (b & 0xffffff)); },
                 uint32_t, uint32_t, uint32_t>);
  r.addExtern("__nv_sad", i32, i32,
              laneKernel<[](int32_t a, int32_t b, uint32_t c) { return absoluteDifference(a, b) + c; },
                         uint32_t, int32_t, int32_t, uint32_t>);
  r.addExtern("__nv_usad", i32, i32,
              laneKernel<[](uint32_t a, uint32_t b, uint32_t c) { return absoluteDifference(a, b) + c; },
                         uint32_t, uint32_t, uint32_t, uint32_t>);
  r.addExtern("__nv_hadd", i32, i32,
              laneKernel<[](int32_t a, int32_t b) { return int32_t((int64_t(a) + b) >> 1); }, int32_t,
                         int32_t, int32_t>);
  r.addExtern("__nv_rhadd", i32, i32,
              laneKernel<[](int32_t a, int32_t b) { return int32_t((int64_t(a) + b + 1) >> 1); }, int32_t,
                         int32_t, int32_t>);
  r.addExtern("__nv_uhadd", i32, i32,
              laneKernel<[](uint32_t a, uint32_t b) { return uint32_t((uint64_t(a) + b) >> 1); }, uint32_t,
                         uint32_t, uint32_t>);
  r.addExtern("__nv_urhadd", i32, i32,
              laneKernel<[](uint32_t a, uint32_t b) { return uint32_t((uint64_t(a) + b + 1) >> 1); },
                         uint32_t, uint32_t, uint32_t>);

  r.addExtern("__nv_double2hiint", f64, i32,
              laneKernel<[](double x) { return uint32_t(bitsOf(x) >> 32); }, uint32_t, double>);
  r.addExtern("__nv_double2loint", f64, i32,
              laneKernel<[](double x) { return uint32_t(bitsOf(x)); }, uint32_t, double>);
  r.addExtern("__nv_hiloint2double", i32, f64,
              laneKernel<[](uint32_t high, uint32_t low) { return doubleOf((uint64_t(high) << 32) | low); },
                         double, uint32_t, uint32_t>);
  r.addExtern("__nv_rcp64h", f64, f64, laneKernel<reciprocalHigh, double, double>);
}

} // namespace trisect::interp
