//===- Formula.h - a number that follows from a launch --------------------------------------------------===//
//
// What: integer arithmetic over the arguments and the grid of a launch, as steps that take their operands
// from a stack. Why: how often a loop of a kernel runs is known when it is launched, and compiled code has no
// time to find it out. Limits: 64 bits that wrap; a division by zero gives zero; what only one program knows
// has the value that it has for the first one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_FORMULA_H
#define TRISECT_BACKENDS_TARGET_FORMULA_H

#include "core/support/Launch.h"
#include <vector>

namespace trisect {

struct FormulaStep {
  enum class Kind : uint8_t {
    Constant, ///< puts `value` on the stack
    Argument, ///< argument number `value`, its bits
    Programs, ///< of the grid along dimension `value`
    Extend,   ///< the top's low `value` bits, with their sign
    Add,
    Subtract,
    Multiply,
    Divide, ///< towards zero
    Least,
    Greatest,
  };
  Kind kind = Kind::Constant;
  int64_t value = 0;
  friend bool operator==(const FormulaStep &, const FormulaStep &) = default;
};

using Formula = std::vector<FormulaStep>;
/// The numbers that a stack holds.
constexpr size_t deepestFormula = 32;

/// What is left on the stack; zero for a formula that is none, or goes deeper.
int64_t valueOf(const Formula &formula, const LaunchRequest &launch);

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_FORMULA_H
