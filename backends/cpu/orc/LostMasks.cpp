//===- LostMasks.cpp - through an empty piece of assembly, or a comparison of bytes --------------------===//
#include "backends/cpu/orc/LostMasks.h"
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

void hideConstants(IntrinsicInst &access, unsigned vectorBytes) {
  if (access.getIntrinsicID() != Intrinsic::masked_load)
    return;
  auto *type = cast<FixedVectorType>(access.getType());
  unsigned bytes = std::max(type->getScalarSizeInBits() / 8, 1u), lanes = vectorBytes / bytes;
  Value *mask = access.getArgOperand(2);
  if (bytes >= 4 && type->getNumElements() > lanes && !isa<Constant>(mask) && knowsRegister(mask, lanes, 6))
    hide(access, 2);
}

/// The same access in 16 bytes, the last eight of which are off.
void widen(IntrinsicInst &access) {
  bool load = access.getIntrinsicID() == Intrinsic::masked_load;
  if (!load && access.getIntrinsicID() != Intrinsic::masked_store)
    return;
  Value *data = access.getArgOperand(load ? 3 : 0), *mask = access.getArgOperand(load ? 2 : 3);
  if (data->getType() != FixedVectorType::get(Type::getInt8Ty(data->getContext()), 8) || isa<Constant>(mask))
    return;
  IRBuilder<> b(&access);
  SmallVector<int> first{0, 1, 2, 3, 4, 5, 6, 7}, all = first;
  all.append(8, 8);
  Value *off = Constant::getNullValue(data->getType());
  auto wide = [&](Value *bytes) { return b.CreateShuffleVector(bytes, off, all); };
  Value *signs = wide(b.CreateSExt(mask, data->getType()));
  Value *on = b.CreateICmpSLT(signs, Constant::getNullValue(signs->getType()));
  Value *pointer = access.getArgOperand(load ? 0 : 1);
  if (load) {
    Value *whole = b.CreateMaskedLoad(signs->getType(), pointer, Align(1), on, wide(data));
    access.replaceAllUsesWith(b.CreateShuffleVector(whole, first));
  } else {
    b.CreateMaskedStore(wide(data), pointer, Align(1), on);
  }
  access.eraseFromParent();
}
} // namespace

void keepMasks(Module &module, unsigned vectorBytes) {
  if (vectorBytes != 32 && vectorBytes != 64)
    return;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *access = dyn_cast<IntrinsicInst>(&instruction);
        if (access && vectorBytes == 32)
          hideConstants(*access, vectorBytes);
        else if (access)
          widen(*access);
      }
}

} // namespace trisect::cpu
