//===- HalvedLoads.cpp - pieces, and a register made of them --------------------------------------------===//
#include "backends/cpu/orc/HalvedLoads.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/WideLoads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace trisect::cpu {

namespace {
using namespace llvm;

/// Whether memory is all that a block waits for: it writes some, and computes little with what it reads.
bool movesMemory(const BasicBlock &block) {
  return any_of(block, isVectorStore) && count_if(block, computes) <= count_if(block, isWideLoad);
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
