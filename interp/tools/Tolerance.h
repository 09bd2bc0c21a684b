//===- Tolerance.h - how far a result may be from what is expected --------------------------------------===//
//
// What: the `tolerance` of a run test: exact, in steps of the type, or for sums in another order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_TOLERANCE_H
#define TRISECT_INTERP_TOOLS_TOLERANCE_H

#include "core/support/DType.h"
#include <string>
#include <string_view>

namespace trisect::tools {

/// `exact`: the same bits, any NaN for a NaN. `ulp N`: at most N steps of the type. `reassoc N`: at most N
/// (64) rounding errors of the type times the larger of the expected magnitude and 1. Integers are always
/// exact.
struct Tolerance {
  enum class Kind { Exact, Ulp, Reassoc } kind = Kind::Exact;
  double amount = 0;

  /// Throws InvalidInput.
  static Tolerance parse(std::string_view text);
  bool allows(uint64_t got, uint64_t want, DType type) const;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_TOLERANCE_H
