//===- Displacements.cpp - a list of sums to look at ----------------------------------------------------===//
#include "backends/cpu/orc/Displacements.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace trisect::cpu {

void addConstantsLast(llvm::Function &function) {
  using namespace llvm::PatternMatch;
  if (function.arg_empty())
    return;
  // The last of every function (emit/RegionFunction.h).
  llvm::Value *scratch = function.getArg(function.arg_size() - 1);
  llvm::SmallVector<llvm::Instruction *> sums;
  for (llvm::Instruction &each : llvm::instructions(function))
    if (match(&each, m_Add(m_PtrToInt(m_Specific(scratch)), m_ConstantInt())) ||
        match(&each, m_Add(m_Specific(scratch), m_ConstantInt())))
      sums.push_back(&each);
  while (!sums.empty()) {
    llvm::Instruction *sum = sums.pop_back_val();
    llvm::Value *base = sum->getOperand(0), *constant = sum->getOperand(1);
    for (llvm::User *user : llvm::make_early_inc_range(sum->users())) {
      llvm::Value *index = nullptr;
      if (!match(user, m_c_Add(m_Specific(sum), m_Value(index))) || index == sum ||
          llvm::isa<llvm::Constant>(index))
        continue;
      auto *old = llvm::cast<llvm::Instruction>(user);
      llvm::IRBuilder<> b(old);
      llvm::Value *later = b.CreateAdd(b.CreateAdd(base, index), constant);
      old->replaceAllUsesWith(later);
      sums.push_back(llvm::cast<llvm::Instruction>(later));
      old->eraseFromParent();
    }
    if (sum->use_empty())
      sum->eraseFromParent();
  }
}

} // namespace trisect::cpu
