//===- BlockAddress.cpp - pointers and masks of a block of a strided tensor -----------------------------===//
#include "core/passes/BlockAddress.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::tt {

Type BlockAddress::i64Block(ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, builder.getI64Type());
}

Value BlockAddress::widen(Value value) {
  if (elementOf(value.getType()).isInteger(64))
    return value;
  return builder.create<arith::ExtSIOp>(location, withElement(value.getType(), builder.getI64Type()), value);
}

Value BlockAddress::broadcast(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == ArrayRef<int64_t>(block))
    return value;
  return builder.create<BroadcastOp>(location, RankedTensorType::get(block, type.getElementType()), value);
}

void BlockAddress::addDimension(Value flat) {
  unsigned dimension = positions.size();
  Value expanded = flat;
  for (unsigned axis = 0; axis < block.size(); ++axis) {
    if (axis == dimension)
      continue;
    SmallVector<int64_t> shape(cast<RankedTensorType>(expanded.getType()).getShape());
    shape.insert(shape.begin() + axis, 1);
    expanded = builder.create<ExpandDimsOp>(location, i64Block(shape), expanded, axis);
  }
  positions.push_back(expanded);
}

void BlockAddress::addRange(Value offset) {
  int64_t length = block[positions.size()];
  auto i32Range = RankedTensorType::get({length}, builder.getI32Type());
  Value start = builder.create<SplatOp>(location, i64Block({length}), widen(offset));
  Value steps = widen(builder.create<MakeRangeOp>(location, i32Range, 0, length));
  addDimension(builder.create<arith::AddIOp>(location, start, steps));
}

void BlockAddress::addIndices(Value indices) { addDimension(widen(indices)); }

Value BlockAddress::pointers(Value base, ValueRange strides) {
  Value offset;
  for (auto [position, stride] : llvm::zip_equal(positions, strides)) {
    Value term = position;
    if (!matchPattern(stride, m_One())) {
      Value factor = builder.create<SplatOp>(location, position.getType(), stride);
      term = builder.create<arith::MulIOp>(location, position, factor);
    }
    term = broadcast(term);
    offset = offset ? builder.create<arith::AddIOp>(location, offset, term).getResult() : term;
  }
  auto type = RankedTensorType::get(block, base.getType());
  Value start = builder.create<SplatOp>(location, type, base);
  return builder.create<AddPtrOp>(location, type, start, offset);
}

Value BlockAddress::mask(ValueRange shape, ArrayRef<int32_t> dimensions) {
  Value all;
  for (int32_t dimension : dimensions) {
    Value position = positions[dimension];
    Value zero = builder.create<arith::ConstantOp>(
        location, DenseElementsAttr::get(cast<ShapedType>(position.getType()), builder.getI64IntegerAttr(0)));
    Value length = builder.create<SplatOp>(location, position.getType(), shape[dimension]);
    Value fromStart = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::sge, position, zero);
    Value beforeEnd = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, position, length);
    Value inside = broadcast(builder.create<arith::AndIOp>(location, fromStart, beforeEnd));
    all = all ? builder.create<arith::AndIOp>(location, all, inside).getResult() : inside;
  }
  return all;
}

Value BlockAddress::padding(Type element, bool nan) {
  auto type = RankedTensorType::get(block, element);
  if (isa<PtrType>(element))
    return builder.create<IntToPtrOp>(location, type, padding(builder.getI64Type(), /*nan=*/false));
  Attribute value = builder.getZeroAttr(element);
  if (auto floats = dyn_cast<FloatType>(element); floats && nan)
    value = builder.getFloatAttr(floats, APFloat::getNaN(floats.getFloatSemantics()));
  return builder.create<arith::ConstantOp>(location, DenseElementsAttr::get(type, value));
}

} // namespace trisect::tt
