//===- IntegerOps.cpp - integers and addresses ----------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
// Division traps on zero and on the smallest number by -1; such lanes divide by one instead.
Value safeDivisor(Code &code, Value a, Value b, bool isSigned) {
  Type type = b.getType();
  if (std::optional<int64_t> known = constantOf(b); known && *known != 0 && *known != -1)
    return b;
  Value one = code.integer(type, 1);
  Value bad = code.cmp(CmpIPredicate::eq, b, code.zero(type));
  if (isSigned) {
    unsigned width = elementOf(type).getIntOrFloatBitWidth();
    Value lowest = code.cmp(CmpIPredicate::eq, a, code.integer(type, INT64_MIN >> (64 - width)));
    Value minusOne = code.cmp(CmpIPredicate::eq, b, code.integer(type, -1));
    bad = code.either(bad, code.both(lowest, minusOne));
  }
  return code.select(bad, one, b);
}

// A shift by the width or more is poison for LLVM; such lanes shift by zero.
Value safeShift(Code &code, Value amount) {
  Type type = amount.getType();
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  if (std::optional<int64_t> known = constantOf(amount); known && *known >= 0 && *known < width)
    return amount;
  Value good = code.cmp(CmpIPredicate::ult, amount, code.integer(type, width));
  return code.select(good, amount, code.zero(type));
}

Value highProduct(Code &code, Value a, Value b) {
  Type type = a.getType();
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  Type wide = code.b.getIntegerType(2 * width);
  Value product = code.mul(code.zext(a, wide), code.zext(b, wide));
  return code.trunc(code.shr(product, width), elementOf(type));
}

Value binary(Code &code, OpId id, Value a, Value b) {
  switch (id) {
  case OpId::arith_divsi:
    return code.make<arith::DivSIOp>(a, safeDivisor(code, a, b, true));
  case OpId::arith_divui:
    return code.make<arith::DivUIOp>(a, safeDivisor(code, a, b, false));
  case OpId::arith_remsi:
    return code.make<arith::RemSIOp>(a, safeDivisor(code, a, b, true));
  case OpId::arith_remui:
    return code.make<arith::RemUIOp>(a, safeDivisor(code, a, b, false));
  case OpId::arith_ceildivsi:
  case OpId::arith_floordivsi: {
    Value divisor = safeDivisor(code, a, b, true);
    Value quotient = code.make<arith::DivSIOp>(a, divisor);
    Value rest = code.sub(a, code.mul(quotient, divisor));
    Value zero = code.zero(a.getType()), one = code.integer(a.getType(), 1);
    Value inexact = code.cmp(CmpIPredicate::ne, rest, zero);
    Value signs = code.cmp(CmpIPredicate::slt, code.exclusive(a, divisor), zero);
    bool up = id == OpId::arith_ceildivsi;
    Value step = code.both(inexact, up ? code.negate(signs) : signs);
    return code.select(step, up ? code.add(quotient, one) : code.sub(quotient, one), quotient);
  }
  case OpId::arith_andi:
    return code.both(a, b);
  case OpId::arith_ori:
    return code.either(a, b);
  case OpId::arith_xori:
    return code.exclusive(a, b);
  case OpId::arith_shli:
    return code.make<arith::ShLIOp>(a, safeShift(code, b));
  case OpId::arith_shrsi:
    return code.make<arith::ShRSIOp>(a, safeShift(code, b));
  case OpId::arith_shrui:
    return code.make<arith::ShRUIOp>(a, safeShift(code, b));
  case OpId::arith_minsi:
    return code.make<arith::MinSIOp>(a, b);
  case OpId::arith_maxsi:
    return code.make<arith::MaxSIOp>(a, b);
  case OpId::arith_minui:
    return code.make<arith::MinUIOp>(a, b);
  case OpId::arith_maxui:
    return code.make<arith::MaxUIOp>(a, b);
  case OpId::tt_mulhiui:
    return highProduct(code, a, b);
  default:
    return {};
  }
}

// Base plus a signed offset in elements of the pointee.
LaneValue addressOf(Code &code, Operation *op, ArrayRef<LaneValue> operands, unsigned lanes) {
  Type element = pointee(op->getOperand(0).getType());
  LaneValue offset = resizeLanes(code, operands[1], code.i64());
  LaneValue size = LaneValue::uniform(code.i64(memoryBytes(element)));
  return addLanes(code, operands[0], mulLanes(code, offset, size, lanes), lanes);
}
} // namespace

LaneValue emitIntegerOp(Code &code, Operation *op, OpId id, ArrayRef<LaneValue> operands, unsigned lanes) {
  switch (id) {
  case OpId::arith_addi:
    return addLanes(code, operands[0], operands[1], lanes);
  case OpId::arith_subi:
    return subLanes(code, operands[0], operands[1], lanes);
  case OpId::arith_muli:
    return mulLanes(code, operands[0], operands[1], lanes);
  case OpId::tt_addptr:
    return addressOf(code, op, operands, lanes);
  case OpId::tt_int_to_ptr:
  case OpId::tt_ptr_to_int:
    return operands[0];
  case OpId::arith_shli:
    // A shift by a constant is a product and keeps structure.
    if (std::optional<int64_t> n = constantOf(operands[1].value);
        n && operands[1].isUniform() && operands[0].isStrided() && *n >= 0 &&
        *n < static_cast<int64_t>(operands[0].element().getIntOrFloatBitWidth()))
      return mulLanes(code, operands[0],
                      LaneValue::uniform(code.integer(operands[0].element(), int64_t(1) << *n)), lanes);
    break;
  default:
    break;
  }
  bool uniform = llvm::all_of(operands, [](const LaneValue &v) { return v.isUniform(); });
  SmallVector<Value> values;
  for (const LaneValue &operand : operands)
    values.push_back(uniform ? operand.value : toVector(code, operand, lanes));
  switch (id) {
  case OpId::arith_cmpi: {
    auto compare = cast<arith::CmpIOp>(op);
    return LaneValue::lanes(code.cmp(compare.getPredicate(), values[0], values[1]));
  }
  case OpId::math_absi: {
    Value zero = code.zero(values[0].getType());
    Value negative = code.cmp(CmpIPredicate::slt, values[0], zero);
    return LaneValue::lanes(code.select(negative, code.sub(zero, values[0]), values[0]));
  }
  case OpId::math_ctlz:
    return LaneValue::lanes(code.b.create<math::CountLeadingZerosOp>(code.loc, values[0]));
  case OpId::math_cttz:
    return LaneValue::lanes(code.b.create<math::CountTrailingZerosOp>(code.loc, values[0]));
  case OpId::math_ctpop:
    return LaneValue::lanes(code.b.create<math::CtPopOp>(code.loc, values[0]));
  default:
    break;
  }
  if (values.size() == 2)
    if (Value result = binary(code, id, values[0], values[1]))
      return LaneValue::lanes(result);
  return {};
}

} // namespace trisect::cpu
