//===- Control.cpp - blocks, branches, loops ------------------------------------------------------------===//
//
// What: structured and unstructured control flow as LLVM blocks and phis, a phi for each part of a carried
// value. All conditions are the same for every thread of a block.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "backends/gpu/ir/TileDialect.h"
#include "core/ir/Locations.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DepthFirstIterator.h"

using namespace llvm;

namespace trisect::cuda {

BasicBlock *Emitter::newBlock(const Twine &name) {
  return BasicBlock::Create(b.getContext(), name, frame.function);
}

void Emitter::when(Value *condition, function_ref<void()> body) {
  BasicBlock *then = newBlock("then"), *after = newBlock("after");
  b.CreateCondBr(condition, then, after);
  b.SetInsertPoint(then);
  body();
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

void Emitter::comeBack(BasicBlock *head) {
  LLVMContext &context = b.getContext();
  MDNode *stays = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, stays});
  loop->replaceOperandWith(0, loop);
  b.CreateBr(head)->setMetadata(LLVMContext::MD_loop, loop);
}

Parts Emitter::repeat(int64_t turns, const Parts &carried,
                      function_ref<Parts(Value *number, const Parts &carried)> turn, Turns how) {
  if (turns == 1)
    return turn(i32(0), carried);
  BasicBlock *before = b.GetInsertBlock(), *head = newBlock("repeat"), *inside = newBlock("repeat.turn"),
             *after = newBlock("repeat.end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *number = b.CreatePHI(b.getInt32Ty(), 2);
  number->addIncoming(i32(0), before);
  Parts phis;
  for (Value *value : carried) {
    PHINode *phi = b.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    phis.push_back(phi);
  }
  b.CreateCondBr(b.CreateICmpULT(number, i32(turns)), inside, after);
  b.SetInsertPoint(inside);
  Parts left = turn(number, phis);
  for (auto [phi, value] : zip(phis, left))
    cast<PHINode>(phi)->addIncoming(value, b.GetInsertBlock());
  number->addIncoming(b.CreateAdd(number, i32(1)), b.GetInsertBlock());
  if (how == Turns::OneByOne)
    comeBack(head);
  else
    b.CreateBr(head);
  b.SetInsertPoint(after);
  return phis;
}

namespace {

/// Phis for the parts of values that come together; two halves of a thread are one word, as in memory and in
/// arithmetic on pairs.
class Phis {
public:
  Phis(Emitter &e, mlir::TypeRange types) : e(e) {
    for (mlir::Type type : types) {
      SmallVector<Type *> parts = e.partTypes(type);
      Carried carried{{}, parts[0], tt::elementOf(type).isF16() && parts.size() % 2 == 0};
      for (size_t n = 0; n < parts.size(); n += carried.paired ? 2 : 1)
        carried.phis.push_back(e.b.CreatePHI(carried.paired ? e.b.getInt32Ty() : parts[n], 2));
      all.push_back(std::move(carried));
    }
  }
  void bind(mlir::ValueRange values) {
    for (auto [value, carried] : zip(values, all))
      e.set(value, carried.paired ? halves(carried) : Parts(carried.phis.begin(), carried.phis.end()));
  }
  void come(mlir::ValueRange values) {
    for (auto [value, carried] : zip(values, all))
      for (auto [n, phi] : enumerate(carried.phis)) {
        const Parts &parts = e.parts(value);
        phi->addIncoming(carried.paired ? pair(parts[2 * n], parts[2 * n + 1]) : parts[n],
                         e.b.GetInsertBlock());
      }
  }

private:
  struct Carried {
    SmallVector<PHINode *> phis;
    Type *part;
    bool paired;
  };

  Parts halves(const Carried &carried) {
    IRBuilder<>::InsertPointGuard guard(e.b);
    BasicBlock *block = carried.phis[0]->getParent();
    e.b.SetInsertPoint(block, block->getFirstInsertionPt());
    Parts parts;
    for (PHINode *phi : carried.phis) {
      parts.push_back(e.b.CreateTrunc(phi, carried.part));
      parts.push_back(e.b.CreateTrunc(e.b.CreateLShr(phi, 16), carried.part));
    }
    return parts;
  }
  /// At the end of the block that is being left.
  Value *pair(Value *first, Value *second) {
    IRBuilder<>::InsertPointGuard guard(e.b);
    if (Instruction *leaves = e.b.GetInsertBlock()->getTerminator())
      e.b.SetInsertPoint(leaves);
    Value *both = PoisonValue::get(FixedVectorType::get(e.b.getInt16Ty(), 2));
    both = e.b.CreateInsertElement(both, first, e.b.getInt64(0));
    return e.b.CreateBitCast(e.b.CreateInsertElement(both, second, e.b.getInt64(1)), e.b.getInt32Ty());
  }

  Emitter &e;
  SmallVector<Carried> all;
};

void emitFor(Emitter &e, mlir::scf::ForOp loop) {
  IRBuilder<> &b = e.b;
  Value *low = e.scalar(loop.getLowerBound()), *high = e.scalar(loop.getUpperBound());
  Value *step = e.scalar(loop.getStep());
  BasicBlock *before = b.GetInsertBlock(), *head = e.newBlock("for"), *inside = e.newBlock("for.body"),
             *after = e.newBlock("for.end");
  // The trip count is known before the loop, so that the last step cannot wrap around.
  Type *type = low->getType();
  Value *some = b.CreateAnd(b.CreateICmpSLT(low, high), b.CreateICmpSGT(step, e.zero(type)));
  Value *safeStep = b.CreateSelect(some, step, ConstantInt::get(type, 1));
  Value *distance = b.CreateSub(b.CreateSub(high, low), ConstantInt::get(type, 1));
  auto *constantStep = dyn_cast<ConstantInt>(step);
  Value *trips = constantStep && constantStep->isOne() ? distance : b.CreateUDiv(distance, safeStep);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *index = b.CreatePHI(type, 2), *left = b.CreatePHI(type, 2);
  PHINode *more = b.CreatePHI(b.getInt1Ty(), 2);
  Phis carried(e, loop.getInitArgs().getTypes());
  index->addIncoming(low, before);
  left->addIncoming(trips, before);
  more->addIncoming(some, before);
  b.CreateCondBr(more, inside, after);
  b.SetInsertPoint(before);
  carried.come(loop.getInitArgs());
  carried.bind(loop.getRegionIterArgs());
  e.set(loop.getInductionVar(), index);
  b.SetInsertPoint(inside);
  e.emitBlockBody(*loop.getBody());
  carried.come(loop.getBody()->getTerminator()->getOperands());
  BasicBlock *end = b.GetInsertBlock();
  index->addIncoming(b.CreateAdd(index, step), end);
  left->addIncoming(b.CreateSub(left, ConstantInt::get(type, 1)), end);
  more->addIncoming(b.CreateICmpNE(left, e.zero(type)), end);
  e.comeBack(head);
  b.SetInsertPoint(after);
  carried.bind(loop.getResults());
}

void emitIf(Emitter &e, mlir::scf::IfOp op) {
  IRBuilder<> &b = e.b;
  bool hasElse = !op.getElseRegion().empty();
  BasicBlock *then = e.newBlock("if.then"), *otherwise = hasElse ? e.newBlock("if.else") : nullptr,
             *after = e.newBlock("if.end");
  b.CreateCondBr(e.scalar(op.getCondition()), then, hasElse ? otherwise : after);
  auto branch = [&](BasicBlock *at, mlir::Region &region) {
    b.SetInsertPoint(at);
    e.emitBlockBody(region.front());
    BasicBlock *end = b.GetInsertBlock();
    b.CreateBr(after);
    return end;
  };
  BasicBlock *thenEnd = branch(then, op.getThenRegion());
  BasicBlock *elseEnd = hasElse ? branch(otherwise, op.getElseRegion()) : nullptr;
  b.SetInsertPoint(after);
  if (op.getNumResults() == 0)
    return;
  Phis results(e, op.getResultTypes());
  for (auto [end, region] :
       {std::pair{thenEnd, &op.getThenRegion()}, std::pair{elseEnd, &op.getElseRegion()}}) {
    IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(end);
    results.come(region->front().getTerminator()->getOperands());
  }
  results.bind(op.getResults());
}

/// Programs of few warps are many on a multiprocessor: those that wait for a lock keep those that have it
/// from memory, and pause. Others release once before all tries: a fence at each would hold up the
/// multiprocessor. Measured on an H200, with 96 locks: either is faster where it is used, and slower
/// elsewhere.
constexpr unsigned fewWarps = 4, spinPause = 300;

/// The swap of a loop that does nothing but try to swap.
tt::AtomicCASOp spinOf(mlir::scf::WhileOp op) {
  tt::AtomicCASOp found;
  for (mlir::Operation &each : op.getBefore().front().without_terminator()) {
    auto swap = dyn_cast<tt::AtomicCASOp>(each);
    if (swap ? bool(found) : !isa<gpu::BarrierOp>(each) && !mlir::isMemoryEffectFree(&each))
      return {};
    if (swap)
      found = swap;
  }
  return op.getAfter().front().without_terminator().empty() ? found : nullptr;
}

/// Releases what the block has written, for all tries of a swap.
void releaseBefore(Emitter &e, tt::AtomicCASOp swap) {
  tt::MemSemantic sem = swap.getSem();
  if (sem != tt::MemSemantic::Release && sem != tt::MemSemantic::AcqRel)
    return;
  e.machine.barrier();
  e.when(e.b.CreateICmpEQ(e.thread(), e.i32(0)), [&] { e.machine.fence({sem, swap.getScope()}); });
  e.releasedSwap = swap;
}

void emitWhile(Emitter &e, mlir::scf::WhileOp op) {
  IRBuilder<> &b = e.b;
  tt::AtomicCASOp spin = spinOf(op);
  bool pauses = spin && e.options.warps <= fewWarps;
  if (spin && !pauses && !isa<mlir::RankedTensorType>(spin.getPtr().getType()))
    releaseBefore(e, spin);
  BasicBlock *start = b.GetInsertBlock(), *head = e.newBlock("while"), *inside = e.newBlock("while.body"),
             *after = e.newBlock("while.end");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  Phis carried(e, op.getInits().getTypes());
  {
    IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(start);
    carried.come(op.getInits());
  }
  carried.bind(op.getBeforeArguments());
  e.emitBlockBody(op.getBefore().front());
  auto condition = cast<mlir::scf::ConditionOp>(op.getBefore().front().getTerminator());
  b.CreateCondBr(e.scalar(condition.getCondition()), inside, after);
  for (auto [from, argument, result] : zip(condition.getArgs(), op.getAfterArguments(), op.getResults())) {
    Parts parts = e.parts(from);
    e.set(argument, parts);
    e.set(result, parts);
  }
  b.SetInsertPoint(inside);
  if (pauses)
    e.machine.pause(spinPause);
  e.emitBlockBody(op.getAfter().front());
  carried.come(op.getAfter().front().getTerminator()->getOperands());
  e.comeBack(head);
  b.SetInsertPoint(after);
}

} // namespace

bool emitControl(Emitter &e, mlir::Operation *op) {
  if (auto loop = dyn_cast<mlir::scf::ForOp>(op))
    emitFor(e, loop);
  else if (auto branch = dyn_cast<mlir::scf::IfOp>(op))
    emitIf(e, branch);
  else if (auto loop = dyn_cast<mlir::scf::WhileOp>(op))
    emitWhile(e, loop);
  else
    return false;
  return true;
}

// A region whose blocks branch to each other: the kernel's body, or one of scalars.
namespace {
using Returned = SmallVector<std::pair<BasicBlock *, Parts>>;

void emitTerminator(Emitter &e, mlir::Operation *op, DenseMap<mlir::Block *, BasicBlock *> &blocks,
                    DenseMap<mlir::Block *, std::unique_ptr<Phis>> &phis, BasicBlock *exit,
                    Returned &returned) {
  IRBuilder<> &b = e.b;
  if (auto branch = dyn_cast<mlir::cf::BranchOp>(op)) {
    phis[branch.getDest()]->come(branch.getDestOperands());
    b.CreateBr(blocks[branch.getDest()]);
    return;
  }
  if (auto branch = dyn_cast<mlir::cf::CondBranchOp>(op)) {
    phis[branch.getTrueDest()]->come(branch.getTrueDestOperands());
    if (branch.getTrueDest() == branch.getFalseDest()) {
      // One phi entry for a pair of blocks: choose the operands here.
      BasicBlock *aside = e.newBlock("aside");
      b.CreateCondBr(e.scalar(branch.getCondition()), blocks[branch.getTrueDest()], aside);
      b.SetInsertPoint(aside);
      phis[branch.getFalseDest()]->come(branch.getFalseDestOperands());
      b.CreateBr(blocks[branch.getFalseDest()]);
      return;
    }
    phis[branch.getFalseDest()]->come(branch.getFalseDestOperands());
    b.CreateCondBr(e.scalar(branch.getCondition()), blocks[branch.getTrueDest()],
                   blocks[branch.getFalseDest()]);
    return;
  }
  Parts results;
  for (mlir::Value value : op->getOperands())
    results.push_back(e.scalar(value));
  returned.push_back({b.GetInsertBlock(), std::move(results)});
  b.CreateBr(exit);
}

Returned emitBlocks(Emitter &e, mlir::Region &region, BasicBlock *exit) {
  IRBuilder<> &b = e.b;
  DenseMap<mlir::Block *, BasicBlock *> blocks;
  DenseMap<mlir::Block *, std::unique_ptr<Phis>> phis;
  for (mlir::Block &block : region) {
    if (block.isEntryBlock()) {
      blocks[&block] = b.GetInsertBlock();
      continue;
    }
    IRBuilder<>::InsertPointGuard guard(b);
    blocks[&block] = e.newBlock("block");
    b.SetInsertPoint(blocks[&block]);
    phis[&block] = std::make_unique<Phis>(e, block.getArgumentTypes());
    phis[&block]->bind(block.getArguments());
  }
  Returned returned;
  // Values are defined before they are used only along dominating blocks.
  mlir::DominanceInfo dominance(region.getParentOp());
  SmallVector<mlir::Block *> order;
  if (region.hasOneBlock())
    order.push_back(&region.front());
  else
    for (auto *node : depth_first(dominance.getRootNode(&region)))
      order.push_back(node->getBlock());
  for (mlir::Block *block : order) {
    if (!block->isEntryBlock())
      b.SetInsertPoint(blocks[block]);
    e.emitBlockBody(*block);
    emitTerminator(e, block->getTerminator(), blocks, phis, exit, returned);
  }
  for (mlir::Block &block : region)
    if (!is_contained(order, &block)) {
      b.SetInsertPoint(blocks[&block]);
      b.CreateUnreachable();
    }
  return returned;
}
} // namespace

void Emitter::emitRegion(mlir::Region &region) {
  BasicBlock *exit = newBlock("exit");
  emitBlocks(*this, region, exit);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
}

Parts Emitter::inlineRegion(mlir::Region &region, ArrayRef<Value *> arguments) {
  for (auto [argument, value] : zip(region.getArguments(), arguments))
    set(argument, value);
  if (region.hasOneBlock()) {
    emitBlockBody(region.front());
    Parts results;
    for (mlir::Value value : region.front().getTerminator()->getOperands())
      results.push_back(scalar(value));
    return results;
  }
  BasicBlock *exit = newBlock("region.end");
  Returned returned = emitBlocks(*this, region, exit);
  b.SetInsertPoint(exit);
  Parts results;
  for (unsigned i = 0; !returned.empty() && i < returned[0].second.size(); ++i) {
    PHINode *phi = b.CreatePHI(returned[0].second[i]->getType(), returned.size());
    for (auto &[block, values] : returned)
      phi->addIncoming(values[i], block);
    results.push_back(phi);
  }
  return results;
}

void Emitter::emitBlockBody(mlir::Block &block) {
  for (mlir::Operation &op : block)
    if (!op.hasTrait<mlir::OpTrait::IsTerminator>())
      emitOp(&op);
}

void Emitter::emitOp(mlir::Operation *op) {
  if (lines)
    b.SetCurrentDebugLocation(lines->at(tt::positionOf(op->getLoc())));
  meetBefore(op);
  if (op->getNumRegions() == 0 && !mlir::isMemoryEffectFree(op))
    machine.nextOperation();
  for (auto family : {emitElementwise, emitCreation, emitMemory, emitShape, emitReduction, emitControl,
                      emitAtomic, emitScan, emitLookup, emitProduct, emitForeign, emitDebug, emitTile})
    if (family(*this, op))
      return;
  unsupported(op);
}

} // namespace trisect::cuda
