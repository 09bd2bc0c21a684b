//===- Intervals.h - the least and greatest element of a block, in code ---------------------------------===//
//
// What: emits the exact bounds of an integer block as two scalars, and one more scalar that is true if no
// step of the arithmetic leaves the type that the program names. Why: masks that are true everywhere, and
// lanes that stay evenly spaced when they are widened, follow from the bounds; wrapped elements lie outside
// of them. Limits: ranges, splats, integer arithmetic and shapes; nothing for elements that come from memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H
#define TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

class Intervals {
public:
  struct Ends {
    mlir::Value low, high; ///< signed, of the type `wide`
  };

  explicit Intervals(KernelState &state)
      : state(state), wide(state.builder.getIntegerType(128)),
        valid(state.code().integer(state.code().i1(), 1)) {}

  /// The bounds of a TTIR value, or nothing.
  std::optional<Ends> of(mlir::Value value);
  /// Requires of holds() that every element of `value` is at least 0 and less than each of `limit`; false if
  /// their bounds are not known.
  bool requireBelow(mlir::Value value, mlir::Value limit);
  /// Requires of holds() that no element of `value` is below 0; false if their bounds are not known.
  bool requireNotNegative(mlir::Value value);
  /// True if every bound that was asked for so far holds.
  mlir::Value holds() const { return valid; }

private:
  std::optional<Ends> compute(mlir::Value value);
  std::optional<Ends> ofConstant(mlir::Value value);
  std::optional<Ends> ofOperation(mlir::Operation *op);
  std::optional<Ends> ofBinary(mlir::Operation *op);
  std::optional<Ends> ofRemainder(mlir::Operation *op);
  mlir::Value isBelow(const Ends &ends, const Ends &limit);
  std::optional<Ends> ofConstantRight(mlir::Operation *op, int64_t right);
  Ends joined(const Ends &a, const Ends &b);
  Ends product(const Ends &a, const Ends &b);
  Ends between(int64_t low, int64_t high);
  void require(mlir::Value condition);
  void requireFit(const Ends &ends, unsigned width);

  KernelState &state;
  mlir::Type wide; ///< sums and products of 64-bit numbers are exact in it
  mlir::Value valid;
  llvm::DenseMap<mlir::Value, std::optional<Ends>> known;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H
