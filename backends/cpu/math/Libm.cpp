//===- Libm.cpp - functions of the C library, and which op is which function ----------------------------===//
#include "backends/cpu/math/Polynomial.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace trisect::cpu {

Value callLibm(Code &code, StringRef name, ArrayRef<Value> operands) {
  Type type = operands.front().getType(), element = elementOf(type);
  std::string symbol = name.str() + (element.isF32() ? "f" : "");
  auto module = code.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  if (!function) {
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> inputs(operands.size(), element);
    function =
        code.b.create<LLVM::LLVMFuncOp>(code.loc, symbol, LLVM::LLVMFunctionType::get(element, inputs));
    // LLVM would compute it of constants in double, or write it otherwise: other bits than of loaded values.
    if (name != "round" && name != "fmod") // these are exact
      function.setPassthroughAttr(code.b.getStrArrayAttr({"nobuiltin"}));
  }
  unsigned lanes = lanesOf(type);
  auto call = [&](unsigned lane) -> Value {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(code.lane(operand, lane));
    return code.b.create<LLVM::CallOp>(code.loc, function, scalars).getResult();
  };
  if (lanes == 1)
    return call(0);
  Value result = code.zero(type);
  for (unsigned i = 0; i < lanes; ++i)
    result = code.b.create<vector::InsertOp>(code.loc, call(i), result, static_cast<int64_t>(i));
  return result;
}

Value emitMathFunction(Code &code, OpId op, ArrayRef<Value> operands) {
  bool single = elementOf(operands.front().getType()).isF32();
  Value x = operands.front();
  auto unary = [&]<class Op>() -> Value { return code.b.create<Op>(code.loc, x); };
  switch (op) {
  case OpId::math_exp:
    return single ? emitExp(code, x) : callLibm(code, "exp", operands);
  case OpId::math_exp2:
    return single ? emitExp2(code, x) : callLibm(code, "exp2", operands);
  case OpId::math_log:
    return single ? emitLog(code, x) : callLibm(code, "log", operands);
  case OpId::math_log2:
    return single ? emitLog2(code, x) : callLibm(code, "log2", operands);
  case OpId::math_rsqrt:
    return emitRsqrt(code, x);
  case OpId::math_sqrt:
  case OpId::tt_precise_sqrt:
    return unary.template operator()<math::SqrtOp>();
  case OpId::math_absf:
    return unary.template operator()<math::AbsFOp>();
  case OpId::math_ceil:
    return unary.template operator()<math::CeilOp>();
  case OpId::math_floor:
    return unary.template operator()<math::FloorOp>();
  case OpId::math_trunc:
    return unary.template operator()<math::TruncOp>();
  case OpId::math_roundeven:
    return unary.template operator()<math::RoundEvenOp>();
  case OpId::math_round:
    return callLibm(code, "round", operands);
  case OpId::math_copysign:
    return code.make<math::CopySignOp>(x, operands[1]);
  case OpId::math_fma:
    return code.fma(x, operands[1], operands[2]);
  case OpId::math_cbrt:
    return single ? emitCbrt(code, x) : emitWideCbrt(code, x);
  case OpId::math_expm1:
    return single ? emitExpm1(code, x) : callLibm(code, "expm1", operands);
  case OpId::math_log10:
    return single ? emitLog10(code, x) : callLibm(code, "log10", operands);
  case OpId::math_log1p:
    return single ? emitLog1p(code, x) : callLibm(code, "log1p", operands);
  case OpId::math_sin:
    return single ? emitSin(code, x) : callLibm(code, "sin", operands);
  case OpId::math_cos:
    return single ? emitCos(code, x) : callLibm(code, "cos", operands);
  case OpId::math_tan:
    return single ? emitTan(code, x) : callLibm(code, "tan", operands);
  case OpId::math_asin:
    return single ? emitAsin(code, x) : callLibm(code, "asin", operands);
  case OpId::math_acos:
    return single ? emitAcos(code, x) : callLibm(code, "acos", operands);
  case OpId::math_atan:
    return single ? emitAtan(code, x) : callLibm(code, "atan", operands);
  case OpId::math_atan2:
    return single ? emitAtan2(code, x, operands[1]) : callLibm(code, "atan2", operands);
  case OpId::math_sinh:
    return single ? emitSinh(code, x) : callLibm(code, "sinh", operands);
  case OpId::math_cosh:
    return single ? emitCosh(code, x) : callLibm(code, "cosh", operands);
  case OpId::math_tanh:
    return single ? emitTanh(code, x) : callLibm(code, "tanh", operands);
  case OpId::math_asinh:
    return single ? emitAsinh(code, x) : callLibm(code, "asinh", operands);
  case OpId::math_acosh:
    return single ? emitAcosh(code, x) : callLibm(code, "acosh", operands);
  case OpId::math_atanh:
    return single ? emitAtanh(code, x) : callLibm(code, "atanh", operands);
  case OpId::math_erf:
    return single ? emitErf(code, x) : callLibm(code, "erf", operands);
  case OpId::math_powf:
    return single ? emitPow(code, x, operands[1]) : callLibm(code, "pow", operands);
  case OpId::arith_remf:
    return callLibm(code, "fmod", operands);
  default:
    return {};
  }
}

} // namespace trisect::cpu
