//===- MathOps.cpp - functions --------------------------------------------------------------------------===//
//
// What: functions on f32 and f64. The machine has instructions for a few; the others are libdevice's, which
// Compile.h links. Limits: results are as exact as docs/numerics.md says of a GPU.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"

using namespace llvm;

namespace trisect::cuda {

Value *callLibdevice(Emitter &e, const Twine &name, Type *result, ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  Module *module = e.frame.function->getParent();
  FunctionCallee callee = module->getOrInsertFunction(name.str(), FunctionType::get(result, types, false));
  CallInst *call = e.b.CreateCall(callee, operands);
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return call;
}

namespace {
/// The root of a name in libdevice; f32 adds an `f`.
const char *libdeviceName(OpId id) {
  switch (id) {
  case OpId::math_exp:
    return "exp";
  case OpId::math_exp2:
    return "exp2";
  case OpId::math_expm1:
    return "expm1";
  case OpId::math_log:
    return "log";
  case OpId::math_log2:
    return "log2";
  case OpId::math_log10:
    return "log10";
  case OpId::math_log1p:
    return "log1p";
  case OpId::math_sin:
    return "sin";
  case OpId::math_cos:
    return "cos";
  case OpId::math_tan:
    return "tan";
  case OpId::math_asin:
    return "asin";
  case OpId::math_acos:
    return "acos";
  case OpId::math_atan:
    return "atan";
  case OpId::math_atan2:
    return "atan2";
  case OpId::math_sinh:
    return "sinh";
  case OpId::math_cosh:
    return "cosh";
  case OpId::math_tanh:
    return "tanh";
  case OpId::math_asinh:
    return "asinh";
  case OpId::math_acosh:
    return "acosh";
  case OpId::math_atanh:
    return "atanh";
  case OpId::math_erf:
    return "erf";
  case OpId::math_powf:
    return "pow";
  case OpId::math_cbrt:
    return "cbrt";
  case OpId::math_rsqrt:
    return "rsqrt";
  case OpId::arith_remf:
    return "fmod";
  case OpId::math_round:
    return "round";
  default:
    return nullptr;
  }
}
} // namespace

Value *emitMathOp(Emitter &e, mlir::Operation *op, OpId id, ArrayRef<Value *> operands) {
  IRBuilder<> &b = e.b;
  Value *x = operands[0];
  bool single = x->getType()->isFloatTy();
  switch (id) {
  case OpId::math_ceil:
    return b.CreateUnaryIntrinsic(Intrinsic::ceil, x);
  case OpId::math_floor:
    return b.CreateUnaryIntrinsic(Intrinsic::floor, x);
  case OpId::math_trunc:
    return b.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  case OpId::math_roundeven:
    return b.CreateUnaryIntrinsic(Intrinsic::rint, x);
  case OpId::math_sqrt:
    return single ? e.machine.approximate(Approximation::Sqrt, x) : e.machine.sqrt(x);
  case OpId::tt_precise_sqrt:
    return e.machine.sqrt(x);
  case OpId::math_exp:
    if (single) {
      Value *power = b.CreateFMul(x, ConstantFP::get(x->getType(), 1.4426950408889634));
      return e.machine.approximate(Approximation::Exp2, power);
    }
    break;
  case OpId::math_rsqrt:
    if (single)
      return e.machine.approximate(Approximation::ReciprocalSqrt, x);
    break;
  case OpId::math_exp2:
    if (single)
      return e.machine.approximate(Approximation::Exp2, x);
    break;
  default:
    break;
  }
  const char *name = libdeviceName(id);
  return name ? callLibdevice(e, Twine("__nv_") + name + (single ? "f" : ""), x->getType(), operands)
              : nullptr;
}

} // namespace trisect::cuda
