//===- Slope.cpp - slopes through index arithmetic ------------------------------------------------------===//
#include "backends/cpu/plan/Slope.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
std::optional<int64_t> splatOf(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  return constant.getSplatValue<APInt>().getSExtValue();
}

std::optional<int64_t> ofProduct(arith::MulIOp op, int64_t dimension) {
  std::optional<int64_t> a = slopeAlong(op.getLhs(), dimension), b = slopeAlong(op.getRhs(), dimension);
  if (!a || !b)
    return std::nullopt;
  if (*a == 0 && *b == 0)
    return 0;
  std::optional<int64_t> factor = splatOf(*a == 0 ? op.getLhs() : op.getRhs());
  return factor ? std::optional(*factor * (*a == 0 ? *b : *a)) : std::nullopt;
}
} // namespace

std::optional<int64_t> slopeAlong(Value block, int64_t dimension) {
  auto type = dyn_cast<RankedTensorType>(block.getType());
  if (!type || type.getDimSize(dimension) == 1)
    return 0;
  if (auto argument = dyn_cast<BlockArgument>(block)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() == 0)
      return std::nullopt;
    return slopeAlong(loop.getInitArgs()[argument.getArgNumber() - 1], dimension);
  }
  Operation *op = block.getDefiningOp();
  if (isa<tt::SplatOp>(op) || splatOf(block))
    return 0;
  if (isa<tt::MakeRangeOp>(op))
    return 1;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    int64_t added = expand.getAxis();
    return slopeAlong(expand.getSrc(), dimension - (dimension > added ? 1 : 0));
  }
  if (auto transposed = dyn_cast<tt::TransOp>(op))
    return slopeAlong(transposed.getSrc(), transposed.getOrder()[dimension]);
  if (isa<tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::RemSIOp, arith::RemUIOp>(
          op))
    return slopeAlong(op->getOperand(0), dimension);
  if (auto product = dyn_cast<arith::MulIOp>(op))
    return ofProduct(product, dimension);
  if (isa<arith::AddIOp, arith::SubIOp, tt::AddPtrOp>(op)) {
    std::optional<int64_t> a = slopeAlong(op->getOperand(0), dimension);
    std::optional<int64_t> b = slopeAlong(op->getOperand(1), dimension);
    if (!a || !b)
      return std::nullopt;
    return isa<arith::SubIOp>(op) ? *a - *b : *a + *b;
  }
  return std::nullopt;
}

} // namespace trisect::cpu
