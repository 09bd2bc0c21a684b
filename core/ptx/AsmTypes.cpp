//===- AsmTypes.cpp - the types that PTX instructions name ----------------------------------------------===//
#include "core/ptx/AsmTypes.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace trisect::ptx {

unsigned widthOf(const std::string &type) {
  if (type == "e2m1x2")
    return 1;
  if (type == "e4m3x2" || type == "e5m2x2")
    return 2;
  if (type == "f16x2" || type == "bf16x2")
    return 4;
  if (type.size() < 2 || !std::isdigit(static_cast<unsigned char>(type.back())))
    return 0;
  return static_cast<unsigned>(std::atoi(type.c_str() + type.find_first_of("0123456789"))) / 8;
}

std::optional<DType> floatType(const std::string &name) {
  if (name == "f16" || name == "f16x2")
    return DType::F16;
  if (name == "bf16" || name == "bf16x2")
    return DType::BF16;
  if (name == "f32")
    return DType::F32;
  if (name == "f64")
    return DType::F64;
  return std::nullopt;
}

FloatBits::FloatBits(DType type) {
  switch (type) {
  case DType::F16:
    sign = 0x8000, infinity = 0x7c00, nan = 0x7fff;
    return;
  case DType::BF16:
    sign = 0x8000, infinity = 0x7f80, nan = 0x7fff;
    return;
  case DType::F32:
    sign = 0x80000000, infinity = 0x7f800000, nan = 0x7fffffff;
    return;
  default:
    sign = uint64_t(1) << 63, infinity = uint64_t(0x7ff) << 52, nan = 0;
  }
}

bool keepsNan(const AsmInstr &cvt) {
  const std::string &to = cvt.suffixes[cvt.suffixes.size() - 2], &from = cvt.suffixes.back();
  bool moves = cvt.suffixes.size() == 2 && to == "f32" && (from == "f32" || from == "bf16");
  return from == "f64" || moves;
}

uint64_t wholeOfNan(DType from, unsigned bytes) {
  return bytes == 8 || from == DType::F64 ? uint64_t(1) << (8 * bytes - 1) : 0;
}

bool flushes(const AsmInstr &instr, DType type) { return type != DType::F64 && has(instr, "ftz"); }

bool has(const AsmInstr &instr, const char *suffix) {
  return std::find(instr.suffixes.begin(), instr.suffixes.end(), suffix) != instr.suffixes.end();
}

} // namespace trisect::ptx
