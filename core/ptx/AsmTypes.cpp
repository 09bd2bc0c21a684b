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

bool has(const AsmInstr &instr, const char *suffix) {
  return std::find(instr.suffixes.begin(), instr.suffixes.end(), suffix) != instr.suffixes.end();
}

} // namespace trisect::ptx
