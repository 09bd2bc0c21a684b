//===- GlobalOrder.cpp - memory operations in program order ---------------------------------------------===//
//
// What: finds the accesses of global memory before which all threads must meet, because an earlier access of
// another thread may touch the same place. Why: within one program memory operations take effect in order.
// How: walks the kernel with the accesses since the last meeting; loops twice. Where the addresses are ranges
// from scalars, the launch is asked whether they overlap, or the program itself, which meets only then. The
// walk is repeated with the meetings that it found, which leave later accesses less to ask.
// Limits: two accesses through one value of addresses are the same thread's, as long as it is the same
// iteration and each element has one thread.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/GlobalOrder.h"
#include "backends/cuda/emit/Emitter.h"
#include "backends/gpu/ir/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// More questions cost more than meeting.
constexpr size_t mostTests = 4;
/// Of a launch, which takes some nanoseconds for each.
constexpr size_t mostQuestions = 16;

struct Access {
  mlir::Value pointer; ///< null: unknown
  bool writes;
  bool stale = false; ///< of an earlier iteration, in which the pointer's value was another
  bool operator==(const Access &) const = default;
};

/// Whether a loop's iterations touch different elements through a pointer: `counter + range` whose range is
/// no longer than the counter's step, in no other loop.
bool advances(mlir::Value pointer) {
  auto add = pointer.getDefiningOp<tt::AddPtrOp>();
  auto sum = add ? add.getOffset().getDefiningOp<mlir::arith::AddIOp>() : nullptr;
  auto base = add ? add.getPtr().getDefiningOp<tt::SplatOp>() : nullptr;
  if (!sum || !base)
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    auto counter = sum->getOperand(i).getDefiningOp<tt::SplatOp>();
    auto range = sum->getOperand(1 - i).getDefiningOp<tt::MakeRangeOp>();
    auto argument = counter ? dyn_cast<mlir::BlockArgument>(counter.getSrc()) : nullptr;
    auto loop = argument ? dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
    if (!range || !loop || argument.getArgNumber() != 0)
      continue;
    std::optional<int64_t> step = mlir::getConstantIntValue(loop.getStep());
    mlir::Region *start = base.getSrc().getParentRegion();
    return step && *step >= int64_t(range.getEnd()) - int64_t(range.getStart()) &&
           start->isProperAncestor(&loop.getRegion()) && !loop->getParentOfType<mlir::LoopLikeOpInterface>();
  }
  return false;
}

/// Whether all threads meet in the course of an operation, after it has touched global memory.
bool meetsWithin(mlir::Operation *op) {
  // What turns out constant, or lies well for a scan, is not exchanged: then nobody meets.
  return op->hasAttr(gpu::kScratchAttr) && !isa<gpu::ConvertOp, tt::ScanOp>(op);
}

tt::MemSemantic semanticOf(mlir::Operation *op) {
  if (auto semantic = op->getAttrOfType<tt::MemSemanticAttr>("sem"))
    return semantic.getValue();
  return tt::MemSemantic::Relaxed;
}

class Walk {
public:
  Walk(tt::FuncOp kernel, function_ref<bool(mlir::Type)> hasOneThread,
       const DenseSet<mlir::Operation *> &meetings)
      : dominance(kernel), hasOneThread(hasOneThread), meetings(meetings) {}

  void region(mlir::Region &region) {
    if (region.empty())
      return;
    if (region.hasOneBlock())
      return block(region.front());
    // Blocks that branch: what reaches each start, until nothing new does.
    DenseMap<mlir::Block *, SmallVector<Access>> starts;
    SmallVector<Access> leaving;
    starts[&region.front()] = open;
    for (bool changed = true; changed;) {
      changed = false;
      DenseSet<mlir::Block *> begun;
      for (mlir::Block &each : region) {
        begun.insert(&each);
        open = starts[&each];
        block(each);
        for (mlir::Block *next : each.getSuccessors())
          changed |= merge(starts[next], begun.contains(next) ? staleWithin(region.getParentOp()) : open);
        if (each.getNumSuccessors() == 0)
          merge(leaving, open);
      }
    }
    open = std::move(leaving);
  }

  GlobalHazards hazards;

private:
  static bool merge(SmallVector<Access> &into, ArrayRef<Access> more) {
    size_t before = into.size();
    for (const Access &access : more)
      if (!is_contained(into, access))
        into.push_back(access);
    return into.size() != before;
  }

  /// What is open, seen from another iteration of `op`: pointers that are computed in it are others there.
  SmallVector<Access> staleWithin(mlir::Operation *op) const {
    SmallVector<Access> stale;
    for (Access access : open) {
      access.stale |= access.pointer && op->isAncestor(access.pointer.getParentRegion()->getParentOp());
      merge(stale, access);
    }
    return stale;
  }

  void block(mlir::Block &body) {
    for (mlir::Operation &op : body)
      visit(&op);
  }

  /// Two iterations; what enters the first also leaves the last.
  void loop(mlir::Operation *op) {
    for (unsigned pass = 0; pass < 2; ++pass) {
      if (pass)
        open = staleWithin(op);
      SmallVector<Access> before = open;
      for (mlir::Region &inner : op->getRegions())
        region(inner);
      merge(open, before);
    }
  }

  /// The first region runs once or more, and leaves the loop.
  void whileLoop(mlir::scf::WhileOp op) {
    SmallVector<Access> leaving;
    for (unsigned pass = 0; pass < 2; ++pass) {
      if (pass)
        open = staleWithin(op);
      region(op.getBefore());
      merge(leaving, open);
      region(op.getAfter());
    }
    open = std::move(leaving);
  }

  void visit(mlir::Operation *op) {
    if (auto loop = dyn_cast<mlir::scf::WhileOp>(op))
      return whileLoop(loop);
    if (isa<mlir::scf::ForOp>(op))
      return loop(op);
    if (isa<mlir::scf::IfOp>(op))
      return branch(op);
    StringRef name = op->getName().getStringRef();
    if (isa<gpu::BarrierOp>(op) || name == "gpu.barrier" || name == "ttg.barrier")
      return open.clear();
    if (auto load = dyn_cast<tt::LoadOp>(op))
      touch(op, {load.getPtr(), false});
    else if (auto copy = dyn_cast<gpu::CopyOp>(op))
      touch(op, {copy.getPtr(), false});
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      touch(op, {store.getPtr(), true});
    else if (isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp>(op))
      atomic(op);
    else if (isa<tt::ElementwiseInlineAsmOp, tt::ExternElementwiseOp>(op) && !mlir::isMemoryEffectFree(op))
      touch(op, {{}, true});
    if (meetsWithin(op))
      open.clear();
  }

  void branch(mlir::Operation *op) {
    SmallVector<Access> before = open, after;
    for (mlir::Region &inner : op->getRegions()) {
      open = before;
      region(inner);
      merge(after, open);
    }
    open = std::move(after);
  }

  // The block meets before a release and after an acquire.
  void atomic(mlir::Operation *op) {
    tt::MemSemantic semantic = semanticOf(op);
    if (semantic == tt::MemSemantic::Release || semantic == tt::MemSemantic::AcqRel)
      open.clear();
    mlir::Value pointer = op->getOperand(0);
    touch(op, {pointer, !isa<tt::AtomicLoadOp, tt::AtomicPollOp>(op)});
    if (semantic == tt::MemSemantic::Acquire || semantic == tt::MemSemantic::AcqRel)
      open.clear();
  }

  void touch(mlir::Operation *op, const Access &access) {
    if (meetings.contains(op)) {
      hazards.always.insert(op);
      open.clear();
    }
    SmallVector<OverlapTest, 2> tests = hazards.perhaps.lookup(op);
    bool lost = hazards.always.contains(op);
    for (const Access &earlier : open)
      lost = lost || !keepsOrder(op, earlier, access, tests);
    if (lost || tests.size() > mostTests) {
      hazards.always.insert(op);
      hazards.perhaps.erase(op);
      hazards.unlessApart.erase(op);
      open.clear();
    } else if (!tests.empty()) {
      hazards.perhaps[op] = std::move(tests);
    }
    merge(open, access);
  }

  /// Whether no thread can tell the two apart, or `tests` will find out.
  bool keepsOrder(mlir::Operation *op, const Access &a, const Access &b, SmallVector<OverlapTest, 2> &tests) {
    if (!a.writes && !b.writes)
      return true;
    // Thread 0 does both.
    auto scalar = [](const Access &each) {
      return each.writes && each.pointer && !isa<mlir::RankedTensorType>(each.pointer.getType());
    };
    if (scalar(a) && scalar(b))
      return true;
    if (a.pointer && a.pointer == b.pointer && isa<mlir::RankedTensorType>(a.pointer.getType()))
      return a.stale ? advances(a.pointer) : (a.writes && b.writes) || hasOneThread(a.pointer.getType());
    return !a.stale && a.pointer && b.pointer && ask(op, a.pointer, b.pointer, tests);
  }

  bool ask(mlir::Operation *op, mlir::Value a, mlir::Value b, SmallVector<OverlapTest, 2> &tests) {
    std::optional<Reach> earlier = reachOf(a), later = reachOf(b);
    auto isKnown = [&](mlir::Value value) { return dominance.properlyDominates(value, op); };
    if (!earlier || !later || !isKnown(earlier->start) || !all_of(earlier->moved, isKnown))
      return false;
    bool same = earlier->offsets && earlier->offsets == later->offsets && a.getType() == b.getType() &&
                hasOneThread(a.getType());
    OverlapTest test{*earlier, *later, same};
    std::optional<OverlapQuestion> question = test.ofLaunch();
    if (question && question->earlier == question->later)
      return !question->overlap(0, 0);
    if (question && askLaunch(*question))
      hazards.unlessApart.insert(op);
    else if (!is_contained(tests, test))
      tests.push_back(std::move(test));
    return true;
  }

  bool askLaunch(const OverlapQuestion &question) {
    if (is_contained(hazards.questions, question))
      return true;
    if (hazards.questions.size() == mostQuestions)
      return false;
    hazards.questions.push_back(question);
    return true;
  }

  mlir::DominanceInfo dominance;
  function_ref<bool(mlir::Type)> hasOneThread;
  const DenseSet<mlir::Operation *> &meetings;
  SmallVector<Access> open;
};
} // namespace

GlobalHazards findGlobalHazards(tt::FuncOp kernel, function_ref<bool(mlir::Type)> hasOneThread) {
  GlobalHazards found;
  while (true) {
    Walk walk(kernel, hasOneThread, found.always);
    walk.region(kernel.getBody());
    bool done = walk.hazards.always.size() == found.always.size();
    found = std::move(walk.hazards);
    if (done)
      return found;
  }
}

} // namespace trisect::cuda
