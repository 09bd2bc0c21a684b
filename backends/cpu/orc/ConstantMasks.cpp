//===- ConstantMasks.cpp - through an empty piece of assembly -------------------------------------------===//
#include "backends/cpu/orc/ConstantMasks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace trisect::cpu {

namespace {
using namespace llvm;

bool isMask(const Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector && vector->getElementType()->isIntegerTy(1);
}

/// Whether all lanes of some register are one number in a constant.
bool hasConstantRegister(const Constant *constant, unsigned lanes) {
  unsigned all = cast<FixedVectorType>(constant->getType())->getNumElements();
  for (unsigned first = 0; first < all; first += lanes) {
    bool same = true;
    const Constant *one = constant->getAggregateElement(first);
    for (unsigned lane = first; lane < std::min(first + lanes, all); ++lane)
      same &= constant->getAggregateElement(lane) == one;
    if (same && !isa<UndefValue>(one))
      return true;
  }
  return false;
}

bool knowsRegister(const Value *mask, unsigned lanes, unsigned depth) {
  if (auto *constant = dyn_cast<Constant>(mask))
    return hasConstantRegister(constant, lanes);
  auto *instruction = dyn_cast<Instruction>(mask);
  if (!instruction || depth == 0 || isa<CmpInst, CallInst, PHINode>(instruction))
    return false;
  return any_of(instruction->operands(), [&](const Value *operand) {
    return isMask(operand) && knowsRegister(operand, lanes, depth - 1);
  });
}

void hide(IntrinsicInst &load, unsigned operand) {
  IRBuilder<> b(&load);
  Value *mask = load.getArgOperand(operand);
  unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
  // Assembly takes whole registers.
  auto *whole = FixedVectorType::get(b.getIntNTy(std::max(128 / lanes, 8u)), lanes);
  auto *type = FunctionType::get(whole, {whole}, /*isVarArg=*/false);
  // What goes through assembly is not known any more.
  Value *hidden = b.CreateCall(type, InlineAsm::get(type, "", "=x,0", /*hasSideEffects=*/false),
                               {b.CreateSExt(mask, whole)});
  load.setArgOperand(operand, b.CreateICmpSLT(hidden, Constant::getNullValue(whole)));
}
} // namespace

void hideConstantMasks(Module &module, unsigned vectorBytes) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *access = dyn_cast<IntrinsicInst>(&instruction);
        if (!access || access->getIntrinsicID() != Intrinsic::masked_load)
          continue;
        auto *type = cast<FixedVectorType>(access->getType());
        unsigned bytes = std::max(type->getScalarSizeInBits() / 8, 1u);
        Value *mask = access->getArgOperand(2);
        unsigned lanes = vectorBytes / bytes;
        if (bytes >= 4 && type->getNumElements() > lanes && !isa<Constant>(mask) &&
            knowsRegister(mask, lanes, 6))
          hide(*access, 2);
      }
}

} // namespace trisect::cpu
