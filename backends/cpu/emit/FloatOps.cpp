//===- FloatOps.cpp - float arithmetic ------------------------------------------------------------------===//
//
// What: arithmetic on f32 and f64; narrower formats are computed in f32 and rounded once, which is correct
// rounding for one sum, product, quotient or root of formats with at most eleven bits. Their multiply-add
// goes through an f64 rounded to odd.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/math/Polynomial.h"
#include "backends/cpu/plan/Signs.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
enum class Extreme : uint8_t { Smallest, Largest };

// Of two numbers; -0 lies below +0. With a NaN it is `b`.
Value extremeNumber(Code &code, Value a, Value b, Extreme which) {
  bool largest = which == Extreme::Largest;
  unsigned width = elementOf(a.getType()).getIntOrFloatBitWidth();
  Type word = code.b.getIntegerType(width);
  Value x = code.bits(a, word), y = code.bits(b, word);
  // Equal numbers differ at most in the sign of zero.
  Value tie = code.bits(largest ? code.both(x, y) : code.either(x, y), elementOf(a.getType()));
  Value better = code.cmp(largest ? CmpFPredicate::OGT : CmpFPredicate::OLT, a, b);
  return code.select(code.cmp(CmpFPredicate::OEQ, a, b), tie, code.select(better, a, b));
}

/// NaN loses.
Value extremeIgnoringNan(Code &code, Value a, Value b, Extreme which) {
  return code.select(code.cmp(CmpFPredicate::UNO, b, b), a, extremeNumber(code, a, b, which));
}

/// NaN wins.
Value extremeWithNan(Code &code, Value a, Value b, Extreme which) {
  return code.select(code.cmp(CmpFPredicate::UNO, a, a), a, extremeNumber(code, a, b, which));
}

Value arithmetic(Code &code, OpId id, ArrayRef<Value> v) {
  switch (id) {
  case OpId::arith_addf:
    return code.addf(v[0], v[1]);
  case OpId::arith_subf:
    return code.subf(v[0], v[1]);
  case OpId::arith_mulf:
    return code.mulf(v[0], v[1]);
  case OpId::arith_divf:
  case OpId::tt_precise_divf:
  case OpId::tt_approx_divf:
    return code.divf(v[0], v[1]);
  case OpId::arith_negf:
    return code.fold<arith::NegFOp>(v[0]);
  case OpId::arith_minimumf:
    return extremeWithNan(code, v[0], v[1], Extreme::Smallest);
  case OpId::arith_maximumf:
    return extremeWithNan(code, v[0], v[1], Extreme::Largest);
  case OpId::arith_minnumf:
    return extremeIgnoringNan(code, v[0], v[1], Extreme::Smallest);
  case OpId::arith_maxnumf:
    return extremeIgnoringNan(code, v[0], v[1], Extreme::Largest);
  default:
    return emitMathFunction(code, id, v);
  }
}

bool isQuotient(OpId id) {
  return id == OpId::arith_divf || id == OpId::tt_precise_divf || id == OpId::tt_approx_divf;
}
// Of a vector for which a reciprocal is quicker than a division.
constexpr unsigned fewestLanes = 8;

Value clampf(Code &code, Operation *op, ArrayRef<Value> v) {
  bool propagate = cast<tt::ClampFOp>(op).getPropagateNan() == tt::PropagateNan::All;
  auto extreme = propagate ? extremeWithNan : extremeIgnoringNan;
  return extreme(code, extreme(code, v[0], v[1], Extreme::Largest), v[2], Extreme::Smallest);
}
// Of f64 numbers whose product is exact: the sum, with its last bit set if something was rounded off, so that
// rounding it to at most 51 bits is right.
Value multiplyAddToOdd(Code &code, Value a, Value b, Value c) {
  Value product = code.mulf(a, b), sum = code.addf(product, c);
  // What the sum lost (Knuth).
  Value other = code.subf(sum, product);
  Value lost = code.addf(code.subf(product, code.subf(sum, other)), code.subf(c, other));
  Value zero = code.zero(sum.getType());
  Value inexact = code.cmp(CmpFPredicate::ONE, lost, zero);
  Value raw = code.bits(sum, code.i64()), one = code.integer(raw.getType(), 1);
  Value below = code.cmp(arith::CmpIPredicate::slt, code.exclusive(raw, code.bits(lost, code.i64())),
                         code.zero(raw.getType()));
  Value towardsZero = code.select(below, code.sub(raw, one), raw);
  return code.bits(code.select(inexact, code.either(towardsZero, one), raw), code.f64());
}
} // namespace

// A number, or the lanes of a vector that is shorter than a register, in the first lanes of one.
static Value inRegister(Code &code, Value part) {
  unsigned lanes = lanesOf(part.getType());
  if (lanes >= 4)
    return part;
  if (lanes == 2)
    return code.b.create<vector::ShuffleOp>(code.loc, part, part, ArrayRef<int64_t>{0, 1, 0, 1});
  Value none = code.b.create<LLVM::PoisonOp>(code.loc, vectorOf(part.getType(), 4));
  return code.b.create<LLVM::InsertElementOp>(code.loc, none, part, code.integer(code.i32(), 0));
}

Value emitWideExtreme(Code &code, Value quiet, Value more, bool largest, bool bothQuiet) {
  unsigned wanted = lanesOf(more.getType());
  Value a = inRegister(code, quiet), b = inRegister(code, more);
  unsigned lanes = lanesOf(b.getType());
  Type maskType = code.b.getIntegerType(std::max(lanes, 8U));
  Value mask = code.integer(maskType, -1);
  if (!bothQuiet) {
    assert(wanted >= 8 && "fewer lanes have no mask of their own");
    mask = code.b.create<LLVM::BitcastOp>(code.loc, maskType, code.cmp(CmpFPredicate::ORD, b, b));
  }
  // Which one, with the sign that the comparison found: -0 lies below +0.
  Value which = code.integer(code.i32(), largest ? 5 : 4);
  SmallVector<Value> operands{a, b, which, a, mask};
  if (lanes == 16) // rounds as the thread does
    operands.push_back(code.integer(code.i32(), 4));
  std::string name = "llvm.x86.avx512.mask.range.ps." + std::to_string(32 * lanes);
  Value result = code.intrinsic(name, b.getType(), operands);
  if (wanted == 1)
    return code.lane(result, 0);
  return wanted == 2 ? code.half(result, false) : result;
}

Value emitFloatArithmetic(Code &code, OpId id, Type format, ArrayRef<Value> operands) {
  bool narrowFma = isNarrowFloat(format) && id == OpId::math_fma;
  Type compute = narrowFma ? code.f64() : isNarrowFloat(format) ? code.f32() : format;
  SmallVector<Value> values;
  for (Value operand : operands)
    values.push_back(convertFloat(code, operand, format, compute));
  Value result =
      narrowFma ? multiplyAddToOdd(code, values[0], values[1], values[2]) : arithmetic(code, id, values);
  return result ? convertFloat(code, result, compute, format) : Value();
}

LaneValue emitFloatOp(Code &code, Operation *op, OpId id, ArrayRef<LaneValue> operands, unsigned lanes) {
  Type format = ttElement(op->getOperand(0).getType());
  if (!isa<FloatType>(format) || info(id).cls != OpClass::Elementwise)
    return {};
  switch (id) {
  case OpId::arith_extf:
  case OpId::arith_truncf:
  case OpId::tt_fp_to_fp:
  case OpId::arith_fptosi:
  case OpId::arith_fptoui:
  case OpId::arith_bitcast:
  case OpId::tt_bitcast:
    return {};
  default:
    break;
  }
  bool uniform = llvm::all_of(operands, [](const LaneValue &v) { return v.isUniform(); });
  if (isQuotient(id) && format.isF32() && operands[1].isUniform() && lanes >= fewestLanes && !uniform)
    return LaneValue::lanes(emitQuotient(code, toVector(code, operands[0], lanes), operands[1].value));
  SmallVector<Value> values;
  for (const LaneValue &operand : operands)
    values.push_back(uniform ? operand.value : toVector(code, operand, lanes));
  if ((id == OpId::math_exp || id == OpId::math_exp2) && format.isF32() && neverPositive(op->getOperand(0)))
    return LaneValue::lanes(id == OpId::math_exp ? emitExpBelow(code, values[0])
                                                 : emitExp2Below(code, values[0]));
  if (id != OpId::arith_cmpf && id != OpId::tt_clampf) {
    Value result = emitFloatArithmetic(code, id, format, values);
    return result ? LaneValue::lanes(result) : LaneValue();
  }
  Type compute = isNarrowFloat(format) ? code.f32() : format;
  for (Value &value : values)
    value = convertFloat(code, value, format, compute);
  if (id == OpId::arith_cmpf)
    return LaneValue::lanes(code.cmp(cast<arith::CmpFOp>(op).getPredicate(), values[0], values[1]));
  return LaneValue::lanes(convertFloat(code, clampf(code, op, values), compute, format));
}

} // namespace trisect::cpu
