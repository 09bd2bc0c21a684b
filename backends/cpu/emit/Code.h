//===- Code.h - short names for building scalar and vector code -----------------------------------------===//
//
// What: a builder with a location whose functions fold constants and work on scalars and vectors alike.
// Limits: knows nothing of TTIR. Both operands of a binary function have one type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CODE_H
#define TRISECT_BACKENDS_CPU_EMIT_CODE_H

#include "backends/cpu/orc/Machine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace trisect::cpu {

/// The scalar type of a scalar or vector.
mlir::Type elementOf(mlir::Type type);
/// The type with `like`'s lanes and another scalar type.
mlir::Type withElement(mlir::Type like, mlir::Type element);
/// `vector<lanes x element>`, or `element` itself for one lane.
mlir::Type vectorOf(mlir::Type element, unsigned lanes);
/// 1 for scalars.
unsigned lanesOf(mlir::Type type);
/// The value of an integer constant, scalar or splat.
std::optional<int64_t> constantOf(mlir::Value value);

/// Constants of functions: each stands once, at the begin of its function. Why: every step of an index makes
/// some, and most of the text of a kernel would be they.
using SharedConstants = llvm::DenseMap<std::pair<mlir::Operation *, mlir::Attribute>, mlir::Value>;

/// Bytes that memory and caches pass on at once.
constexpr int64_t lineBytes = 64;

struct Code {
  mlir::OpBuilder &b;
  mlir::Location loc;
  SharedConstants *shared = nullptr; ///< null: constants stand where they are used
  const Machine *machine = nullptr;  ///< whose own instructions may stand in the code; null: none

  mlir::Type i1() const { return b.getI1Type(); }
  mlir::Type i8() const { return b.getI8Type(); }
  mlir::Type i16() const { return b.getI16Type(); }
  mlir::Type i32() const { return b.getI32Type(); }
  mlir::Type i64() const { return b.getI64Type(); }
  mlir::Type f32() const { return b.getF32Type(); }
  mlir::Type f64() const { return b.getF64Type(); }

  /// A constant of the scalar or vector type `type`.
  mlir::Value integer(mlir::Type type, int64_t value);
  mlir::Value real(mlir::Type type, double value);
  mlir::Value realBits(mlir::Type type, uint64_t bits);
  mlir::Value zero(mlir::Type type);
  mlir::Value i64(int64_t value) { return integer(i64(), value); }

  mlir::Value constant(mlir::TypedAttr value);
  /// Builds an operation or what it folds to.
  template <class Op, class... Arguments> mlir::Value fold(Arguments... arguments) {
    mlir::Block *block = b.getInsertionBlock();
    auto before = b.getInsertionPoint();
    mlir::Operation *last = before == block->begin() ? nullptr : &*std::prev(before);
    return afterFold(b.createOrFold<Op>(loc, arguments...), last);
  }
  template <class Op> mlir::Value make(mlir::Value a, mlir::Value b2) {
    // Folding looks for constants on the right.
    if (Op::template hasTrait<mlir::OpTrait::IsCommutative>() && isConstant(a))
      std::swap(a, b2);
    return fold<Op>(a, b2);
  }
  mlir::Value add(mlir::Value a, mlir::Value c) { return make<mlir::arith::AddIOp>(a, c); }
  mlir::Value sub(mlir::Value a, mlir::Value c) { return make<mlir::arith::SubIOp>(a, c); }
  mlir::Value mul(mlir::Value a, mlir::Value c) { return make<mlir::arith::MulIOp>(a, c); }
  mlir::Value both(mlir::Value a, mlir::Value c) { return make<mlir::arith::AndIOp>(a, c); }
  mlir::Value either(mlir::Value a, mlir::Value c) { return make<mlir::arith::OrIOp>(a, c); }
  mlir::Value exclusive(mlir::Value a, mlir::Value c) { return make<mlir::arith::XOrIOp>(a, c); }
  mlir::Value shl(mlir::Value a, int64_t n) { return make<mlir::arith::ShLIOp>(a, integer(a.getType(), n)); }
  mlir::Value shr(mlir::Value a, int64_t n) { return make<mlir::arith::ShRUIOp>(a, integer(a.getType(), n)); }
  mlir::Value sar(mlir::Value a, int64_t n) { return make<mlir::arith::ShRSIOp>(a, integer(a.getType(), n)); }
  mlir::Value negate(mlir::Value condition) { return exclusive(condition, integer(condition.getType(), 1)); }
  mlir::Value addf(mlir::Value a, mlir::Value c) { return make<mlir::arith::AddFOp>(a, c); }
  mlir::Value subf(mlir::Value a, mlir::Value c) { return make<mlir::arith::SubFOp>(a, c); }
  mlir::Value mulf(mlir::Value a, mlir::Value c) { return make<mlir::arith::MulFOp>(a, c); }
  mlir::Value divf(mlir::Value a, mlir::Value c) { return make<mlir::arith::DivFOp>(a, c); }
  mlir::Value fma(mlir::Value a, mlir::Value x, mlir::Value c);
  mlir::Value cmp(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value c);
  mlir::Value cmp(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value c);
  /// A scalar condition may choose between vectors.
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value c);
  /// Same bits in another scalar type.
  mlir::Value bits(mlir::Value value, mlir::Type element);
  mlir::Value zext(mlir::Value value, mlir::Type element);
  mlir::Value sext(mlir::Value value, mlir::Type element);
  mlir::Value trunc(mlir::Value value, mlir::Type element);
  /// Sign-extends or truncates.
  mlir::Value resize(mlir::Value value, mlir::Type element);

  /// All lanes hold `scalar`; a scalar stays one for one lane.
  mlir::Value splat(mlir::Value scalar, unsigned lanes);
  /// 0, 1, 2 ... in the integer type.
  mlir::Value iota(mlir::Type element, unsigned lanes);
  mlir::Value lane(mlir::Value vector, unsigned index);
  /// The lower or upper half of a vector; a scalar for two lanes.
  mlir::Value half(mlir::Value vector, bool upper);
  /// The vector of two halves.
  mlir::Value whole(mlir::Value lower, mlir::Value upper);
  /// An address in an integer as a pointer, lane by lane.
  mlir::Value pointer(mlir::Value address);
  /// Asks for the line at an address, into the cache of that level.
  void prefetch(mlir::Value address, unsigned cache);
  /// True if every lane is.
  mlir::Value allTrue(mlir::Value condition);
  /// True if one lane is.
  mlir::Value anyTrue(mlir::Value condition);

  /// Whether the machine has 512-bit instructions for a type: of sixteen f32, or of more in several
  /// registers.
  bool isWide(mlir::Type type) const;
  /// A call of an LLVM intrinsic.
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type result, mlir::ValueRange operands);

private:
  static bool isConstant(mlir::Value value);
  /// `made`, or the shared constant in its place if it is one made after `last`.
  mlir::Value afterFold(mlir::Value made, mlir::Operation *last);
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CODE_H
