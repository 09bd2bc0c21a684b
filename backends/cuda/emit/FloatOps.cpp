//===- FloatOps.cpp - float arithmetic ------------------------------------------------------------------===//
//
// What: arithmetic on f32 and f64. Narrower formats are computed in f32 and rounded once more, which is
// correct rounding for one sum, product, quotient or root of formats with at most eleven bits; LLVM makes the
// machine's own narrow instructions of that where they exist. Fused operations on 16 bits would round twice:
// they are the machine's own, or go by f64.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
CmpInst::Predicate predicateOf(mlir::arith::CmpFPredicate predicate) {
  using P = mlir::arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return CmpInst::FCMP_FALSE;
  case P::OEQ:
    return CmpInst::FCMP_OEQ;
  case P::OGT:
    return CmpInst::FCMP_OGT;
  case P::OGE:
    return CmpInst::FCMP_OGE;
  case P::OLT:
    return CmpInst::FCMP_OLT;
  case P::OLE:
    return CmpInst::FCMP_OLE;
  case P::ONE:
    return CmpInst::FCMP_ONE;
  case P::ORD:
    return CmpInst::FCMP_ORD;
  case P::UEQ:
    return CmpInst::FCMP_UEQ;
  case P::UGT:
    return CmpInst::FCMP_UGT;
  case P::UGE:
    return CmpInst::FCMP_UGE;
  case P::ULT:
    return CmpInst::FCMP_ULT;
  case P::ULE:
    return CmpInst::FCMP_ULE;
  case P::UNE:
    return CmpInst::FCMP_UNE;
  case P::UNO:
    return CmpInst::FCMP_UNO;
  case P::AlwaysTrue:
    return CmpInst::FCMP_TRUE;
  }
  return CmpInst::FCMP_TRUE;
}

Value *extreme(Emitter &e, Value *x, Value *y, bool largest, bool nanWins) {
  IRBuilder<> &b = e.b;
  if (Value *value = e.machine.extreme(x, y, largest, nanWins))
    return value;
  Type *word = b.getIntNTy(x->getType()->getScalarSizeInBits());
  Value *xBits = b.CreateBitCast(x, word), *yBits = b.CreateBitCast(y, word);
  // Equal numbers differ at most in the sign of zero, and -0 lies below +0.
  Value *tie = b.CreateBitCast(largest ? b.CreateAnd(xBits, yBits) : b.CreateOr(xBits, yBits), x->getType());
  Value *better = largest ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  Value *number = b.CreateSelect(b.CreateFCmpOEQ(x, y), tie, b.CreateSelect(better, x, y));
  // A comparison with NaN fails, so that `number` is y.
  return nanWins ? b.CreateSelect(b.CreateFCmpUNO(x, x), x, number)
                 : b.CreateSelect(b.CreateFCmpUNO(y, y), x, number);
}

Value *clamp(Emitter &e, tt::ClampFOp op, ArrayRef<Value *> v) {
  bool nanWins = op.getPropagateNan() == tt::PropagateNan::All;
  return extreme(e, extreme(e, v[0], v[1], true, nanWins), v[2], false, nanWins);
}

Value *arithmetic(Emitter &e, mlir::Operation *op, OpId id, ArrayRef<Value *> v) {
  IRBuilder<> &b = e.b;
  IRBuilder<>::FastMathFlagGuard guard(b);
  FastMathFlags flags;
  flags.setAllowContract(e.options.fusion);
  b.setFastMathFlags(flags);
  switch (id) {
  case OpId::arith_addf:
    return b.CreateFAdd(v[0], v[1]);
  case OpId::arith_subf:
    return b.CreateFSub(v[0], v[1]);
  case OpId::arith_mulf:
    return b.CreateFMul(v[0], v[1]);
  case OpId::arith_divf:
  case OpId::tt_approx_divf:
    // f32 is a function of stated error; one that rounds correctly has a slow path for each element.
    if (v[0]->getType()->isFloatTy())
      return e.machine.approximate(Approximation::Divide, v[0], v[1]);
    return e.machine.divide(v[0], v[1]);
  case OpId::tt_precise_divf:
    return e.machine.divide(v[0], v[1]);
  case OpId::arith_negf:
    return b.CreateFNeg(v[0]);
  case OpId::math_absf:
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, v[0]);
  case OpId::math_copysign:
    return b.CreateBinaryIntrinsic(Intrinsic::copysign, v[0], v[1]);
  case OpId::math_fma:
    return b.CreateIntrinsic(Intrinsic::fma, {v[0]->getType()}, {v[0], v[1], v[2]});
  case OpId::arith_minimumf:
    return extreme(e, v[0], v[1], false, true);
  case OpId::arith_maximumf:
    return extreme(e, v[0], v[1], true, true);
  case OpId::arith_minnumf:
    return extreme(e, v[0], v[1], false, false);
  case OpId::arith_maxnumf:
    return extreme(e, v[0], v[1], true, false);
  case OpId::tt_clampf:
    return clamp(e, cast<tt::ClampFOp>(op), v);
  default:
    return nullptr;
  }
}

// Signs are bits; arithmetic would make quiet what is not.
Value *signBits(Emitter &e, OpId id, ArrayRef<Value *> v) {
  if (!v[0]->getType()->isIntegerTy())
    return nullptr;
  uint64_t sign = uint64_t(1) << (v[0]->getType()->getIntegerBitWidth() - 1);
  switch (id) {
  case OpId::arith_negf:
    return e.b.CreateXor(v[0], sign);
  case OpId::math_absf:
    return e.b.CreateAnd(v[0], sign - 1);
  case OpId::math_copysign:
    return e.b.CreateOr(e.b.CreateAnd(v[0], sign - 1), e.b.CreateAnd(v[1], sign));
  default:
    return nullptr;
  }
}

/// x * y + z rounded to odd: to the one of two neighbours whose last bit is set. A product of 16-bit floats
/// is exact in f64.
Value *fusedToOdd(IRBuilder<> &b, Value *x, Value *y, Value *z) {
  Value *product = b.CreateFMul(x, y), *sum = b.CreateFAdd(product, z);
  // What the sum lost, exactly.
  Value *second = b.CreateFSub(sum, product);
  Value *lost = b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, second)), b.CreateFSub(z, second));
  Value *bits = b.CreateBitCast(sum, b.getInt64Ty()), *zero = ConstantFP::get(sum->getType(), 0);
  Value *outwards = b.CreateICmpEQ(b.CreateFCmpOGT(lost, zero), b.CreateFCmpOGT(sum, zero));
  Value *even = b.CreateICmpEQ(b.CreateAnd(bits, 1), b.getInt64(0));
  Value *other = b.CreateSelect(outwards, b.CreateAdd(bits, b.getInt64(1)), b.CreateSub(bits, b.getInt64(1)));
  Value *inexact = b.CreateAnd(b.CreateFCmpONE(lost, zero), even);
  return b.CreateBitCast(b.CreateSelect(inexact, other, bits), sum->getType());
}

/// A fused operation on 16 bits.
Value *fused(Emitter &e, DType type, ArrayRef<Value *> operands) {
  if (Value *value = e.machine.fuse(type, operands[0], operands[1], operands[2]))
    return value;
  SmallVector<Value *> wide(operands);
  convertFloats(e, wide, type, DType::F64);
  return convertFloat(e, fusedToOdd(e.b, wide[0], wide[1], wide[2]), DType::F64, type);
}
} // namespace

Value *emitFloatOp(Emitter &e, mlir::Operation *op, OpId id, ArrayRef<Value *> operands) {
  mlir::Type format = tt::elementOf(op->getOperand(0).getType());
  if (!isa<mlir::FloatType>(format))
    return nullptr;
  DType type = *tt::dtypeOf(format), compute = computeType(type);
  bool unsignedZero = type == DType::F8E5M2FNUZ || type == DType::F8E4M3FNUZ;
  if (!unsignedZero)
    if (Value *value = signBits(e, id, operands))
      return value;
  if (id == OpId::math_fma && (type == DType::F16 || type == DType::BF16))
    return fused(e, type, operands);
  SmallVector<Value *> values(operands);
  convertFloats(e, values, type, compute);
  if (id == OpId::arith_cmpf)
    return e.b.CreateFCmp(predicateOf(cast<mlir::arith::CmpFOp>(op).getPredicate()), values[0], values[1]);
  Value *result = arithmetic(e, op, id, values);
  if (!result)
    result = emitMathOp(e, op, id, values);
  return result ? convertFloat(e, result, compute, type) : nullptr;
}

} // namespace trisect::cuda
