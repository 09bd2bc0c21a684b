//===- DType.h - element types of blocks and kernel arguments -------------------------------------------===//
//
// What: every element type that a block or a kernel argument can have, with its size in memory.
// Why: tiers, launcher and reports must name types alike, and none of them should need MLIR for it.
// Limits: signedness is not a type here, as in TTIR; operations carry it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_DTYPE_H
#define TRISECT_CORE_SUPPORT_DTYPE_H

#include <cstdint>
#include <string_view>

namespace trisect {

enum class DType : uint8_t {
  I1, ///< one byte per element, 0 or 1
  I4, ///< one byte per element, sign-extended
  I8,
  I16,
  I32,
  I64,
  F8E5M2,
  F8E4M3FN,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  F16,
  BF16,
  F32,
  F64,
  Ptr, ///< a 64-bit address
};
constexpr int numDTypes = static_cast<int>(DType::Ptr) + 1;

/// Bytes of one element in a block and in memory.
unsigned byteSize(DType type);
/// Significant bits: 1 for I1, 4 for I4, else 8 * byteSize.
unsigned bitWidth(DType type);
/// The TTIR spelling: `i32`, `bf16`, `f8E4M3FN`; `ptr` for pointers.
std::string_view name(DType type);

constexpr bool isInteger(DType type) { return type <= DType::I64; }
constexpr bool isFloat(DType type) { return type > DType::I64 && type < DType::Ptr; }
constexpr bool isFloat8(DType type) { return type >= DType::F8E5M2 && type <= DType::F8E4M3FNUZ; }

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_DTYPE_H
