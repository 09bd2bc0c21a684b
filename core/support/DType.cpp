//===- DType.cpp - sizes and names of element types -----------------------------------------------------===//
#include "core/support/DType.h"

namespace trisect {

namespace {
struct Row {
  uint8_t bytes;
  uint8_t bits;
  std::string_view name;
};
// In the order of DType.
constexpr Row rows[numDTypes] = {
    {1, 1, "i1"},   {1, 4, "i4"},     {1, 8, "i8"},       {2, 16, "i16"},       {4, 32, "i32"},
    {8, 64, "i64"}, {1, 8, "f8E5M2"}, {1, 8, "f8E4M3FN"}, {1, 8, "f8E5M2FNUZ"}, {1, 8, "f8E4M3FNUZ"},
    {2, 16, "f16"}, {2, 16, "bf16"},  {4, 32, "f32"},     {8, 64, "f64"},       {8, 64, "ptr"},
};
} // namespace

unsigned byteSize(DType type) { return rows[static_cast<int>(type)].bytes; }
unsigned bitWidth(DType type) { return rows[static_cast<int>(type)].bits; }
std::string_view name(DType type) { return rows[static_cast<int>(type)].name; }

} // namespace trisect
