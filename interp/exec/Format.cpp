//===- Format.cpp - bits to numbers and text ------------------------------------------------------------===//
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include "interp/kernels/KernelTable.h"
#include <bit>
#include <cmath>
#include <cstdio>

namespace trisect::interp {

double toDouble(uint64_t bits, DType type) {
  if (type == DType::F64)
    return std::bit_cast<double>(bits);
  if (!isFloat(type))
    return static_cast<double>(signedBits(bits, type));
  if (type != DType::F32) {
    OpId op = isFloat8(type) ? OpId::tt_fp_to_fp : OpId::arith_extf;
    Strip strip{&bits, true};
    alignas(64) float wide[16] = {};
    elementwiseKernel({op, type, DType::F32}, Numerics::Ieee, Isa::Scalar)(wide, &strip, 1, 1);
    return wide[0];
  }
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

uint64_t fromDouble(double number, DType type) {
  if (type == DType::F64)
    return std::bit_cast<uint64_t>(number);
  if (!isFloat(type))
    return unsignedBits(static_cast<uint64_t>(static_cast<int64_t>(number)), type);
  float narrow = static_cast<float>(number);
  if (type == DType::F32)
    return std::bit_cast<uint32_t>(narrow);
  OpId op = isFloat8(type) ? OpId::tt_fp_to_fp : OpId::arith_truncf;
  Strip strip{&narrow, true};
  alignas(64) uint64_t bits[8] = {};
  elementwiseKernel({op, DType::F32, type}, Numerics::Ieee, Isa::Scalar)(bits, &strip, 1, 1);
  return unsignedBits(bits[0], byteSize(type) == 1 ? DType::I8 : DType::I16);
}

std::string formatElement(uint64_t bits, DType type, bool hex, bool isSigned) {
  char text[64];
  if (hex || type == DType::Ptr) {
    std::snprintf(text, sizeof(text), "0x%0*llx", static_cast<int>(2 * byteSize(type)),
                  static_cast<unsigned long long>(unsignedBits(bits, type)));
  } else if (isFloat(type)) {
    std::snprintf(text, sizeof(text), "%f", toDouble(bits, type));
  } else if (isSigned && type != DType::I1) {
    std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(signedBits(bits, type)));
  } else {
    std::snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(unsignedBits(bits, type)));
  }
  return text;
}

} // namespace trisect::interp
