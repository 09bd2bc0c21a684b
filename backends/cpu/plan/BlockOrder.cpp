//===- BlockOrder.cpp - turns connected blocks ----------------------------------------------------------===//
#include "backends/cpu/plan/BlockOrder.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/plan/Pointers.h"
#include "backends/cpu/plan/Slope.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// A first dimension that is shorter fills too few lanes.
constexpr int64_t leastLanes = 8;

RankedTensorType planeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2 ? type : RankedTensorType();
}

RankedTensorType turned(RankedTensorType type) {
  return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
}

class Planes {
public:
  explicit Planes(tt::FuncOp kernel) : kernel(kernel) {
    separateConstants();
    kernel.walk([&](Operation *op) { connect(op); });
  }

  std::string turn() {
    for (Value value : keeping)
      kept.insert(classes.getLeaderValue(value.getAsOpaquePointer()));
    kernel.walk([&](Operation *op) { vote(op); });
    size_t blocks = 0;
    for (Value value : planes)
      if (turns(value))
        ++blocks;
    if (blocks == 0)
      return {};
    kernel.walk([&](Operation *op) { rewrite(op); });
    for (Value value : planes)
      if (turns(value))
        value.setType(turned(planeOf(value)));
    return "turned: " + std::to_string(blocks) + " blocks that are read along their first dimension\n";
  }

private:
  // A constant is nobody's: what has no more than that in common is not connected.
  void separateConstants() {
    SmallVector<arith::ConstantOp> constants;
    kernel.walk([&](arith::ConstantOp op) {
      if (planeOf(op.getResult()))
        constants.push_back(op);
    });
    for (arith::ConstantOp op : constants) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op->getUses())
        uses.push_back(&use);
      for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1))
        use->set(OpBuilder(op).clone(*op)->getResult(0));
    }
  }

  void add(Value value) {
    if (planeOf(value) && planes.insert(value))
      classes.insert(value.getAsOpaquePointer());
  }
  void unite(ValueRange values) {
    Value first;
    for (Value value : values) {
      add(value);
      if (!planeOf(value))
        continue;
      if (first)
        classes.unionSets(first.getAsOpaquePointer(), value.getAsOpaquePointer());
      else
        first = value;
    }
  }
  void keep(Operation *op) {
    for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (planeOf(value)) {
          add(value);
          keeping.push_back(value);
        }
  }

  void connect(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
        unite(
            {loop.getInitArgs()[i], loop.getRegionIterArg(i), loop.getYieldedValues()[i], loop.getResult(i)});
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (unsigned i = 0; i < branch.getNumResults(); ++i)
        unite({branch.getResult(i), branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)});
      return;
    }
    if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
      return;
    if (!follows(op))
      return keep(op);
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    unite(values);
  }

  // True for ops that do the same, element by element, whichever dimension comes first.
  static bool follows(Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return !load.getIsVolatile();
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return planeOf(store.getPtr()) && Pointers::distinctLanes(store.getPtr());
    if (DenseElementsAttr constant; matchPattern(op, m_Constant(&constant)))
      return constant.isSplat();
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      return !planeOf(expand.getSrc());
    return isa<tt::SplatOp, tt::BroadcastOp, tt::ReduceOp, tt::AssertOp>(op) || isElementwise(op);
  }

  void vote(Operation *op) {
    auto load = dyn_cast<tt::LoadOp>(op);
    auto store = dyn_cast<tt::StoreOp>(op);
    Value pointer = load ? load.getPtr() : store ? store.getPtr() : Value();
    RankedTensorType type = pointer ? planeOf(pointer) : RankedTensorType();
    if (!type || type.getDimSize(0) < leastLanes || type.getDimSize(1) == 1)
      return;
    int &votes = balance[classes.getLeaderValue(pointer.getAsOpaquePointer())];
    std::optional<int64_t> across = slopeAlong(pointer, 0), along = slopeAlong(pointer, 1);
    if (along == 1 && across != 0) // what does not change across is read once for all lanes
      --votes;
    else if (along != 1 && across == 1)
      ++votes;
  }

  bool turns(Value value) {
    void *leader = classes.getLeaderValue(value.getAsOpaquePointer());
    return !kept.contains(leader) && balance.lookup(leader) > 0;
  }

  void rewrite(Operation *op) {
    auto isTurned = [&](Value value) { return planeOf(value) && turns(value); };
    if (auto reduce = dyn_cast<tt::ReduceOp>(op); reduce && isTurned(reduce->getOperand(0)))
      reduce.setAxis(1 - reduce.getAxis());
    if (op->getNumResults() != 1 || !isTurned(op->getResult(0)))
      return;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      expand.setAxis(1 - expand.getAxis());
    if (DenseElementsAttr constant; matchPattern(op, m_Constant(&constant)))
      op->setAttr("value", constant.resizeSplat(turned(planeOf(op->getResult(0)))));
    // What a kernel says of each dimension.
    for (const char *hint : {"tt.contiguity", "tt.divisibility", "tt.constancy"})
      op->removeAttr(hint);
  }

  tt::FuncOp kernel;
  llvm::EquivalenceClasses<void *> classes;
  llvm::SetVector<Value> planes;
  SmallVector<Value> keeping;
  llvm::DenseSet<void *> kept;         ///< by leader
  llvm::DenseMap<void *, int> balance; ///< by leader: accesses along the first dimension less the others
};
} // namespace

std::string chooseBlockOrder(tt::FuncOp kernel) { return Planes(kernel).turn(); }

} // namespace trisect::cpu
