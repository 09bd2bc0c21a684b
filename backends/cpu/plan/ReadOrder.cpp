//===- ReadOrder.cpp - transposes loads of factors ------------------------------------------------------===//
#include "backends/cpu/plan/ReadOrder.h"
#include "backends/cpu/plan/Slope.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
Value transposed(OpBuilder &b, Location loc, Value value) {
  if (!value || !isa<RankedTensorType>(value.getType()))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto turned = RankedTensorType::get({shape[1], shape[0]}, type.getElementType());
  return b.create<tt::TransOp>(loc, turned, value, ArrayRef<int32_t>{1, 0});
}

void readAlongRows(tt::LoadOp load) {
  OpBuilder b(load);
  Location loc = load.getLoc();
  IRMapping turned;
  for (Value operand : load->getOperands())
    turned.map(operand, transposed(b, loc, operand));
  Operation *made = b.clone(*load, turned);
  auto type = cast<RankedTensorType>(load.getType());
  made->getResult(0).setType(
      RankedTensorType::get({type.getShape()[1], type.getShape()[0]}, type.getElementType()));
  load.replaceAllUsesWith(transposed(b, loc, made->getResult(0)));
  load.erase();
}
} // namespace

void chooseReadOrder(tt::FuncOp kernel) {
  SmallVector<tt::LoadOp> loads;
  kernel.walk([&](tt::DotOp dot) {
    for (Value factor : {dot.getA(), dot.getB()}) {
      auto load = factor.getDefiningOp<tt::LoadOp>();
      if (!load || !load->hasOneUse() || load.getIsVolatile() ||
          cast<RankedTensorType>(load.getType()).getRank() != 2)
        continue;
      if (slopeAlong(load.getPtr(), 0) == 1 && slopeAlong(load.getPtr(), 1) != 1)
        loads.push_back(load);
    }
  });
  for (tt::LoadOp load : loads)
    readAlongRows(load);
}

} // namespace trisect::cpu
