//===- OpTable.h - the op table of core/ops.def as C++ --------------------------------------------------===//
//
// What: an enumerator, a name, a class and a tolerance for every op that TTIR uses.
// Limits: facts only; what an op means stands in docs/semantics.md and in each tier.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OPTABLE_H
#define TRISECT_CORE_SUPPORT_OPTABLE_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace trisect {

enum class OpId : uint16_t {
#define TRISECT_OP(id, ...) id,
#include "core/ops.def"
};

enum class OpClass : uint8_t {
  Elementwise,
  Shape,
  Create,
  Memory,
  Atomic,
  Reduce,
  Dot,
  Control,
  Debug,
  Hint
};
enum class Tolerance : uint8_t { Exact, Rounded, Ulp, Reassoc, None };

struct OpInfo {
  OpId id;
  std::string_view mnemonic;
  OpClass cls;
  Tolerance tolerance;
};

/// All rows, in the order of OpId.
std::span<const OpInfo> opTable();
inline const OpInfo &info(OpId id) { return opTable()[static_cast<size_t>(id)]; }
/// The row of a full MLIR name, or nothing.
std::optional<OpId> opFromMnemonic(std::string_view mnemonic);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OPTABLE_H
