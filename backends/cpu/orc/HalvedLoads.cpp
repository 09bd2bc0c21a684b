//===- HalvedLoads.cpp - pieces, and a register made of them --------------------------------------------===//
#include "backends/cpu/orc/HalvedLoads.h"
#include "backends/cpu/orc/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace trisect::cpu {

namespace {
using namespace llvm;

constexpr unsigned halfBytes = 32;

/// Steps from an address back to what it was made of.
constexpr unsigned mostSteps = 8;

/// A kernel's own memory is an argument of its function; the launch's is reached through pointers in memory.
bool isOwn(const Value *address, unsigned steps = mostSteps) {
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

bool isWide(const LoadInst &load) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (!type || !load.isSimple() || type->getElementType()->isPointerTy())
    return false;
  unsigned bits = type->getScalarSizeInBits();
  return bits >= 8 && bits * type->getNumElements() >= 16 * halfBytes &&
         bits * type->getNumElements() % (16 * halfBytes) == 0;
}

bool isWideLoad(const Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  return load && isWide(*load) && !isOwn(load->getPointerOperand());
}

/// Whether an instruction computes with vectors, rather than moving or naming them.
bool computes(const Instruction &instruction) {
  return instruction.getType()->isVectorTy() &&
         !isa<LoadInst, PHINode, BitCastInst, ShuffleVectorInst, InsertElementInst>(instruction);
}

/// Whether memory is all that a block waits for: it writes some, and computes little with what it reads.
bool movesMemory(const BasicBlock &block) {
  bool writes = any_of(block, [](const Instruction &each) {
    auto *store = dyn_cast<StoreInst>(&each);
    return store && store->getValueOperand()->getType()->isVectorTy() && !isOwn(store->getPointerOperand());
  });
  return writes && count_if(block, computes) <= count_if(block, isWideLoad);
}

/// Volatile: code generation would put plain ones together again.
void halve(LoadInst &load) {
  auto *whole = cast<FixedVectorType>(load.getType());
  unsigned lanes = halfBytes * 8 / whole->getScalarSizeInBits();
  auto *half = FixedVectorType::get(whole->getElementType(), lanes);
  IRBuilder<> b(&load);
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < whole->getNumElements(); first += lanes) {
    unsigned offset = first / lanes * halfBytes;
    Value *place = offset ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), load.getPointerOperand(), offset)
                          : load.getPointerOperand();
    LoadInst *part =
        b.CreateAlignedLoad(half, place, commonAlignment(load.getAlign(), offset), /*isVolatile=*/true);
    part->copyMetadata(load);
    parts.push_back(part);
  }
  load.replaceAllUsesWith(concatenateVectors(b, parts));
  load.eraseFromParent();
}
} // namespace

void halveLoads(Module &module, const Machine &machine) {
  if (!machine.takesHalves())
    return;
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (movesMemory(block))
        for (Instruction &instruction : make_early_inc_range(block))
          if (isWideLoad(instruction))
            halve(cast<LoadInst>(instruction));
}

} // namespace trisect::cpu
