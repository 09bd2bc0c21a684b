//===- SignalingNans.cpp - by a value that nobody compares ----------------------------------------------===//
#include "backends/cpu/orc/SignalingNans.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace trisect::cpu {

namespace {
using namespace llvm;

bool becomesExtreme(SelectInst &choice) {
  Value *left = nullptr, *right = nullptr;
  SelectPatternResult found = matchSelectPattern(&choice, left, right);
  return (found.Flavor == SPF_FMINNUM || found.Flavor == SPF_FMAXNUM) &&
         found.NaNBehavior == SPNB_RETURNS_OTHER;
}

// The value that is chosen is then not the one that was compared, as far as LLVM looks.
void hide(SelectInst &choice) {
  unsigned operand = isa<Constant>(choice.getTrueValue()) ? 2 : 1;
  IRBuilder<> b(&choice);
  choice.setOperand(operand, b.CreateFreeze(choice.getOperand(operand)));
}
} // namespace

void keepSignalingNans(Module &module) {
  if (!Triple(module.getTargetTriple()).isAArch64())
    return;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block))
        if (auto *choice = dyn_cast<SelectInst>(&instruction); choice && becomesExtreme(*choice))
          hide(*choice);
}

} // namespace trisect::cpu
