//===- Displacements.cpp - a list of sums to look at ----------------------------------------------------===//
#include "backends/cpu/orc/Displacements.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace trisect::cpu {

namespace {
// A loop's counter and a constant: where a chunk of a round of several begins, among others.
bool isPlaceInLoop(llvm::Instruction &each) {
  using namespace llvm::PatternMatch;
  llvm::Value *counter = nullptr;
  return each.getType()->isIntegerTy(64) && match(&each, m_Add(m_Value(counter), m_ConstantInt())) &&
         llvm::isa<llvm::PHINode>(counter);
}
} // namespace

void addConstantsLast(llvm::Function &function) {
  using namespace llvm::PatternMatch;
  if (function.arg_empty())
    return;
  // The last of every function (emit/RegionFunction.h).
  llvm::Value *scratch = function.getArg(function.arg_size() - 1);
  llvm::SmallVector<llvm::Instruction *> sums;
  for (llvm::Instruction &each : llvm::instructions(function))
    if (match(&each, m_Add(m_PtrToInt(m_Specific(scratch)), m_ConstantInt())) ||
        match(&each, m_Add(m_Specific(scratch), m_ConstantInt())) || isPlaceInLoop(each))
      sums.push_back(&each);
  while (!sums.empty()) {
    llvm::Instruction *sum = sums.pop_back_val();
    llvm::Value *base = sum->getOperand(0), *constant = sum->getOperand(1);
    for (llvm::User *user : llvm::make_early_inc_range(sum->users())) {
      llvm::Value *other = nullptr;
      bool added = match(user, m_c_Add(m_Specific(sum), m_Value(other))) && other != sum &&
                   !llvm::isa<llvm::Constant>(other);
      if (!added && !match(user, m_Mul(m_Specific(sum), m_CombineAnd(m_ConstantInt(), m_Value(other)))))
        continue;
      auto *old = llvm::cast<llvm::Instruction>(user);
      llvm::IRBuilder<> b(old);
      llvm::Value *later = added ? b.CreateAdd(b.CreateAdd(base, other), constant)
                                 : b.CreateAdd(b.CreateMul(base, other), b.CreateMul(constant, other));
      old->replaceAllUsesWith(later);
      sums.push_back(llvm::cast<llvm::Instruction>(later));
      old->eraseFromParent();
    }
    if (sum->use_empty())
      sum->eraseFromParent();
  }
}

} // namespace trisect::cpu
