//===- Enums.h - numbers of the dialects' enumerations --------------------------------------------------===//
//
// What: the enumerations of core/ir/Attrs.td and the predicates of MLIR's arith dialect as plain C++. Made by
// .dev/lint/enums.py: `./dev bless` rewrites it, `./dev lint` holds it. Why: tier 0 reads them as numbers of
// its instructions and knows no MLIR. Limits: where MLIR is at hand, its own enumerations serve.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ENUMS_H
#define TRISECT_CORE_SUPPORT_ENUMS_H

#include <cstdint>

namespace trisect::attr {

enum class ProgramAxis : int64_t {
  X = 0,
  Y = 1,
  Z = 2,
};

enum class CacheModifier : int64_t {
  None = 1,
  Ca = 2,
  Cg = 3,
  Wb = 4,
  Cs = 5,
  Wt = 6,
  Cv = 7,
};

enum class EvictionPolicy : int64_t {
  Normal = 1,
  First = 2,
  Last = 3,
};

enum class PaddingOption : int64_t {
  Zero = 1,
  Nan = 2,
};

enum class RmwKind : int64_t {
  And = 1,
  Or = 2,
  Xor = 3,
  Add = 4,
  FAdd = 5,
  Max = 6,
  Min = 7,
  UMax = 8,
  UMin = 9,
  Exch = 10,
};

enum class MemSemantic : int64_t {
  Relaxed = 1,
  Acquire = 2,
  Release = 3,
  AcqRel = 4,
};

enum class MemScope : int64_t {
  Gpu = 1,
  Cta = 2,
  Sys = 3,
};

enum class DescriptorReduceKind : int64_t {
  Add = 1,
  Min = 2,
  Max = 3,
  Inc = 4,
  Dec = 5,
  And = 6,
  Or = 7,
  Xor = 8,
};

enum class PropagateNan : int64_t {
  None = 0,
  All = 65535,
};

enum class RoundingMode : int64_t {
  TowardZero = 0,
  NearestEven = 1,
};

enum class InputPrecision : int64_t {
  Tf32 = 0,
  Tf32x3 = 1,
  Ieee = 2,
  Bf16x3 = 3,
  Bf16x6 = 4,
  Blocks = 5,
};

enum class ScaledFormat : int64_t {
  E4M3 = 0,
  E5M2 = 1,
  E2M3 = 2,
  E3M2 = 3,
  E2M1 = 4,
  BF16 = 5,
  FP16 = 6,
};

enum class CmpF : int64_t {
  AlwaysFalse = 0,
  OEQ = 1,
  OGT = 2,
  OGE = 3,
  OLT = 4,
  OLE = 5,
  ONE = 6,
  ORD = 7,
  UEQ = 8,
  UGT = 9,
  UGE = 10,
  ULT = 11,
  ULE = 12,
  UNE = 13,
  UNO = 14,
  AlwaysTrue = 15,
};

enum class CmpI : int64_t {
  Eq = 0,
  Ne = 1,
  Slt = 2,
  Sle = 3,
  Sgt = 4,
  Sge = 5,
  Ult = 6,
  Ule = 7,
  Ugt = 8,
  Uge = 9,
};

/// As an instruction's attribute.
template <typename Enum> constexpr uint64_t numberOf(Enum value) { return static_cast<uint64_t>(value); }

} // namespace trisect::attr

#endif // TRISECT_CORE_SUPPORT_ENUMS_H
