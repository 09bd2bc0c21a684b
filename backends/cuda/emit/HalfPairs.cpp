//===- HalfPairs.cpp - arithmetic on two halves at once -------------------------------------------------===//
//
// What: sums, differences and products of f16, two elements of a thread an instruction. Why: one instruction
// for two, and halves that come from a register of two and go into one need not be taken apart. One operation
// rounds as it does in f32 with a conversion behind it. Limits: a register bank of an even number of
// elements.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
Value *pairOf(IRBuilder<> &b, const Parts &parts, unsigned at) {
  Type *words = FixedVectorType::get(b.getInt16Ty(), 2);
  Value *second = parts.size() == 1 ? parts[0] : parts[at + 1];
  Value *pair =
      b.CreateInsertElement(PoisonValue::get(words), parts.size() == 1 ? parts[0] : parts[at], b.getInt64(0));
  return b.CreateBitCast(b.CreateInsertElement(pair, second, b.getInt64(1)),
                         FixedVectorType::get(b.getHalfTy(), 2));
}

Value *combine(IRBuilder<> &b, OpId id, Value *x, Value *y) {
  if (id == OpId::arith_addf)
    return b.CreateFAdd(x, y);
  return id == OpId::arith_subf ? b.CreateFSub(x, y) : b.CreateFMul(x, y);
}
} // namespace

bool emitHalfPairs(Emitter &e, mlir::Operation *op, OpId id, const Parts &x, const Parts &y, Parts &result) {
  bool known = id == OpId::arith_addf || id == OpId::arith_subf || id == OpId::arith_mulf;
  size_t count = std::max(x.size(), y.size());
  if (!known || count % 2 || !tt::elementOf(op->getOperand(0).getType()).isF16())
    return false;
  IRBuilder<> &b = e.b;
  IRBuilder<>::FastMathFlagGuard guard(b);
  FastMathFlags flags;
  flags.setAllowContract(e.options.fusion);
  b.setFastMathFlags(flags);
  for (unsigned n = 0; n < count; n += 2) {
    Value *made = combine(b, id, pairOf(b, x, n), pairOf(b, y, n));
    Value *words = b.CreateBitCast(made, FixedVectorType::get(b.getInt16Ty(), 2));
    result.push_back(b.CreateExtractElement(words, b.getInt64(0)));
    result.push_back(b.CreateExtractElement(words, b.getInt64(1)));
  }
  return true;
}

} // namespace trisect::cuda
