//===- Waiting.cpp - which loops may wait for another program -------------------------------------------===//
#include "backends/cpu/plan/Waiting.h"
#include "core/ir/Ops.h"
#include "core/support/OpTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

bool isAtomic(Operation *op) {
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  return id && info(*id).cls == OpClass::Atomic;
}

/// A load that is made to see what others write; inline assembly loads for no other reason.
bool isVolatileLoad(Operation *op) {
  if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    return assembly.getAsmString().contains("ld.");
  auto load = dyn_cast<tt::LoadOp>(op);
  return load && load.getIsVolatile();
}

/// True if each pass brings the loop nearer to its end whatever other programs do: a counter that it moves
/// on, or a compare-and-swap with what this loop read, which fails only where another one has succeeded.
bool makesProgress(Operation *op, scf::WhileOp loop) {
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op)) {
    APInt step;
    return rmw.getAtomicRmwOp() == tt::RmwKind::Add && matchPattern(rmw.getVal(), m_ConstantInt(&step)) &&
           !step.isZero();
  }
  if (auto swap = dyn_cast<tt::AtomicCASOp>(op))
    return !matchPattern(swap.getCmp(), m_Constant()) &&
           loop->isAncestor(swap.getCmp().getParentBlock()->getParentOp());
  return false;
}

/// Everything inside a loop that a value of it is computed from.
class Slice {
public:
  Slice(scf::WhileOp loop, Value value) : loop(loop) {
    values.insert(value);
    for (unsigned i = 0; i < values.size(); ++i)
      follow(values[i]);
  }

  llvm::SetVector<Operation *> ops;
  bool carried = false; ///< a value of an earlier pass is among them

private:
  void follow(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (parent != loop) {
        if (loop->isAncestor(parent))
          addOp(parent);
      } else if (argument.getOwner() == loop.getBeforeBody()) {
        carried = true;
        values.insert(loop.getYieldOp().getOperand(argument.getArgNumber()));
      } else {
        values.insert(loop.getConditionOp().getArgs()[argument.getArgNumber()]);
      }
    } else if (loop->isProperAncestor(value.getDefiningOp())) {
      addOp(value.getDefiningOp());
    }
  }

  // What an atomic gives comes from memory: its operands are looked at where it is judged.
  void addOp(Operation *op) {
    ops.insert(op);
    if (isAtomic(op))
      return;
    values.insert(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          values.insert(block.getTerminator()->operand_begin(), block.getTerminator()->operand_end());
  }

  scf::WhileOp loop;
  llvm::SetVector<Value> values;
};

/// True for a value that each pass moves on by a constant.
bool isCounter(scf::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != loop.getBeforeBody())
    return false;
  auto before = [&](Value inner) {
    auto handed = dyn_cast<BlockArgument>(inner);
    return handed && handed.getOwner() == loop.getAfterBody()
               ? loop.getConditionOp().getArgs()[handed.getArgNumber()]
               : inner;
  };
  Value next = before(loop.getYieldOp().getOperand(argument.getArgNumber()));
  auto add = next.getDefiningOp<arith::AddIOp>();
  APInt step;
  return add && before(add.getLhs()) == argument && matchPattern(add.getRhs(), m_ConstantInt(&step)) &&
         !step.isZero();
}

/// True if this part of a loop's condition may hang on what another program writes.
bool hangsOnOthers(scf::WhileOp loop, Value part, bool synchronises) {
  if (auto compare = part.getDefiningOp<arith::CmpIOp>())
    if (compare.getPredicate() != arith::CmpIPredicate::eq &&
        compare.getPredicate() != arith::CmpIPredicate::ne &&
        (isCounter(loop, compare.getLhs()) || isCounter(loop, compare.getRhs())))
      return false;
  Slice slice(loop, part);
  bool reads = false, progress = false;
  for (Operation *op : slice.ops) {
    if (isVolatileLoad(op) || (isAtomic(op) && !makesProgress(op, loop)))
      return true;
    progress |= isAtomic(op);
    reads |= isa<tt::LoadOp>(op);
  }
  return reads && !progress && (synchronises || !slice.carried);
}

} // namespace

bool mayWait(scf::WhileOp loop) {
  bool synchronises = false;
  loop->walk([&](Operation *inner) { synchronises |= isAtomic(inner) || isVolatileLoad(inner); });
  // A count of tries ends what else would wait, but what it waits for is to come before.
  SmallVector<Value> parts{loop.getConditionOp().getCondition()};
  while (!parts.empty()) {
    Value part = parts.pop_back_val();
    if (auto both = part.getDefiningOp<arith::AndIOp>())
      parts.append({both.getLhs(), both.getRhs()});
    else if (hangsOnOthers(loop, part, synchronises))
      return true;
  }
  return false;
}

Operation *waitsBy(scf::WhileOp loop) {
  Operation *found = loop;
  loop->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (!isa<tt::LoadOp>(inner) && !isAtomic(inner) && !isVolatileLoad(inner))
      return WalkResult::advance();
    found = inner;
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace trisect::cpu
