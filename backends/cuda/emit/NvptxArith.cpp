//===- NvptxArith.cpp - arithmetic and conversions of NVIDIA GPUs ---------------------------------------===//
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/cuda/emit/PtxAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// The sum, if `value` is that of a power and a constant, which no product can be fused into.
Instruction *sumWithPower(Value *value) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::FAdd)
    return nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    auto *power = dyn_cast<IntrinsicInst>(sum->getOperand(i));
    if (power && power->getIntrinsicID() == Intrinsic::nvvm_ex2_approx_f &&
        isa<ConstantFP>(sum->getOperand(1 - i)))
      return sum;
  }
  return nullptr;
}

// The assembler looks through sums for what a number can be only if they may be fused. LLVM's may not: with
// one the quotient by `1 + exp(x)` takes care of divisors that are next to nothing.
Value *divideBySum(IRBuilder<> &b, Value *x, Instruction *sum) {
  PtxAsm code(b);
  std::string to = code.result(b.getFloatTy()), from = code.operand(x);
  std::string left = code.operand(sum->getOperand(0)), right = code.operand(sum->getOperand(1));
  code.text("{ .reg .f32 sum; add.f32 sum, " + left + ", " + right + "; div.full.f32 " + to + ", " + from +
            ", sum; }");
  return code.emit()[0];
}
} // namespace

Value *NvptxMachine::approximate(Approximation what, Value *x, Value *y) {
  auto intrinsic = [&](Intrinsic::ID id) -> Value * { return b.CreateIntrinsic(id, {}, {x}); };
  auto assembly = [&](const char *word) -> Value * {
    PtxAsm code(b);
    std::string to = code.result(b.getFloatTy());
    std::string operands = code.operand(x);
    if (y)
      operands += ", " + code.operand(y);
    code.text(std::string(word) + " " + to + ", " + operands + ";");
    return code.emit()[0];
  };
  switch (what) {
  case Approximation::Exp2:
    return intrinsic(Intrinsic::nvvm_ex2_approx_f);
  case Approximation::Log2:
    return intrinsic(Intrinsic::nvvm_lg2_approx_f);
  case Approximation::Reciprocal:
    return assembly("rcp.approx.f32");
  case Approximation::ReciprocalSqrt:
    return intrinsic(Intrinsic::nvvm_rsqrt_approx_f);
  case Approximation::Sqrt:
    return intrinsic(Intrinsic::nvvm_sqrt_approx_f);
  case Approximation::Sin:
    return intrinsic(Intrinsic::nvvm_sin_approx_f);
  case Approximation::Cos:
    return intrinsic(Intrinsic::nvvm_cos_approx_f);
  case Approximation::Tanh:
    return assembly("tanh.approx.f32");
  case Approximation::Divide:
    if (Instruction *sum = sumWithPower(y))
      return divideBySum(b, x, sum);
    return assembly("div.full.f32");
  }
  return nullptr;
}

Value *NvptxMachine::extreme(Value *x, Value *y, bool largest, bool nanWins) {
  if (nanWins && !x->getType()->isFloatTy())
    return nullptr;
  Intrinsic::ID id = largest ? (nanWins ? Intrinsic::maximum : Intrinsic::maxnum)
                             : (nanWins ? Intrinsic::minimum : Intrinsic::minnum);
  return b.CreateBinaryIntrinsic(id, x, y);
}

Value *NvptxMachine::fuse(DType type, Value *x, Value *y, Value *z) {
  Type *format = type == DType::F16 ? b.getHalfTy() : b.getBFloatTy();
  auto as = [&](Value *bits) { return b.CreateBitCast(bits, format); };
  return b.CreateBitCast(b.CreateIntrinsic(Intrinsic::fma, {format}, {as(x), as(y), as(z)}), x->getType());
}

Value *NvptxMachine::sqrt(Value *x) {
  bool single = x->getType()->isFloatTy();
  return b.CreateIntrinsic(single ? Intrinsic::nvvm_sqrt_rn_f : Intrinsic::nvvm_sqrt_rn_d, {}, {x});
}

Value *NvptxMachine::divide(Value *x, Value *y) {
  bool single = x->getType()->isFloatTy();
  return b.CreateIntrinsic(single ? Intrinsic::nvvm_div_rn_f : Intrinsic::nvvm_div_rn_d, {}, {x, y});
}

Value *NvptxMachine::toInteger(Value *value, unsigned bits, bool isSigned) {
  // The instruction saturates at 32 and 64 bits; narrower integers are clamped from 32.
  unsigned width = bits <= 32 ? 32 : 64;
  std::string from = value->getType()->isFloatTy() ? "f32" : "f64";
  PtxAsm code(b);
  std::string to = code.result(b.getIntNTy(width));
  code.text("cvt.rzi." + std::string(isSigned ? "s" : "u") + std::to_string(width) + "." + from + " " + to +
            ", " + code.operand(value) + ";");
  Value *result = code.emit()[0];
  // NaN gives 0 at 32 bits, the smallest number at 64.
  if (width == 64)
    result = b.CreateSelect(b.CreateFCmpUNO(value, value), b.getInt64(0), result);
  if (bits == width)
    return result;
  Type *narrow = b.getIntNTy(bits);
  if (isSigned) {
    result =
        b.CreateBinaryIntrinsic(Intrinsic::smax, result, b.getInt32(uint32_t(-(int64_t(1) << (bits - 1)))));
    result = b.CreateBinaryIntrinsic(Intrinsic::smin, result, b.getInt32((1u << (bits - 1)) - 1));
  } else {
    result = b.CreateBinaryIntrinsic(Intrinsic::umin, result, b.getInt32((1u << bits) - 1));
  }
  return b.CreateTrunc(result, narrow);
}

namespace {
bool hasFloat8(DType type) { return type == DType::F8E4M3FN || type == DType::F8E5M2; }
const char *word(DType type) { return type == DType::F8E4M3FN ? "e4m3x2" : "e5m2x2"; }

// Two values of 8 bits become two of f16; an odd one goes alone.
void widen8(IRBuilder<> &b, MutableArrayRef<Value *> values, DType from) {
  for (size_t i = 0; i < values.size(); i += 2) {
    Value *low = b.CreateZExt(values[i], b.getInt16Ty()), *both = low;
    if (i + 1 < values.size())
      both = b.CreateOr(low, b.CreateShl(b.CreateZExt(values[i + 1], b.getInt16Ty()), 8));
    PtxAsm code(b);
    std::string to = code.result(b.getInt32Ty());
    code.text(std::string("cvt.rn.f16x2.") + word(from) + " " + to + ", " + code.operand(both) + ";");
    Value *pair = code.emit()[0];
    values[i] = b.CreateTrunc(pair, b.getInt16Ty());
    if (i + 1 < values.size())
      values[i + 1] = b.CreateTrunc(b.CreateLShr(pair, 16), b.getInt16Ty());
  }
}

// Two values of f32 become two of 8 bits.
void narrow8(IRBuilder<> &b, MutableArrayRef<Value *> values, DType to) {
  for (size_t i = 0; i < values.size(); i += 2) {
    bool alone = i + 1 == values.size();
    PtxAsm code(b);
    std::string result = code.result(b.getInt16Ty());
    std::string high = alone ? "0f00000000" : code.operand(values[i + 1]);
    code.text(std::string("cvt.rn.satfinite.") + word(to) + ".f32 " + result + ", " + high + ", " +
              code.operand(values[i]) + ";");
    Value *pair = code.emit()[0];
    values[i] = b.CreateTrunc(pair, b.getInt8Ty());
    if (!alone)
      values[i + 1] = b.CreateTrunc(b.CreateLShr(pair, 8), b.getInt8Ty());
  }
}

// Pairs of f32 become words of two; what is alone stays.
void narrow16(IRBuilder<> &b, MutableArrayRef<Value *> values, DType to) {
  Intrinsic::ID id = to == DType::F16 ? Intrinsic::nvvm_ff2f16x2_rn : Intrinsic::nvvm_ff2bf16x2_rn;
  for (size_t i = 0; i + 1 < values.size(); i += 2) {
    Value *pair = b.CreateIntrinsic(id, {}, {values[i + 1], values[i]});
    Value *halves = b.CreateBitCast(pair, FixedVectorType::get(b.getInt16Ty(), 2));
    for (size_t j = 0; j < 2; ++j)
      values[i + j] = b.CreateExtractElement(halves, j);
  }
}

Value *towardZero(IRBuilder<> &b, Value *value, const char *to) {
  PtxAsm code(b);
  std::string result = code.result(b.getInt16Ty());
  code.text(std::string("cvt.rz.") + to + ".f32 " + result + ", " + code.operand(value) + ";");
  return code.emit()[0];
}
} // namespace

bool NvptxMachine::convertFloats(MutableArrayRef<Value *> values, DType from, DType to, Rounding rounding) {
  auto narrowType = [&](DType type) { return type == DType::F16 ? b.getHalfTy() : b.getBFloatTy(); };
  bool from16 = from == DType::F16 || from == DType::BF16, to16 = to == DType::F16 || to == DType::BF16;
  if (from16 && to == DType::F32) {
    for (Value *&value : values)
      value = b.CreateFPExt(b.CreateBitCast(value, narrowType(from)), b.getFloatTy());
    return true;
  }
  if (from == DType::F32 && to16) {
    if (rounding == Rounding::Nearest) {
      narrow16(b, values, to);
      values = values.take_back(values.size() % 2);
    }
    for (Value *&value : values)
      value = rounding == Rounding::TowardZero
                  ? towardZero(b, value, to == DType::F16 ? "f16" : "bf16")
                  : b.CreateBitCast(b.CreateFPTrunc(value, narrowType(to)), b.getInt16Ty());
    return true;
  }
  if (from == DType::F64 && to == DType::F16 && rounding == Rounding::Nearest) {
    for (Value *&value : values)
      value = b.CreateBitCast(b.CreateFPTrunc(value, b.getHalfTy()), b.getInt16Ty());
    return true;
  }
  if (capability < 89)
    return false;
  if (hasFloat8(from) && (to == DType::F16 || to == DType::F32)) {
    widen8(b, values, from);
    return to == DType::F16 || convertFloats(values, DType::F16, DType::F32, rounding);
  }
  if (from == DType::F32 && hasFloat8(to) && rounding == Rounding::Nearest) {
    narrow8(b, values, to);
    return true;
  }
  return false;
}

} // namespace trisect::cuda
