//===- FloatOps.cpp - float arithmetic ------------------------------------------------------------------===//
//
// What: arithmetic on f32 and f64; narrower formats are computed in f32 and rounded once, which is correct
// rounding for one sum, product, quotient or root of formats with at most eleven bits.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/math/Polynomial.h"
#include "core/ir/Ops.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
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
    return code.b.createOrFold<arith::NegFOp>(code.loc, v[0]);
  case OpId::arith_minimumf:
    return code.make<arith::MinimumFOp>(v[0], v[1]);
  case OpId::arith_maximumf:
    return code.make<arith::MaximumFOp>(v[0], v[1]);
  case OpId::arith_minnumf:
    return code.make<arith::MinNumFOp>(v[0], v[1]);
  case OpId::arith_maxnumf:
    return code.make<arith::MaxNumFOp>(v[0], v[1]);
  default:
    return emitMathFunction(code, id, v);
  }
}

Value clampf(Code &code, Operation *op, ArrayRef<Value> v) {
  bool propagate = cast<tt::ClampFOp>(op).getPropagateNan() == tt::PropagateNan::All;
  if (propagate)
    return code.make<arith::MinimumFOp>(code.make<arith::MaximumFOp>(v[0], v[1]), v[2]);
  return code.make<arith::MinNumFOp>(code.make<arith::MaxNumFOp>(v[0], v[1]), v[2]);
}
} // namespace

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
  Type compute = isNarrowFloat(format) ? code.f32() : format;
  bool uniform = llvm::all_of(operands, [](const LaneValue &v) { return v.isUniform(); });
  SmallVector<Value> values;
  for (const LaneValue &operand : operands)
    values.push_back(
        convertFloat(code, uniform ? operand.value : toVector(code, operand, lanes), format, compute));
  if (id == OpId::arith_cmpf)
    return LaneValue::lanes(code.cmp(cast<arith::CmpFOp>(op).getPredicate(), values[0], values[1]));
  Value result = id == OpId::tt_clampf ? clampf(code, op, values) : arithmetic(code, id, values);
  if (!result)
    return {};
  return LaneValue::lanes(convertFloat(code, result, compute, format));
}

} // namespace trisect::cpu
