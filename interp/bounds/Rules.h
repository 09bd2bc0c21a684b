//===- Rules.h - what an operation leaves open in a profile ---------------------------------------------===//
//
// What: the table of Rules.def as questions. Why: how far a legal evaluation may be off is data that stands
// in one place, beside the documentation it repeats.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_RULES_H
#define TRISECT_INTERP_BOUNDS_RULES_H

#include "core/support/DType.h"
#include "core/support/OpTable.h"
#include <cstdint>

namespace trisect::interp {

/// How the result of an operation follows its operands; see Rules.def.
enum class Course : uint8_t { Unknown, Rising, Falling, Difference, Corners, Even, Wave };

/// What the compiled code that is judged may do beside what tier 0 does.
struct BoundProfile {
  bool gpu = false; ///< approximations of a GPU: wider functions, subnormals lost in them
  /// A product that feeds a sum may keep its unrounded value.
  bool contracts = false;
  /// Reductions, scans and products join their elements in another order than tier 0.
  bool freeOrder = false;
  /// Products of bf16 that add up in f32 may take and give zero for what is subnormal.
  bool flushesHalves = false;

  static BoundProfile ieee() { return {}; }
  static BoundProfile cpu() { return {.flushesHalves = true}; }
  static BoundProfile cuda(bool contracts) { return {true, contracts, true}; }
};

Course courseOf(OpId op);
/// How many elements of the result type tier 0 and a legal evaluation may lie apart on the same operands.
int64_t openUlps(OpId op, DType result, const BoundProfile &profile);

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_RULES_H
