//===- IntegerOps.cpp - integers and addresses ----------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
/// What is the same for both signs of division: the plain quotient of operands that cannot trap.
Value plainQuotient(Code &code, Value a, Value b, bool isSigned) {
  Type type = a.getType();
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  // Processors divide vectors of floats only; the quotient of 32-bit integers is exact in f64.
  if (lanesOf(type) > 1 && width <= 32 && !constantOf(b)) {
    auto real = [&](Value x) -> Value {
      Value wide = isSigned ? code.sext(x, code.i64()) : code.zext(x, code.i64());
      return code.b.create<arith::SIToFPOp>(code.loc, withElement(type, code.f64()), wide);
    };
    Value quotient = code.divf(real(a), real(b));
    Type whole = withElement(type, code.i64());
    return code.trunc(code.b.create<arith::FPToSIOp>(code.loc, whole, quotient), elementOf(type));
  }
  return isSigned ? code.make<arith::DivSIOp>(a, b) : code.make<arith::DivUIOp>(a, b);
}

// Undefined in TTIR but the same on every tier: x / 0 is all ones, the smallest number by -1 is itself.
Value divide(Code &code, Value a, Value b, bool isSigned) {
  Type type = b.getType();
  if (std::optional<int64_t> known = constantOf(b); known && *known != 0 && *known != -1)
    return plainQuotient(code, a, b, isSigned);
  Value zero = code.zero(type), ones = code.integer(type, -1);
  Value byZero = code.cmp(CmpIPredicate::eq, b, zero), bad = byZero, byMinusOne;
  if (isSigned) {
    byMinusOne = code.cmp(CmpIPredicate::eq, b, ones);
    bad = code.either(byZero, byMinusOne);
  }
  Value quotient = plainQuotient(code, a, code.select(bad, code.integer(type, 1), b), isSigned);
  if (isSigned)
    quotient = code.select(byMinusOne, code.sub(zero, a), quotient);
  return code.select(byZero, ones, quotient);
}

// x % 0 is x.
Value remainder(Code &code, Value a, Value b, bool isSigned) {
  std::optional<int64_t> known = constantOf(b);
  if (known && *known != 0 && *known != -1)
    return isSigned ? code.make<arith::RemSIOp>(a, b) : code.make<arith::RemUIOp>(a, b);
  Value rest = code.sub(a, code.mul(divide(code, a, b, isSigned), b));
  return code.select(code.cmp(CmpIPredicate::eq, b, code.zero(b.getType())), a, rest);
}

enum class Shift : uint8_t { Left, RightSigned, RightUnsigned };

// A shift by the width or more moves every bit out; LLVM would make it poison.
Value shift(Code &code, Value a, Value amount, Shift kind) {
  Type type = amount.getType();
  int64_t width = elementOf(type).getIntOrFloatBitWidth();
  auto plain = [&](Value by) {
    switch (kind) {
    case Shift::Left:
      return code.make<arith::ShLIOp>(a, by);
    case Shift::RightSigned:
      return code.make<arith::ShRSIOp>(a, by);
    case Shift::RightUnsigned:
      return code.make<arith::ShRUIOp>(a, by);
    }
    return a;
  };
  if (std::optional<int64_t> known = constantOf(amount); known && *known >= 0 && *known < width)
    return plain(amount);
  Value inside = code.cmp(CmpIPredicate::ult, amount, code.integer(type, width));
  if (kind == Shift::RightSigned)
    return plain(code.select(inside, amount, code.integer(type, width - 1)));
  return code.select(inside, plain(code.select(inside, amount, code.zero(type))), code.zero(type));
}

Value highProduct(Code &code, Value a, Value b) {
  Type type = a.getType();
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  Type wide = code.b.getIntegerType(2 * width);
  Value product = code.mul(code.zext(a, wide), code.zext(b, wide));
  return code.trunc(code.shr(product, width), elementOf(type));
}

} // namespace

Value emitIntegerBinary(Code &code, OpId id, Value a, Value b) {
  switch (id) {
  case OpId::arith_divsi:
    return divide(code, a, b, true);
  case OpId::arith_divui:
    return divide(code, a, b, false);
  case OpId::arith_remsi:
    return remainder(code, a, b, true);
  case OpId::arith_remui:
    return remainder(code, a, b, false);
  case OpId::arith_ceildivsi:
  case OpId::arith_floordivsi: {
    Value quotient = divide(code, a, b, true);
    Value rest = remainder(code, a, b, true);
    Value zero = code.zero(a.getType()), one = code.integer(a.getType(), 1);
    bool up = id == OpId::arith_ceildivsi;
    Value inexact = code.both(code.cmp(CmpIPredicate::ne, rest, zero), code.cmp(CmpIPredicate::ne, b, zero));
    Value signs = code.cmp(CmpIPredicate::slt, code.exclusive(rest, b), zero);
    Value step = code.both(inexact, up ? code.negate(signs) : signs);
    return code.select(step, up ? code.add(quotient, one) : code.sub(quotient, one), quotient);
  }
  case OpId::arith_ceildivui: {
    Value zero = code.zero(a.getType()), quotient = divide(code, a, b, false);
    Value up = code.both(code.cmp(CmpIPredicate::ne, remainder(code, a, b, false), zero),
                         code.cmp(CmpIPredicate::ne, b, zero));
    return code.add(quotient, code.select(up, code.integer(a.getType(), 1), zero));
  }
  case OpId::arith_andi:
    return code.both(a, b);
  case OpId::arith_ori:
    return code.either(a, b);
  case OpId::arith_xori:
    return code.exclusive(a, b);
  case OpId::arith_shli:
    return shift(code, a, b, Shift::Left);
  case OpId::arith_shrsi:
    return shift(code, a, b, Shift::RightSigned);
  case OpId::arith_shrui:
    return shift(code, a, b, Shift::RightUnsigned);
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

namespace {
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
    if (Value result = emitIntegerBinary(code, id, values[0], values[1]))
      return LaneValue::lanes(result);
  return {};
}

} // namespace trisect::cpu
