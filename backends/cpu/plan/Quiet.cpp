//===- Quiet.cpp - floats that are no signaling NaN -----------------------------------------------------===//
#include "backends/cpu/plan/Quiet.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
// Of a chain of operations: each use of a value that is used twice is followed.
constexpr unsigned deepest = 8;

bool quietTo(Value value, unsigned depth) {
  FloatAttr constant;
  DenseFPElementsAttr all;
  if (matchPattern(value, m_Constant(&constant)))
    return !constant.getValue().isSignaling();
  if (matchPattern(value, m_Constant(&all)))
    return all.isSplat() && !all.getSplatValue<APFloat>().isSignaling();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto quiet = [&](Value operand) { return quietTo(operand, depth - 1); };
  if (isa<tt::DotOp, math::ExpOp, math::Exp2Op>(op))
    return true;
  // With a constant these may become a move, or a change of sign.
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return llvm::none_of(op->getOperands(),
                         [](Value operand) { return matchPattern(operand, m_Constant()); }) ||
           llvm::all_of(op->getOperands(), quiet);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return quiet(select.getTrueValue()) && quiet(select.getFalseValue());
  if (isa<arith::NegFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp,
          tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp, tt::SplatOp>(op))
    return llvm::all_of(op->getOperands(), quiet);
  return false;
}
} // namespace

bool neverSignals(Value value) { return quietTo(value, deepest); }

} // namespace trisect::cpu
