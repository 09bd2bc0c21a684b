//===- Slope.cpp - slopes through index arithmetic ------------------------------------------------------===//
#include "backends/cpu/plan/Slope.h"
#include "backends/cpu/emit/Elementwise.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
std::optional<int64_t> splatOf(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  return constant.getSplatValue<APInt>().getSExtValue();
}

/// Divisors below this cut the lanes of a chunk, and quotients are no longer the same for all.
constexpr int64_t wholeChunk = 16;

/// Values that several others are computed from are looked at once.
class Slopes {
public:
  std::optional<int64_t> along(Value block, int64_t dimension) {
    auto [known, isNew] = found.try_emplace({block, dimension}, std::nullopt);
    if (!isNew)
      return known->second;
    std::optional<int64_t> slope = find(block, dimension);
    found[{block, dimension}] = slope;
    return slope;
  }

private:
  std::optional<int64_t> find(Value block, int64_t dimension) {
    auto type = dyn_cast<RankedTensorType>(block.getType());
    if (!type || type.getDimSize(dimension) == 1)
      return 0;
    if (auto argument = dyn_cast<BlockArgument>(block)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0)
        return std::nullopt;
      return along(loop.getInitArgs()[argument.getArgNumber() - 1], dimension);
    }
    Operation *op = block.getDefiningOp();
    if (isa<tt::SplatOp>(op) || splatOf(block))
      return 0;
    if (isa<tt::MakeRangeOp>(op))
      return 1;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      int64_t added = expand.getAxis();
      return along(expand.getSrc(), dimension - (dimension > added ? 1 : 0));
    }
    if (auto transposed = dyn_cast<tt::TransOp>(op))
      return along(transposed.getSrc(), transposed.getOrder()[dimension]);
    if (isa<tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::RemSIOp, arith::RemUIOp>(
            op))
      return along(op->getOperand(0), dimension);
    return ofOperands(op, dimension);
  }

  std::optional<int64_t> ofOperands(Operation *op, int64_t dimension) {
    if (auto product = dyn_cast<arith::MulIOp>(op))
      return ofProduct(product, dimension);
    if (isa<arith::AddIOp, arith::SubIOp, tt::AddPtrOp>(op)) {
      std::optional<int64_t> a = along(op->getOperand(0), dimension), b = along(op->getOperand(1), dimension);
      if (!a || !b)
        return std::nullopt;
      return isa<arith::SubIOp>(op) ? *a - *b : *a + *b;
    }
    if (isa<arith::DivSIOp, arith::DivUIOp>(op) && splatOf(op->getOperand(1)).value_or(0) >= wholeChunk)
      return along(op->getOperand(0), dimension) ? std::optional<int64_t>(0) : std::nullopt;
    // What is computed from the same is the same, as is what is read from one place.
    bool same = (isa<tt::LoadOp>(op) || isElementwise(op)) &&
                llvm::all_of(op->getOperands(), [&](Value value) { return along(value, dimension) == 0; });
    return same ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::optional<int64_t> ofProduct(arith::MulIOp op, int64_t dimension) {
    std::optional<int64_t> a = along(op.getLhs(), dimension), b = along(op.getRhs(), dimension);
    if (!a || !b)
      return std::nullopt;
    if (*a == 0 && *b == 0)
      return 0;
    std::optional<int64_t> factor = splatOf(*a == 0 ? op.getLhs() : op.getRhs());
    return factor ? std::optional(*factor * (*a == 0 ? *b : *a)) : std::nullopt;
  }

  llvm::DenseMap<std::pair<Value, int64_t>, std::optional<int64_t>> found;
};
} // namespace

std::optional<int64_t> slopeAlong(Value block, int64_t dimension) { return Slopes().along(block, dimension); }

} // namespace trisect::cpu
