//===- NarrowBranches.cpp - roundings go into branches --------------------------------------------------===//
#include "backends/gpu/passes/NarrowBranches.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
bool isPlain(arith::TruncFOp rounding) { return !rounding.getRoundingmode(); }

/// The type to which all uses of a value round it; null if one does something else.
Type roundedTo(Value value) {
  Type type;
  for (Operation *user : value.getUsers()) {
    auto rounding = dyn_cast<arith::TruncFOp>(user);
    if (!rounding || !isPlain(rounding) || (type && rounding.getType() != type))
      return {};
    type = rounding.getType();
  }
  return type;
}

/// A thread that holds more elements of a block runs out of registers if it holds them twice. Measured: layer
/// norm's backward of 8,192 columns on 8 warps then takes 152 registers, not 128, and half as long again.
constexpr int64_t mostHeldTwice = 16;

/// What was widened to `value`, if its type is `type`.
Value widened(Value value, Type type) {
  auto widening = value.getDefiningOp<arith::ExtFOp>();
  return widening && widening.getIn().getType() == type ? widening.getIn() : Value();
}

/// A half as it was read.
Value readHalf(Value value, Type type) {
  Value half = widened(value, type);
  return half && half.getDefiningOp<tt::LoadOp>() && tt::elementOf(type).isF16() ? half : Value();
}

/// `value` rounded to `type` without a rounding; null if it takes one.
Value narrow(OpBuilder &b, Value value, Type type) {
  if (Value before = widened(value, type))
    return before;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op))
    return {};
  Value left = readHalf(op->getOperand(0), type), right = readHalf(op->getOperand(1), type);
  if (!left || !right)
    return {};
  if (isa<arith::AddFOp>(op))
    return b.create<arith::AddFOp>(op->getLoc(), left, right);
  return b.create<arith::SubFOp>(op->getLoc(), left, right);
}

void narrowResult(scf::IfOp branch, OpResult result) {
  Type type = roundedTo(result);
  if (!type)
    return;
  auto yields = [&](Region &region) { return cast<scf::YieldOp>(region.front().getTerminator()); };
  auto forms =
      llvm::map_to_vector(ArrayRef{&branch.getThenRegion(), &branch.getElseRegion()}, [&](Region *r) {
        OpBuilder b(yields(*r));
        return narrow(b, yields(*r).getOperand(result.getResultNumber()), type);
      });
  if (!forms[0] && !forms[1])
    return;
  for (auto [region, form] : llvm::zip(branch->getRegions(), forms)) {
    scf::YieldOp yield = yields(region);
    OpOperand &wide = yield->getOpOperand(result.getResultNumber());
    OpBuilder b(yield);
    wide.set(form ? form : b.create<arith::TruncFOp>(result.getOwner()->getLoc(), type, wide.get()));
  }
  result.setType(type);
  for (Operation *rounding : llvm::make_early_inc_range(result.getUsers())) {
    rounding->getResult(0).replaceAllUsesWith(result);
    rounding->erase();
  }
}
} // namespace

void narrowBranches(tt::FuncOp kernel, int64_t warps) {
  int64_t most = mostHeldTwice * 32 * warps;
  SmallVector<scf::IfOp> branches;
  kernel.walk([&](scf::IfOp branch) { branches.push_back(branch); });
  for (scf::IfOp branch : branches)
    for (OpResult result : branch->getResults())
      if (auto block = dyn_cast<RankedTensorType>(result.getType()); !block || block.getNumElements() <= most)
        narrowResult(branch, result);
}

} // namespace trisect::gpu
