//===- Reach.cpp - the interval of addresses that an access touches -------------------------------------===//
//
// What: takes an address apart into a scalar start, scalar offsets and a range of constants. Why: whether two
// accesses of a program overlap can then be asked while it runs. Limits: offsets are sums of scalars, ranges
// and constants; masks are not looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Reach.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
constexpr unsigned deepest = 16;
/// Ranges stay far from the 2^32 elements after which they repeat.
constexpr int64_t widest = int64_t(1) << 28;

bool addConstants(mlir::Value offsets, Reach &reach) {
  mlir::DenseIntElementsAttr values;
  if (!mlir::matchPattern(offsets, mlir::m_Constant(&values)))
    return false;
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (const APInt &value : values.getValues<APInt>()) {
    low = std::min(low, value.getSExtValue());
    high = std::max(high, value.getSExtValue());
  }
  if (low < -widest || high > widest)
    return false;
  reach.low += low;
  reach.high += high;
  return true;
}

bool addScalar(mlir::Value scalar, Reach &reach) {
  if (!isUniform(scalar))
    return false;
  reach.moved.push_back(scalar);
  return true;
}

bool addOffsets(mlir::Value offsets, Reach &reach, unsigned depth) {
  if (depth > deepest)
    return false;
  if (!isa<mlir::RankedTensorType>(offsets.getType()))
    return addScalar(offsets, reach);
  mlir::Operation *op = offsets.getDefiningOp();
  if (!op)
    return false;
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return addScalar(splat.getSrc(), reach);
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    reach.low += static_cast<int32_t>(range.getStart());
    reach.high += static_cast<int64_t>(range.getEnd()) - 1;
    return true;
  }
  if (isa<mlir::arith::AddIOp>(op))
    return addOffsets(op->getOperand(0), reach, depth + 1) && addOffsets(op->getOperand(1), reach, depth + 1);
  if (isa<mlir::arith::ExtSIOp, tt::BroadcastOp, tt::ExpandDimsOp>(op))
    return addOffsets(op->getOperand(0), reach, depth + 1);
  return addConstants(offsets, reach);
}
} // namespace

bool isUniform(mlir::Value scalar, unsigned depth) {
  if (depth > deepest || isa<mlir::RankedTensorType>(scalar.getType()))
    return false;
  if (auto argument = dyn_cast<mlir::BlockArgument>(scalar)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (isa<tt::FuncOp>(parent))
      return argument.getOwner()->isEntryBlock();
    return isa<mlir::scf::ForOp>(parent) && argument.getArgNumber() == 0;
  }
  mlir::Operation *op = scalar.getDefiningOp();
  if (op->getNumRegions() != 0 || !mlir::isMemoryEffectFree(op))
    return false;
  if (!isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, tt::AddPtrOp>(op) &&
      op->getName().getDialectNamespace() != "arith")
    return false;
  return all_of(op->getOperands(), [&](mlir::Value operand) { return isUniform(operand, depth + 1); });
}

std::optional<Reach> reachOf(mlir::Value pointer) {
  Reach reach;
  reach.bytes = std::max(8u, tt::elementBits(tt::pointeeOf(pointer.getType()))) / 8;
  for (unsigned depth = 0; depth < deepest; ++depth) {
    if (!isa<mlir::RankedTensorType>(pointer.getType())) {
      reach.start = pointer;
      if (!isUniform(pointer) || reach.high - reach.low > widest)
        return {};
      return reach;
    }
    mlir::Operation *op = pointer.getDefiningOp();
    if (!op)
      return {};
    if (auto add = dyn_cast<tt::AddPtrOp>(op)) {
      bool first = !reach.offsets && depth == 0;
      if (!addOffsets(add.getOffset(), reach, 0))
        return {};
      if (first && add.getPtr().getDefiningOp<tt::SplatOp>())
        reach.offsets = add.getOffset();
    } else if (!isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op)) {
      return {};
    }
    pointer = op->getOperand(0);
  }
  return {};
}

} // namespace trisect::cuda
