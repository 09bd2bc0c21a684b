//===- Casts.cpp - between element types ----------------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace trisect::cpu {

// Out of range the result is undefined in TTIR, but the same on every tier: it saturates, and NaN gives 0.
Value emitFloatToInteger(Code &code, Value value, Type from, Type to, bool isSigned) {
  if (isNarrowFloat(from))
    value = convertFloat(code, value, from, code.f32());
  Type type = withElement(value.getType(), emittedType(to));
  if (to.isInteger(1)) {
    // One value besides zero: -1 or 1.
    auto predicate = isSigned ? arith::CmpFPredicate::OLE : arith::CmpFPredicate::OGE;
    return code.cmp(predicate, value, code.real(value.getType(), isSigned ? -1.0 : 1.0));
  }
  llvm::StringRef name = isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return code.intrinsic(name, type, value);
}

Value emitIntegerToFloat(Code &code, Value value, Type to, bool isSigned) {
  // Formats below f32 are rounded once, from f64, which holds every 32-bit integer.
  Type direct = isNarrowFloat(to) ? code.f64() : to;
  if (elementOf(value.getType()).getIntOrFloatBitWidth() < 32)
    value = isSigned ? code.sext(value, code.i32()) : code.zext(value, code.i32());
  Type type = withElement(value.getType(), direct);
  Value real = isSigned ? Value(code.b.create<arith::SIToFPOp>(code.loc, type, value))
                        : Value(code.b.create<arith::UIToFPOp>(code.loc, type, value));
  return convertFloat(code, real, direct, to);
}

LaneValue emitCast(Code &code, Operation *op, OpId id, ArrayRef<LaneValue> operands, unsigned lanes) {
  if (operands.size() != 1 || op->getNumResults() != 1)
    return {};
  const LaneValue &operand = operands[0];
  Type from = ttElement(op->getOperand(0).getType()), to = ttElement(op->getResult(0).getType());
  switch (id) {
  case OpId::arith_extsi:
  case OpId::arith_trunci:
  case OpId::arith_index_cast:
    if (operand.isVector() || (operand.isStrided() && from.isInteger(1)))
      break;
    return resizeLanes(code, operand, emittedType(to));
  case OpId::tt_bitcast:
  case OpId::arith_bitcast:
    if (emittedType(from) == emittedType(to))
      return operand;
    break;
  default:
    break;
  }
  Value value = operand.isUniform() ? operand.value : toVector(code, operand, lanes);
  switch (id) {
  case OpId::arith_extsi:
  case OpId::arith_trunci:
  case OpId::arith_index_cast:
    return LaneValue::lanes(code.resize(value, emittedType(to)));
  case OpId::arith_extui:
  case OpId::arith_index_castui: {
    Type target = emittedType(to);
    bool narrows = elementOf(value.getType()).getIntOrFloatBitWidth() > target.getIntOrFloatBitWidth();
    return LaneValue::lanes(narrows ? code.trunc(value, target) : code.zext(value, target));
  }
  case OpId::arith_extf:
    return LaneValue::lanes(convertFloat(code, value, from, to));
  case OpId::arith_truncf:
    return LaneValue::lanes(convertFloat(code, value, from, to));
  case OpId::tt_fp_to_fp: {
    auto rounding = cast<tt::FpToFpOp>(op).getRounding();
    bool toZero = rounding && *rounding == tt::RoundingMode::TowardZero;
    return LaneValue::lanes(
        convertFloat(code, value, from, to, toZero ? Rounding::ToZero : Rounding::NearestEven));
  }
  case OpId::arith_fptosi:
    return LaneValue::lanes(emitFloatToInteger(code, value, from, to, true));
  case OpId::arith_fptoui:
    return LaneValue::lanes(emitFloatToInteger(code, value, from, to, false));
  case OpId::arith_sitofp:
    return LaneValue::lanes(emitIntegerToFloat(code, value, to, true));
  case OpId::arith_uitofp:
    return LaneValue::lanes(emitIntegerToFloat(code, value, to, false));
  case OpId::arith_bitcast:
  case OpId::tt_bitcast:
    return LaneValue::lanes(code.bits(value, emittedType(to)));
  default:
    return {};
  }
}

} // namespace trisect::cpu
