//===- UseOrder.cpp - what an effect needs, right before it ---------------------------------------------===//
#include "backends/cuda/UseOrder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace trisect::cuda {

namespace {
/// So many loaded words do not make the assembler load late.
constexpr unsigned fewWords = 16;

bool isCode(const Instruction &instruction, StringRef word) {
  auto *call = dyn_cast<CallBase>(&instruction);
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && StringRef(code->getAsmString()).contains(word);
}

bool isStore(const Instruction &instruction) {
  return isa<StoreInst>(instruction) || isCode(instruction, "st.global");
}

/// Words that come from global memory.
unsigned loadedWords(const Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  if (!(load && load->getPointerAddressSpace() == 1) && !isCode(instruction, "ld.global"))
    return 0;
  Type *type = instruction.getType();
  if (auto *words = dyn_cast<StructType>(type))
    return words->getNumElements();
  auto *words = dyn_cast<FixedVectorType>(type);
  return words ? words->getNumElements() : 1;
}

/// What keeps its place among its like.
bool isFixed(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() ||
         (call && call->isConvergent());
}

class Order {
public:
  explicit Order(BasicBlock &block) : block(block) {
    for (Instruction &each : block)
      if (!isa<PHINode>(each) && !each.isTerminator())
        waiting.insert(&each);
  }

  void run() {
    unsigned words = 0;
    for (Instruction &each : block)
      if (waiting.contains(&each) && isFixed(each)) {
        fixed.push_back(&each);
        if (words == 0 && loadedWords(each) > 0)
          first = &each;
        words += loadedWords(each);
      }
    for (size_t n = 0; n < fixed.size();) {
      std::vector<Instruction *> group{fixed[n++]};
      if (group[0] == first)
        addWhatStandsBefore(*first, group);
      while (words <= fewWords && isStore(*group[0]) && n < fixed.size() && isStore(*fixed[n]))
        group.push_back(fixed[n++]);
      place(std::move(group));
    }
    place({waiting.begin(), waiting.end()});
    for (Instruction *each : order)
      each->moveBefore(block.getTerminator());
  }

private:
  void addWhatStandsBefore(Instruction &place, std::vector<Instruction *> &group) const {
    for (Instruction *each : waiting)
      if (each != &place && each->comesBefore(&place))
        group.push_back(each);
  }

  /// `needed`, and behind it what it needs, in the order in which all that stood.
  void place(std::vector<Instruction *> needed) {
    for (Instruction *each : needed)
      waiting.erase(each);
    for (size_t at = 0; at < needed.size(); ++at)
      for (Value *operand : needed[at]->operands())
        if (auto *made = dyn_cast<Instruction>(operand); made && waiting.erase(made))
          needed.push_back(made);
    std::sort(needed.begin(), needed.end(), [](Instruction *a, Instruction *b) { return a->comesBefore(b); });
    order.insert(order.end(), needed.begin(), needed.end());
  }

  BasicBlock &block;
  SmallPtrSet<Instruction *, 32> waiting;
  Instruction *first = nullptr; ///< load
  std::vector<Instruction *> fixed, order;
};
} // namespace

void orderByUse(Function &function) {
  for (BasicBlock &block : function)
    Order(block).run();
}

} // namespace trisect::cuda
