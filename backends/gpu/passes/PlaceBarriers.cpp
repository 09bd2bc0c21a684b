//===- PlaceBarriers.cpp - barriers where accesses of shared memory could meet --------------------------===//
#include "backends/gpu/passes/PlaceBarriers.h"
#include "backends/gpu/ir/TileDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <set>

using namespace mlir;

namespace trisect::gpu {

namespace {
struct Access {
  int64_t first;
  int64_t end;
  bool writes;
  /// Of a buffer of several slots: pipelineLoads() orders its copies and readers.
  bool ordered = false;
  auto operator<=>(const Access &) const = default;
};
/// What may be under way in some thread.
using Pending = std::set<Access>;

Access ofBuffer(Value value, bool writes) {
  BufferOp buffer = bufferBehind(value);
  int64_t offset = static_cast<int64_t>(*buffer.getOffset()), slots = buffer.getSlots();
  int64_t bytes = slots == 1 ? buffer.getType().getBytes() : slots * slotBytes(buffer.getType());
  return {offset, offset + bytes, writes, slots > 1};
}

/// Accesses before the operation's own barrier, if it has one.
SmallVector<Access> accessesOf(Operation *op) {
  SmallVector<Access> accesses;
  if (auto scratch = op->getAttrOfType<DenseI64ArrayAttr>(kScratchAttr))
    accesses.push_back({scratch[0], scratch[0] + scratch[1], true});
  for (Value operand : op->getOperands())
    if (isa<BufferType>(operand.getType()) && !isa<SlotOp>(op))
      accesses.push_back(ofBuffer(operand, isa<BufferStoreOp, CopyOp>(op)));
  return accesses;
}

bool areOrdered(const Access &earlier, const Access &access) {
  return earlier.ordered && access.ordered && earlier.first == access.first;
}

bool conflict(const Pending &pending, const Access &access) {
  for (const Access &earlier : pending)
    if (earlier.first < access.end && access.first < earlier.end && (earlier.writes || access.writes) &&
        !areOrdered(earlier, access))
      return true;
  return false;
}

class Placer {
public:
  void region(Region &body, Pending &pending) {
    if (body.hasOneBlock())
      return block(body.front(), pending);
    // Blocks that branch: what reaches each start, until nothing new does.
    llvm::DenseMap<Block *, Pending> starts;
    starts[&body.front()] = pending;
    Pending leaving;
    for (bool changed = true; changed;) {
      changed = false;
      for (Block &each : body) {
        Pending state = starts[&each];
        block(each, state);
        if (each.getNumSuccessors() == 0)
          leaving.insert(state.begin(), state.end());
        for (Block *next : each.getSuccessors()) {
          Pending &start = starts[next];
          size_t before = start.size();
          start.insert(state.begin(), state.end());
          changed |= start.size() != before;
        }
      }
    }
    pending = leaving;
  }

private:
  void block(Block &body, Pending &pending) {
    for (Operation &op : body)
      operation(&op, pending);
  }

  void operation(Operation *op, Pending &pending) {
    if (isa<BarrierOp>(op))
      return pending.clear();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return repeat(pending, [&](Pending &state) { region(loop.getRegion(), state); });
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      Pending leaving;
      repeat(pending, [&](Pending &state) {
        region(loop.getBefore(), state);
        leaving = state;
        region(loop.getAfter(), state);
      });
      pending = leaving;
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Pending other = pending;
      region(branch.getThenRegion(), pending);
      if (!branch.getElseRegion().empty())
        region(branch.getElseRegion(), other);
      pending.insert(other.begin(), other.end());
      return;
    }
    access(op, pending);
  }

  void access(Operation *op, Pending &pending) {
    SmallVector<Access> accesses = accessesOf(op);
    for (const Access &access : accesses)
      if (conflict(pending, access)) {
        OpBuilder(op).create<BarrierOp>(op->getLoc());
        pending.clear();
        break;
      }
    if (op->hasAttr(kScratchAttr)) {
      // What turns out constant, or lies well for a scan, is not exchanged: then nobody meets.
      if (!isa<ConvertOp, tt::ScanOp>(op))
        pending.clear();
      for (Access &access : accesses)
        access.writes = false;
    }
    // Its operands go through a place of its own, between whose writes and reads all meet.
    if (auto dot = dyn_cast<DotOp>(op); dot && dot.getPath() == "fma")
      pending.clear();
    pending.insert(accesses.begin(), accesses.end());
  }

  /// A body that runs any number of times.
  template <typename Body> void repeat(Pending &pending, Body body) {
    Pending start = pending;
    while (true) {
      Pending state = start;
      body(state);
      size_t before = start.size();
      start.insert(state.begin(), state.end());
      if (start.size() == before)
        break;
    }
    pending = start;
  }
};
} // namespace

void placeBarriers(tt::FuncOp kernel) {
  Pending pending;
  Placer().region(kernel.getBody(), pending);
}

} // namespace trisect::gpu
