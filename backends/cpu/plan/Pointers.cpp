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
/// Elements that are a sum of stride times index and something that is the same for all, counted modulo
/// 2^width: of the types that the sum went through the narrowest.
struct Lattice {
  llvm::SmallVector<int64_t, 4> strides;
  unsigned width = 64;

  bool scale(int64_t factor) {
    return llvm::all_of(strides,
                        [&](int64_t &stride) { return !__builtin_mul_overflow(stride, factor, &stride); });
  }
  bool add(const Lattice &other) {
    width = std::min(width, other.width);
    for (auto [stride, more] : llvm::zip(strides, other.strides))
      if (__builtin_add_overflow(stride, more, &stride))
        return false;
    return true;
  }
};

unsigned widthOf(Value value) {
  auto type = dyn_cast<IntegerType>(cast<RankedTensorType>(value.getType()).getElementType());
  return type ? type.getWidth() : 64;
}

std::optional<Lattice> latticeOf(Value value);

std::optional<Lattice> latticeOfBinary(Operation *op) {
  std::optional<Lattice> a = latticeOf(op->getOperand(0));
  APInt factor;
  if (a && isa<arith::MulIOp>(op)) {
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&factor)) || !a->scale(factor.getSExtValue()))
      return std::nullopt;
    return a;
  }
  std::optional<Lattice> b = latticeOf(op->getOperand(1));
  if (!a || !b || (isa<arith::SubIOp>(op) && !b->scale(-1)) || !a->add(*b))
    return std::nullopt;
  return a;
}

std::optional<Lattice> latticeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type || !op)
    return std::nullopt;
  Lattice same;
  same.strides.assign(type.getRank(), 0);
  DenseElementsAttr constant;
  if (isa<tt::SplatOp>(op) || (matchPattern(value, m_Constant(&constant)) && constant.isSplat()))
    return same;
  if (isa<tt::MakeRangeOp>(op)) {
    same.strides = {1};
    return same;
  }
  std::optional<Lattice> inner;
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op)) {
    inner = latticeOf(op->getOperand(0));
  } else if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    inner = latticeOf(expand.getSrc());
    if (inner)
      inner->strides.insert(inner->strides.begin() + expand.getAxis(), 0);
  } else if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    inner = latticeOf(broadcast.getSrc());
    for (auto [axis, extent] :
         llvm::enumerate(cast<RankedTensorType>(broadcast.getSrc().getType()).getShape()))
      if (inner && extent == 1)
        inner->strides[axis] = 0;
  } else if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, tt::AddPtrOp>(op)) {
    inner = latticeOfBinary(op);
  }
  if (inner)
    inner->width = std::min(inner->width, widthOf(value));
  return inner;
}
} // namespace

std::optional<llvm::SmallVector<int64_t, 4>> Pointers::stridesOf(Value block) {
  std::optional<Lattice> lattice = latticeOf(block);
  if (!lattice || lattice->width < 32)
    return std::nullopt;
  return lattice->strides;
}

bool Pointers::distinctLanes(Value pointer) {
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type)
    return true;
  std::optional<Lattice> lattice = latticeOf(pointer);
  if (!lattice)
    return false;
  // From the smallest stride on, each must step over all that the smaller ones reach.
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> steps;
  for (auto [stride, extent] : llvm::zip(lattice->strides, type.getShape()))
    if (extent > 1)
      steps.push_back({stride < 0 ? -static_cast<uint64_t>(stride) : stride, extent});
  llvm::sort(steps);
  uint64_t reach = 0, limit = uint64_t(1) << std::min(lattice->width, 32u);
  for (auto [stride, extent] : steps) {
    if (stride <= reach || stride >= limit)
      return false;
    reach += stride * (extent - 1);
    if (reach >= limit)
      return false;
  }
  return true;
}

} // namespace trisect::cpu
