//===- SplitOnSign.cpp - a kernel for remainders of what is not negative, and one for the rest ----------===//
#include "backends/gpu/passes/SplitOnSign.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
/// `(start + range) % n`.
struct Remainder {
  arith::RemSIOp op;
  arith::AddIOp dividend;
  unsigned splat; ///< the dividend's operand that is the start
  Value start;
  int64_t size;
};

std::optional<Remainder> remainderOf(arith::RemSIOp op, const tt::AxisFacts &facts) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto sum = op.getLhs().getDefiningOp<arith::AddIOp>();
  if (!type || type.getRank() != 1 || !type.getElementType().isInteger(32) || !sum)
    return std::nullopt;
  tt::AxisInfo dividend = facts.of(sum), divisor = facts.of(op.getRhs());
  if (dividend.nonNegative || dividend.alignedRun(0) < 2 || divisor.divisibility(0) < 2 ||
      divisor.constancy(0) < type.getNumElements())
    return std::nullopt;
  for (unsigned operand : {0U, 1U}) {
    auto splat = sum->getOperand(operand).getDefiningOp<tt::SplatOp>();
    auto range = sum->getOperand(1 - operand).getDefiningOp<tt::MakeRangeOp>();
    if (splat && range && range.getStart() == 0)
      return Remainder{op, sum, operand, splat.getSrc(), type.getNumElements()};
  }
  return std::nullopt;
}

/// Whether no element of the dividend is negative or wraps.
Value isSafe(OpBuilder &builder, Remainder remainder) {
  Location location = remainder.op.getLoc();
  int64_t most = int64_t(INT32_MAX) - remainder.size + 1;
  Value limit =
      builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(static_cast<int32_t>(most)));
  return builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ule, remainder.start, limit);
}

/// The same dividend from a start that shows that it is not negative.
void showSign(Remainder remainder, IRMapping &mapping) {
  auto op = cast<arith::RemSIOp>(mapping.lookup(remainder.op.getOperation()));
  OpBuilder builder(op);
  Location location = op.getLoc();
  Value zero = builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(0));
  Value start = builder.create<arith::MaxSIOp>(location, mapping.lookupOrDefault(remainder.start), zero);
  Value splat = builder.create<tt::SplatOp>(location, op.getType(), start);
  Value range = mapping.lookupOrDefault(remainder.dividend->getOperand(1 - remainder.splat));
  op.getLhsMutable().assign(builder.create<arith::AddIOp>(location, splat, range));
}

/// Makes a scalar known before an operation of the block; false if it cannot be.
bool hoist(Value value, Operation *before) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != before->getBlock() || op->isBeforeInBlock(before))
    return true;
  if (op->getNumRegions() || !isPure(op) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return hoist(operand, before); }))
    return false;
  op->moveBefore(before);
  return true;
}
} // namespace

void splitOnSign(tt::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return;
  Block &block = kernel.getBody().front();
  SmallVector<arith::RemSIOp> candidates(block.getOps<arith::RemSIOp>());
  if (candidates.empty())
    return;
  tt::AxisFacts facts(kernel);
  SmallVector<Remainder> remainders;
  for (arith::RemSIOp op : candidates)
    if (std::optional<Remainder> found = remainderOf(op, facts))
      remainders.push_back(*found);
  if (remainders.empty())
    return;
  // From the first remainder on the kernel is there twice.
  Operation *first = remainders.front().op;
  if (!llvm::all_of(remainders, [&](const Remainder &each) { return hoist(each.start, first); }))
    return;
  OpBuilder builder(first);
  Value safe = isSafe(builder, remainders.front());
  for (Remainder remainder : ArrayRef(remainders).drop_front())
    safe = builder.create<arith::AndIOp>(remainder.op.getLoc(), safe, isSafe(builder, remainder));
  auto branch = builder.create<scf::IfOp>(kernel.getLoc(), safe, /*withElseRegion=*/true);
  IRMapping mapping;
  builder.setInsertionPoint(branch.thenYield());
  for (Operation *op = first; op != block.getTerminator(); op = op->getNextNode())
    builder.clone(*op, mapping);
  for (Remainder remainder : remainders)
    showSign(remainder, mapping);
  Block &other = *branch.elseBlock();
  other.getOperations().splice(other.begin(), block.getOperations(), first->getIterator(),
                               block.getTerminator()->getIterator());
  // It hardly ever runs: small rather than fast.
  other.walk([&](scf::ForOp loop) { loop->setAttr(tt::kNumStagesAttr, builder.getI32IntegerAttr(1)); });
}

} // namespace trisect::gpu
