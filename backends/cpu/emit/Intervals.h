//===- Intervals.h - the least and greatest element of a block, in code ---------------------------------===//
//
// What: emits the exact bounds of an integer block as two scalars, and one more scalar that is true if no
// step of the arithmetic leaves the type that the program names. Why: masks that are true everywhere, and
// lanes that stay evenly spaced when they are widened, follow from the bounds; wrapped elements lie outside
// of them. Each end knows how many bits it may take: what fits a type by itself is not asked for, and numbers
// of more than 64 bits, which cost several instructions each, are only there for programs that count in 64.
// Limits: ranges, splats, integer arithmetic and shapes; nothing for elements that come from memory. Where an
// end does not hold, those computed from it may be any number.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H
#define TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

class Intervals {
public:
  /// A signed number; if holds() is true, one of that many bits.
  struct End {
    mlir::Value value; ///< an i64, or an i128 if it may need more
    unsigned bits;
  };
  struct Ends {
    End low, high;
  };

  explicit Intervals(KernelState &state) : state(state), valid(state.code().integer(state.code().i1(), 1)) {}

  /// The bounds of a TTIR value, or nothing.
  std::optional<Ends> of(mlir::Value value);
  /// Requires of holds() that every element of `value` is at least 0 and less than each of `limit`; false if
  /// their bounds are not known.
  bool requireBelow(mlir::Value value, mlir::Value limit);
  /// Requires of holds() that no element of `value` is below 0; false if their bounds are not known.
  bool requireNotNegative(mlir::Value value);
  /// True if the bounds of `value` were asked for and are known: where holds() is true, no step to it wraps.
  bool covers(mlir::Value value) const {
    auto found = known.find(value);
    return found != known.end() && found->second;
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, const End &a, const End &b);
  /// A constant.
  End number(const llvm::APInt &value);
  End number(int64_t value) { return number(llvm::APInt(64, value, /*isSigned=*/true)); }
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
  mlir::Type typeOf(unsigned bits);
  /// The value in the type for that many bits.
  mlir::Value in(const End &end, unsigned bits);
  /// Of an operation that takes numbers of `bits` bits.
  template <class Op> End both(const End &a, const End &b, unsigned bits) {
    return {state.code().make<Op>(in(a, bits), in(b, bits)), bits};
  }
  End sum(const End &a, const End &b);
  End difference(const End &a, const End &b);
  End least(const End &a, const End &b);
  End most(const End &a, const End &b);
  Ends joined(const Ends &a, const Ends &b);
  Ends product(const Ends &a, const Ends &b);
  Ends between(int64_t low, int64_t high) { return {number(low), number(high)}; }
  void require(mlir::Value condition);
  void requireFit(Ends &ends, unsigned width);

  KernelState &state;
  mlir::Value valid;
  llvm::DenseMap<mlir::Value, std::optional<Ends>> known;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_INTERVALS_H
