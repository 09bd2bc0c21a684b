//===- Pointers.cpp - origin and overlap of pointers ----------------------------------------------------===//
#include "backends/cpu/plan/Pointers.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

Value Pointers::root(Value pointer) {
  if (auto found = known.find(pointer); found != known.end())
    return found->second;
  llvm::SmallPtrSet<void *, 8> open;
  return known[pointer] = trace(pointer, open);
}

// `open` holds the loop-carried pointers on the way; one that is met again adds no origin and gives itself.
Value Pointers::trace(Value pointer, llvm::SmallPtrSetImpl<void *> &open) {
  if (open.contains(pointer.getAsOpaquePointer()))
    return pointer;
  auto same = [&](Value a, Value b) {
    Value first = trace(a, open), second = trace(b, open);
    if (second && open.contains(second.getAsOpaquePointer()))
      return first;
    return first == second ? first : Value();
  };
  if (auto argument = dyn_cast<BlockArgument>(pointer)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<tt::FuncOp>(parent) && argument.getOwner()->isEntryBlock())
      return pointer;
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || argument.getArgNumber() == 0)
      return {};
    open.insert(pointer.getAsOpaquePointer());
    unsigned slot = argument.getArgNumber() - 1;
    Value result = same(loop.getInitArgs()[slot], loop.getYieldedValues()[slot]);
    open.erase(pointer.getAsOpaquePointer());
    return result;
  }
  Operation *op = pointer.getDefiningOp();
  if (isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
          tt::BitcastOp>(op))
    return trace(op->getOperand(0), open);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return same(select.getTrueValue(), select.getFalseValue());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return trace(loop.getRegionIterArg(cast<OpResult>(pointer).getResultNumber()), open);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned slot = cast<OpResult>(pointer).getResultNumber();
    return same(branch.thenYield().getOperand(slot), branch.elseYield().getOperand(slot));
  }
  return {};
}

Access Pointers::access(Operation *op, Value pointer, bool writes) {
  return {op, pointer, root(pointer), writes};
}

bool Pointers::conflict(const Access &first, const Access &second) {
  if (!first.writes && !second.writes)
    return false;
  if (first.root && second.root && first.root != second.root) {
    relied = true;
    return !disjoint;
  }
  if (first.pointer == second.pointer && second.writes)
    return !distinctLanes(first.pointer);
  return true;
}

namespace {
/// How an integer block depends on each dimension: whether it certainly changes along it, by one sign only.
using Changes = llvm::SmallVector<bool, 4>;

std::optional<Changes> changes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return Changes{};
  size_t rank = type.getRank();
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<tt::SplatOp>(op) || matchPattern(value, m_Constant()))
    return Changes(rank, false);
  if (isa<tt::MakeRangeOp>(op))
    return Changes(rank, true);
  if (isa<arith::ExtSIOp, arith::TruncIOp>(op))
    return changes(op->getOperand(0));
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto inner = changes(expand.getSrc());
    if (inner)
      inner->insert(inner->begin() + expand.getAxis(), false);
    return inner;
  }
  if (isa<tt::BroadcastOp>(op))
    return changes(op->getOperand(0));
  if (isa<arith::AddIOp, arith::MulIOp, tt::AddPtrOp>(op)) {
    auto a = changes(op->getOperand(0)), b = changes(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    for (size_t d = 0; d < rank; ++d) {
      // Two parts that both change along one dimension may cancel.
      if ((*a)[d] && (*b)[d])
        return std::nullopt;
      (*a)[d] = (*a)[d] || (*b)[d];
    }
    return a;
  }
  return std::nullopt;
}
} // namespace

bool Pointers::distinctLanes(Value pointer) {
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type)
    return true;
  std::optional<Changes> along = changes(pointer);
  if (!along)
    return false;
  // One moving dimension is certain (a stride of zero aside, which makes equal stores only). Several
  // dimensions are the tile of a matrix: rows do not overlap unless its row stride is smaller than its width.
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) > 1 && !(*along)[d])
      return false;
  return true;
}

} // namespace trisect::cpu
