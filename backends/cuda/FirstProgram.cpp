//===- FirstProgram.cpp - sums of a block's number in another order -------------------------------------===//
#include "backends/cuda/FirstProgram.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace trisect::cuda {

namespace {
/// Replaces `sum`, if it is (block + first) << shift and a place.
bool reorder(BinaryOperator &sum) {
  bool adds = sum.getOpcode() == Instruction::Add ||
              (sum.getOpcode() == Instruction::Or && cast<PossiblyDisjointInst>(sum).isDisjoint());
  Value *block = nullptr, *first = nullptr, *place = nullptr;
  ConstantInt *shift = nullptr;
  auto number = m_CombineAnd(m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_ctaid_x>(), m_Value(block));
  auto program = m_OneUse(m_c_Add(m_CombineAnd(m_Load(m_Value()), m_Value(first)), number));
  if (!adds || !match(&sum, m_c_BinOp(m_OneUse(m_Shl(program, m_ConstantInt(shift))), m_Value(place))))
    return false;
  IRBuilder<> b(&sum);
  Value *within = b.CreateAdd(b.CreateShl(block, shift), place);
  sum.replaceAllUsesWith(b.CreateAdd(within, b.CreateShl(first, shift)));
  return true;
}
} // namespace

void addFirstProgramLast(Function &function) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block))
      if (auto *sum = dyn_cast<BinaryOperator>(&instruction); sum && reorder(*sum))
        RecursivelyDeleteTriviallyDeadInstructions(sum);
}

} // namespace trisect::cuda
