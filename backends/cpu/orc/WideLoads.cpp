//===- WideLoads.cpp - by types, and by where addresses come from ---------------------------------------===//
#include "backends/cpu/orc/WideLoads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Operator.h"

namespace trisect::cpu {

using namespace llvm;

/// Steps from an address back to what it was made of.
static constexpr unsigned mostSteps = 8;

// A kernel's own memory is an argument of its function; the launch's is reached through pointers in memory.
static bool isOwn(const Value *address, unsigned steps = mostSteps) {
  if (isa<Argument, AllocaInst>(address))
    return true;
  auto *made = dyn_cast<User>(address);
  if (!made || steps == 0)
    return false;
  if (isa<GEPOperator, IntToPtrInst, PtrToIntInst>(made))
    return isOwn(made->getOperand(0), steps - 1);
  auto *sum = dyn_cast<BinaryOperator>(made);
  return sum && (sum->getOpcode() == Instruction::Add || sum->getOpcode() == Instruction::Or) &&
         any_of(sum->operands(), [&](const Value *part) { return isOwn(part, steps - 1); });
}

bool isWideLoad(const Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!load || !type || !load->isSimple() || type->getElementType()->isPointerTy())
    return false;
  unsigned bits = type->getScalarSizeInBits();
  return bits >= 8 && bits * type->getNumElements() >= 16 * halfBytes &&
         bits * type->getNumElements() % (16 * halfBytes) == 0 && !isOwn(load->getPointerOperand());
}

bool isVectorStore(const Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  return store && store->getValueOperand()->getType()->isVectorTy() && !isOwn(store->getPointerOperand());
}

bool computes(const Instruction &instruction) {
  return instruction.getType()->isVectorTy() &&
         !isa<LoadInst, PHINode, BitCastInst, ShuffleVectorInst, InsertElementInst>(instruction);
}

} // namespace trisect::cpu
