//===- Casts.cpp - ops that change the type of an element -----------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
// Out of range the result is undefined in TTIR, but the same on every tier: it saturates, and NaN gives 0.
Parts toIntegers(Emitter &e, Parts values, DType from, Type *to, bool isSigned) {
  IRBuilder<> &b = e.b;
  convertFloats(e, values, from, computeType(from));
  for (Value *&value : values) {
    // One value besides zero: -1 or 1.
    if (to->isIntegerTy(1))
      value = isSigned ? b.CreateFCmpOLE(value, ConstantFP::get(value->getType(), -1.0))
                       : b.CreateFCmpOGE(value, ConstantFP::get(value->getType(), 1.0));
    else
      value = e.machine.toInteger(value, to->getIntegerBitWidth(), isSigned);
  }
  return values;
}

Parts toFloats(Emitter &e, Parts values, DType to, bool isSigned) {
  IRBuilder<> &b = e.b;
  unsigned width = values[0]->getType()->getIntegerBitWidth();
  // Formats below f32 are rounded once: f32 holds every number of 24 bits, f64 every one of 53.
  DType direct = to == DType::F64 || to == DType::F32 ? to : width <= 16 ? DType::F32 : DType::F64;
  Type *type = direct == DType::F64 ? b.getDoubleTy() : b.getFloatTy();
  for (Value *&value : values) {
    if (width < 32)
      value = isSigned ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
    value = isSigned ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  }
  convertFloats(e, values, direct, to);
  return values;
}

Parts resized(Emitter &e, Parts values, Type *to, bool isSigned) {
  for (Value *&value : values)
    value = isSigned ? e.b.CreateSExtOrTrunc(value, to) : e.b.CreateZExtOrTrunc(value, to);
  return values;
}
} // namespace

bool isConversion(OpId id) {
  switch (id) {
  case OpId::arith_extsi:
  case OpId::arith_extui:
  case OpId::arith_trunci:
  case OpId::arith_index_cast:
  case OpId::arith_index_castui:
  case OpId::arith_extf:
  case OpId::arith_truncf:
  case OpId::tt_fp_to_fp:
  case OpId::arith_sitofp:
  case OpId::arith_uitofp:
  case OpId::arith_fptosi:
  case OpId::arith_fptoui:
    return true;
  default:
    return false;
  }
}

Parts convertParts(Emitter &e, mlir::Operation *op, OpId id, const Parts &parts) {
  mlir::Type fromType = tt::elementOf(op->getOperand(0).getType()),
             toType = tt::elementOf(op->getResult(0).getType());
  Type *to = e.elementType(toType);
  switch (id) {
  case OpId::arith_extsi:
  case OpId::arith_trunci:
  case OpId::arith_index_cast:
    return resized(e, parts, to, true);
  case OpId::arith_extui:
  case OpId::arith_index_castui:
    return resized(e, parts, to, false);
  case OpId::arith_sitofp:
  case OpId::arith_uitofp:
    return toFloats(e, parts, *tt::dtypeOf(toType), id == OpId::arith_sitofp);
  case OpId::arith_fptosi:
  case OpId::arith_fptoui:
    return toIntegers(e, parts, *tt::dtypeOf(fromType), to, id == OpId::arith_fptosi);
  default:
    break;
  }
  Rounding rounding = Rounding::Nearest;
  if (auto conversion = dyn_cast<tt::FpToFpOp>(op))
    if (conversion.getRounding() == tt::RoundingMode::TowardZero)
      rounding = Rounding::TowardZero;
  Parts converted = parts;
  convertFloats(e, converted, *tt::dtypeOf(fromType), *tt::dtypeOf(toType), rounding);
  return converted;
}

} // namespace trisect::cuda
