//===- Exchange.cpp - partners as gathers ---------------------------------------------------------------===//
#include "backends/cpu/plan/Exchange.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// The operation of the region if it is that alone, of both arguments.
bool isXorSum(tt::ReduceOp op) {
  Block &block = op->getRegion(0).front();
  auto both = dyn_cast<arith::XOrIOp>(block.front());
  return both && op->getNumOperands() == 1 && block.getOperations().size() == 2 &&
         both.getLhs() != both.getRhs() && isa<BlockArgument>(both.getLhs()) &&
         isa<BlockArgument>(both.getRhs()) && block.getTerminator()->getOperand(0) == both.getResult();
}

/// The axis along which `sums` holds, at both places, the sum of the two elements of `block`; -1: none.
int64_t axisOfSums(Value sums, Value block) {
  auto broadcast = sums.getDefiningOp<tt::BroadcastOp>();
  auto expand = broadcast ? broadcast.getSrc().getDefiningOp<tt::ExpandDimsOp>() : tt::ExpandDimsOp();
  auto reduce = expand ? expand.getSrc().getDefiningOp<tt::ReduceOp>() : tt::ReduceOp();
  if (!reduce || reduce->getOperand(0) != block || !isXorSum(reduce))
    return -1;
  int64_t axis = reduce.getAxis();
  bool two = cast<RankedTensorType>(block.getType()).getDimSize(axis) == 2;
  return two && static_cast<int64_t>(expand.getAxis()) == axis ? axis : -1;
}

Value exchanged(OpBuilder &b, Location loc, Value block, int64_t axis) {
  auto type = cast<RankedTensorType>(block.getType());
  auto element = b.getI32Type();
  SmallVector<int64_t> line(type.getRank(), 1);
  line[axis] = 2;
  auto pair = RankedTensorType::get({2}, element);
  Value order = b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(pair, ArrayRef<int32_t>{1, 0}));
  Value along = b.create<tt::ReshapeOp>(loc, RankedTensorType::get(line, element), order);
  Value all = b.create<tt::BroadcastOp>(loc, RankedTensorType::get(type.getShape(), element), along);
  OperationState state(loc, tt::GatherOp::getOperationName());
  state.addOperands({block, all});
  state.addTypes(type);
  state.addAttribute("axis", b.getI32IntegerAttr(static_cast<int32_t>(axis)));
  return b.create(state)->getResult(0);
}

void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->use_empty() || !isa<tt::BroadcastOp, tt::ExpandDimsOp, tt::ReduceOp, tt::BitcastOp>(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

void rewrite(arith::XOrIOp op) {
  Value block = op.getLhs(), sums = op.getRhs();
  int64_t axis = axisOfSums(sums, block);
  if (axis < 0) {
    std::swap(block, sums);
    axis = axisOfSums(sums, block);
  }
  if (axis < 0)
    return;
  OpBuilder b(op);
  // The bits of floats: the floats themselves change places.
  auto bits = block.getDefiningOp<tt::BitcastOp>();
  Value partner = exchanged(b, op.getLoc(), bits ? bits.getSrc() : block, axis);
  if (bits) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (auto back = dyn_cast<tt::BitcastOp>(user); back && back.getType() == partner.getType()) {
        back.replaceAllUsesWith(partner);
        back.erase();
      }
    if (!op->use_empty())
      partner = b.create<tt::BitcastOp>(op.getLoc(), op.getType(), partner);
  }
  op.replaceAllUsesWith(partner);
  op.erase();
  eraseUnused(sums);
}
} // namespace

void writeExchanges(tt::FuncOp kernel) {
  SmallVector<arith::XOrIOp> found;
  kernel.walk([&](arith::XOrIOp op) {
    if (isa<RankedTensorType>(op.getType()))
      found.push_back(op);
  });
  for (arith::XOrIOp op : found)
    rewrite(op);
}

bool isExchange(tt::GatherOp op) {
  auto broadcast = op.getIndices().getDefiningOp<tt::BroadcastOp>();
  auto along = broadcast ? broadcast.getSrc().getDefiningOp<tt::ReshapeOp>() : tt::ReshapeOp();
  DenseIntElementsAttr order;
  if (!along || !matchPattern(along.getSrc(), m_Constant(&order)) || order.getNumElements() != 2)
    return false;
  auto from = cast<RankedTensorType>(op.getSrc().getType());
  bool twoEach = from.getDimSize(op.getAxis()) == 2 && ttShape(along.getType())[op.getAxis()] == 2;
  auto values = order.getValues<APInt>();
  return twoEach && from.getShape() == ttShape(op.getType()) && values[0].isOne() && values[1].isZero();
}

int64_t exchangeDistance(tt::GatherOp op) {
  int64_t distance = 1;
  for (int64_t extent : ttShape(op.getType()).drop_front(op.getAxis() + 1))
    distance *= extent;
  return distance;
}

tt::GatherOp exchangeInChunk(Value value) {
  auto gather = value.getDefiningOp<tt::GatherOp>();
  // A chunk that holds both of a pair also holds all that lies between them.
  return gather && isExchange(gather) && 2 * exchangeDistance(gather) <= chunkLanes ? gather : tt::GatherOp();
}

} // namespace trisect::cpu
