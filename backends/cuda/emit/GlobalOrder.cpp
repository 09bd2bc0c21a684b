//===- GlobalOrder.cpp - memory operations in program order ---------------------------------------------===//
//
// What: finds the accesses of global memory before which all threads must meet, because an earlier access of
// another thread may touch the same place. Why: within one program memory operations take effect in order.
// How: walks the kernel with the accesses since the last meeting; loops twice.
// Limits: two accesses through one value of addresses are the same thread's; with `disjoint`, different
// pointer arguments point to different memory, or element by element to the same.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "backends/gpu/ir/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
struct Access {
  mlir::Value pointer; ///< null: unknown
  mlir::Value base;    ///< the argument that it comes from, or null
  bool writes;
  bool operator==(const Access &) const = default;
};

/// The pointer argument behind an address, if there is only one way back.
mlir::Value baseOf(mlir::Value pointer) {
  for (int steps = 0; steps < 256; ++steps) {
    if (auto argument = dyn_cast<mlir::BlockArgument>(pointer)) {
      mlir::Operation *parent = argument.getOwner()->getParentOp();
      if (isa<tt::FuncOp>(parent))
        return argument.getOwner()->isEntryBlock() ? pointer : mlir::Value();
      auto loop = dyn_cast<mlir::scf::ForOp>(parent);
      if (!loop || argument.getArgNumber() == 0)
        return {};
      // Pointers that a loop carries stay within what they start from.
      pointer = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    mlir::Operation *op = pointer.getDefiningOp();
    if (isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
            tt::BitcastOp>(op))
      pointer = op->getOperand(0);
    else if (auto loop = dyn_cast<mlir::scf::ForOp>(op))
      pointer = loop.getInitArgs()[cast<mlir::OpResult>(pointer).getResultNumber()];
    else
      return {};
  }
  return {};
}

class Walk {
public:
  explicit Walk(bool disjoint) : disjoint(disjoint) {}

  void region(mlir::Region &region) {
    // Blocks that branch to each other may run again.
    int passes = region.hasOneBlock() ? 1 : 2;
    for (int pass = 0; pass < passes; ++pass)
      for (mlir::Block &block : region)
        for (mlir::Operation &op : block)
          visit(&op);
  }

  DenseSet<mlir::Operation *> barriers;

private:
  void visit(mlir::Operation *op) {
    if (isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op)) {
      for (int pass = 0; pass < 2; ++pass)
        for (mlir::Region &inner : op->getRegions())
          region(inner);
      return;
    }
    if (isa<mlir::scf::IfOp>(op)) {
      SmallVector<Access> before = open, after = open;
      for (mlir::Region &inner : op->getRegions()) {
        open = before;
        region(inner);
        for (const Access &access : open)
          if (!is_contained(after, access))
            after.push_back(access);
      }
      open = after;
      return;
    }
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return touch(op, {load.getPtr(), baseOf(load.getPtr()), false});
    if (auto copy = dyn_cast<gpu::CopyOp>(op))
      return touch(op, {copy.getPtr(), baseOf(copy.getPtr()), false});
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return touch(op, {store.getPtr(), baseOf(store.getPtr()), true});
    if (isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp>(op)) {
      mlir::Value pointer = op->getOperand(0);
      return touch(op, {pointer, baseOf(pointer), !isa<tt::AtomicLoadOp, tt::AtomicPollOp>(op)});
    }
    if (isa<tt::ElementwiseInlineAsmOp, tt::ExternElementwiseOp>(op) && !mlir::isMemoryEffectFree(op))
      touch(op, {{}, {}, true});
  }

  void touch(mlir::Operation *op, Access access) {
    if (any_of(open, [&](const Access &earlier) { return collide(earlier, access); })) {
      barriers.insert(op);
      open.clear();
    } else if (barriers.contains(op)) {
      open.clear();
    }
    if (!is_contained(open, access))
      open.push_back(access);
  }

  bool collide(const Access &a, const Access &b) const {
    if (!a.writes && !b.writes)
      return false;
    // One thread answers for an address; scalars are written by one thread and read by all.
    if (a.pointer && a.pointer == b.pointer && isa<mlir::RankedTensorType>(a.pointer.getType()))
      return false;
    if (disjoint && a.base && b.base && a.base != b.base)
      return false;
    return true;
  }

  bool disjoint;
  SmallVector<Access> open;
};
} // namespace

DenseSet<mlir::Operation *> findGlobalHazards(tt::FuncOp kernel, bool disjoint) {
  Walk walk(disjoint);
  walk.region(kernel.getBody());
  return std::move(walk.barriers);
}

} // namespace trisect::cuda
