//===- IntegerOps.cpp - integers and addresses ----------------------------------------------------------===//
//
// What: one element of each integer op. What TTIR leaves undefined has the value of docs/numerics.md and
// never traps; nothing here is LLVM's poison.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
// x / 0 is all ones, the smallest number by -1 is itself.
Value *divide(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  Type *type = x->getType();
  Constant *zero = ConstantInt::get(type, 0), *ones = ConstantInt::getAllOnesValue(type);
  auto plain = [&](Value *by) { return isSigned ? b.CreateSDiv(x, by) : b.CreateUDiv(x, by); };
  if (auto *known = dyn_cast<ConstantInt>(y); known && !known->isZero() && !known->isMinusOne())
    return plain(y);
  Value *byZero = b.CreateICmpEQ(y, zero), *bad = byZero, *byMinusOne = nullptr;
  if (isSigned) {
    byMinusOne = b.CreateICmpEQ(y, ones);
    bad = b.CreateOr(byZero, byMinusOne);
  }
  Value *quotient = plain(b.CreateSelect(bad, ConstantInt::get(type, 1), y));
  if (isSigned)
    quotient = b.CreateSelect(byMinusOne, b.CreateSub(zero, x), quotient);
  return b.CreateSelect(byZero, ones, quotient);
}

// x % 0 is x.
Value *remainder(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  if (auto *known = dyn_cast<ConstantInt>(y); known && !known->isZero() && !known->isMinusOne())
    return isSigned ? b.CreateSRem(x, y) : b.CreateURem(x, y);
  Value *rest = b.CreateSub(x, b.CreateMul(divide(b, x, y, isSigned), y));
  return b.CreateSelect(b.CreateICmpEQ(y, ConstantInt::get(y->getType(), 0)), x, rest);
}

Value *roundedQuotient(IRBuilder<> &b, Value *x, Value *y, bool up) {
  Constant *zero = ConstantInt::get(x->getType(), 0), *one = ConstantInt::get(x->getType(), 1);
  Value *quotient = divide(b, x, y, true), *rest = remainder(b, x, y, true);
  Value *inexact = b.CreateAnd(b.CreateICmpNE(rest, zero), b.CreateICmpNE(y, zero));
  Value *differ = b.CreateICmpSLT(b.CreateXor(rest, y), zero);
  Value *step = b.CreateAnd(inexact, up ? b.CreateNot(differ) : differ);
  return b.CreateSelect(step, up ? b.CreateAdd(quotient, one) : b.CreateSub(quotient, one), quotient);
}

// A shift by the width or more moves every bit out; LLVM would make it poison.
Value *shift(IRBuilder<> &b, Value *x, Value *amount, OpId id) {
  Type *type = x->getType();
  uint64_t width = type->getIntegerBitWidth();
  auto plain = [&](Value *by) {
    return id == OpId::arith_shli    ? b.CreateShl(x, by)
           : id == OpId::arith_shrsi ? b.CreateAShr(x, by)
                                     : b.CreateLShr(x, by);
  };
  if (auto *known = dyn_cast<ConstantInt>(amount); known && known->getValue().ult(width))
    return plain(amount);
  Value *inside = b.CreateICmpULT(amount, ConstantInt::get(type, width));
  if (id == OpId::arith_shrsi)
    return plain(b.CreateSelect(inside, amount, ConstantInt::get(type, width - 1)));
  Constant *zero = ConstantInt::get(type, 0);
  return b.CreateSelect(inside, plain(b.CreateSelect(inside, amount, zero)), zero);
}

/// The bit that `x` is as an integer, 0 or 1; null if it may be another number.
Value *asBit(IRBuilder<> &b, Value *x) {
  if (auto *wide = dyn_cast<ZExtInst>(x); wide && wide->getSrcTy()->isIntegerTy(1))
    return wide->getOperand(0);
  unsigned width = x->getType()->getIntegerBitWidth();
  KnownBits known = computeKnownBits(x, b.GetInsertBlock()->getModule()->getDataLayout());
  return width > 1 && known.countMaxActiveBits() <= 1 ? b.CreateTrunc(x, b.getInt1Ty()) : nullptr;
}

// Sorts ask so whether a comparison came out as the direction wants it.
Value *compareBits(IRBuilder<> &b, mlir::arith::CmpIPredicate predicate, Value *x, Value *y) {
  using enum mlir::arith::CmpIPredicate;
  if ((predicate != eq && predicate != ne) || !(isa<ZExtInst>(x) || isa<ZExtInst>(y)))
    return nullptr;
  Value *left = asBit(b, x), *right = left ? asBit(b, y) : nullptr;
  if (!right)
    return nullptr;
  Value *differ = b.CreateXor(left, right);
  return predicate == ne ? differ : b.CreateNot(differ);
}

Value *compare(IRBuilder<> &b, mlir::arith::CmpIPredicate predicate, Value *x, Value *y) {
  if (Value *bits = compareBits(b, predicate, x, y))
    return bits;
  static const CmpInst::Predicate table[] = {
      CmpInst::ICMP_EQ,  CmpInst::ICMP_NE,  CmpInst::ICMP_SLT, CmpInst::ICMP_SLE, CmpInst::ICMP_SGT,
      CmpInst::ICMP_SGE, CmpInst::ICMP_ULT, CmpInst::ICMP_ULE, CmpInst::ICMP_UGT, CmpInst::ICMP_UGE};
  return b.CreateICmp(table[static_cast<unsigned>(predicate)], x, y);
}

Value *highProduct(IRBuilder<> &b, Value *x, Value *y) {
  unsigned width = x->getType()->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * width);
  Value *product = b.CreateMul(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
  return b.CreateTrunc(b.CreateLShr(product, width), x->getType());
}

// Base plus a signed offset in elements of the pointee.
Value *addressOf(Emitter &e, mlir::Operation *op, Value *base, Value *offset) {
  mlir::Type pointee = tt::pointeeOf(tt::elementOf(op->getOperand(0).getType()));
  uint64_t bytes = std::max(1u, tt::elementBits(pointee) / 8);
  Value *wide = e.b.CreateSExt(offset, e.b.getInt64Ty());
  return e.b.CreateAdd(base, e.b.CreateMul(wide, e.b.getInt64(bytes)));
}

Value *binary(IRBuilder<> &b, OpId id, Value *x, Value *y) {
  switch (id) {
  case OpId::arith_addi:
    return b.CreateAdd(x, y);
  case OpId::arith_subi:
    return b.CreateSub(x, y);
  case OpId::arith_muli:
    return b.CreateMul(x, y);
  case OpId::arith_divsi:
    return divide(b, x, y, true);
  case OpId::arith_divui:
    return divide(b, x, y, false);
  case OpId::arith_remsi:
    return remainder(b, x, y, true);
  case OpId::arith_remui:
    return remainder(b, x, y, false);
  case OpId::arith_ceildivsi:
    return roundedQuotient(b, x, y, true);
  case OpId::arith_floordivsi:
    return roundedQuotient(b, x, y, false);
  case OpId::arith_ceildivui: {
    Constant *zero = ConstantInt::get(x->getType(), 0);
    Value *up = b.CreateAnd(b.CreateICmpNE(remainder(b, x, y, false), zero), b.CreateICmpNE(y, zero));
    return b.CreateAdd(divide(b, x, y, false), b.CreateZExt(up, x->getType()));
  }
  case OpId::arith_andi:
    return b.CreateAnd(x, y);
  case OpId::arith_ori:
    return b.CreateOr(x, y);
  case OpId::arith_xori:
    return b.CreateXor(x, y);
  case OpId::arith_shli:
  case OpId::arith_shrsi:
  case OpId::arith_shrui:
    return shift(b, x, y, id);
  case OpId::arith_minsi:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  case OpId::arith_maxsi:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case OpId::arith_minui:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case OpId::arith_maxui:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case OpId::tt_mulhiui:
    return highProduct(b, x, y);
  default:
    return nullptr;
  }
}
} // namespace

Value *emitIntegerOp(Emitter &e, mlir::Operation *op, OpId id, ArrayRef<Value *> operands) {
  IRBuilder<> &b = e.b;
  switch (id) {
  case OpId::arith_cmpi:
    return compare(b, cast<mlir::arith::CmpIOp>(op).getPredicate(), operands[0], operands[1]);
  case OpId::arith_select:
    return b.CreateSelect(operands[0], operands[1], operands[2]);
  case OpId::math_absi:
    return b.CreateIntrinsic(Intrinsic::abs, {operands[0]->getType()}, {operands[0], b.getFalse()});
  case OpId::math_ctlz:
    return b.CreateIntrinsic(Intrinsic::ctlz, {operands[0]->getType()}, {operands[0], b.getFalse()});
  case OpId::math_cttz:
    return b.CreateIntrinsic(Intrinsic::cttz, {operands[0]->getType()}, {operands[0], b.getFalse()});
  case OpId::math_ctpop:
    return b.CreateUnaryIntrinsic(Intrinsic::ctpop, operands[0]);
  case OpId::tt_addptr:
    return addressOf(e, op, operands[0], operands[1]);
  case OpId::tt_int_to_ptr:
  case OpId::tt_ptr_to_int:
    return operands[0];
  case OpId::tt_bitcast:
  case OpId::arith_bitcast: {
    Type *type = e.elementType(op->getResult(0).getType());
    return type == operands[0]->getType() ? operands[0] : b.CreateBitCast(operands[0], type);
  }
  default:
    return operands.size() == 2 ? binary(b, id, operands[0], operands[1]) : nullptr;
  }
}

} // namespace trisect::cuda
