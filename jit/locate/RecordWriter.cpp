//===- RecordWriter.cpp - building records --------------------------------------------------------------===//
#include "jit/locate/RecordWriter.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::jit {

using namespace mlir;

std::optional<unsigned> rootArgument(Value address) {
  // Chains of addresses are short; a loop hands an address on to itself.
  for (int step = 0; step < 1000; ++step) {
    if (auto argument = dyn_cast<BlockArgument>(address)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (isa<tt::FuncOp>(owner))
        return argument.getOwner()->isEntryBlock() ? std::optional(argument.getArgNumber()) : std::nullopt;
      auto loop = dyn_cast<scf::ForOp>(owner);
      if (!loop || argument.getArgNumber() == 0)
        return std::nullopt;
      address = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    Operation *op = address.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      address = loop.getInitArgs()[cast<OpResult>(address).getResultNumber()];
    else if (isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
                 tt::BitcastOp, tt::UnsplatOp, tt::MakeTensorPtrOp, tt::AdvanceOp, tt::MakeTensorDescOp>(op))
      address = op->getOperand(0);
    else
      return std::nullopt;
  }
  return std::nullopt;
}

RecordWriter::RecordWriter(tt::FuncOp function)
    : function(function), b(function.getContext()), loc(UnknownLoc::get(function.getContext())) {
  auto bytes = tt::PtrType::get(b.getI8Type(), 1);
  FunctionType type = function.getFunctionType();
  SmallVector<Type> inputs(type.getInputs());
  inputs.push_back(bytes);
  function.setType(FunctionType::get(b.getContext(), inputs, type.getResults()));
  stream = function.getBody().front().addArgument(bytes, loc);
}

Value RecordWriter::word(int64_t value) {
  return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(value));
}

Value RecordWriter::inStream(Value offset, Type element) {
  Value at = b.create<tt::AddPtrOp>(loc, stream.getType(), stream, offset);
  return element.isInteger(8) ? at : b.create<tt::BitcastOp>(loc, tt::PtrType::get(element, 1), at);
}

Value RecordWriter::wordAt(Value offset) {
  return b.create<tt::LoadOp>(loc, inStream(offset, b.getI64Type()));
}

Value RecordWriter::stored(Value value) {
  Type type = value.getType(), element = tt::elementOf(type);
  if (element.isInteger(1))
    return b.create<arith::ExtUIOp>(loc, tt::withElement(type, b.getI8Type()), value);
  if (!isa<tt::PtrType>(element))
    return value;
  Type word = tt::withElement(type, b.getI64Type());
  Value address = b.create<tt::PtrToIntOp>(loc, word, value);
  std::optional<unsigned> root = rootArgument(value);
  if (!root || !isa<tt::PtrType>(function.getArgumentTypes()[*root]))
    return address;
  Value base = b.create<tt::PtrToIntOp>(loc, b.getI64Type(), function.getBody().front().getArgument(*root));
  if (isa<RankedTensorType>(word))
    base = b.create<tt::SplatOp>(loc, word, base);
  return b.create<arith::SubIOp>(loc, address, base);
}

void RecordWriter::storePayload(Value value, Value offset, Value inWindow) {
  Value to = inStream(offset, tt::elementOf(value.getType()));
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor) {
    b.create<tt::StoreOp>(loc, to, value, inWindow);
    return;
  }
  ArrayRef<int64_t> shape = tensor.getShape();
  auto ints = RankedTensorType::get({tensor.getNumElements()}, b.getI32Type());
  Value range = b.create<tt::MakeRangeOp>(loc, ints, 0, static_cast<int32_t>(tensor.getNumElements()));
  if (shape.size() > 1)
    range = b.create<tt::ReshapeOp>(loc, tt::withElement(tensor, b.getI32Type()), range);
  Type pointers = tt::withElement(tensor, to.getType());
  Value all = b.create<tt::SplatOp>(loc, pointers, to);
  Value each = b.create<tt::AddPtrOp>(loc, pointers, all, range);
  Value mask = b.create<tt::SplatOp>(loc, tt::withElement(tensor, b.getI1Type()), inWindow);
  b.create<tt::StoreOp>(loc, each, value, mask);
}

void RecordWriter::watch(Operation *op, bool ofBody, unsigned index, unsigned number,
                         const WatchedValue &value) {
  Value watched;
  Operation *before = nullptr;
  if (ofBody) {
    Block &body = op->getRegion(op->getNumRegions() - 1).front();
    watched = body.getArgument(index);
    before = &body.front();
  } else {
    watched = op->getResult(index);
    before = op->getNextNode();
  }
  b.setInsertionPoint(before);
  Operation *last = before->getPrevNode();
  Value zero = word(0), next = wordAt(zero), from = wordAt(word(8));
  Value after = b.create<arith::AddIOp>(loc, next, word(value.recordBytes()));
  b.create<tt::StoreOp>(loc, inStream(zero, b.getI64Type()), after);
  Value at = b.create<arith::SubIOp>(loc, next, from);
  Value begun = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, at, zero);
  Value ends = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, at,
                                       word(StreamFormat::window - value.recordBytes()));
  Value inWindow = b.create<arith::AndIOp>(loc, begun, ends);
  Value offset = b.create<arith::SelectOp>(loc, inWindow, at, zero);
  Value head = b.create<arith::AddIOp>(loc, offset, word(StreamFormat::header));
  b.create<tt::StoreOp>(loc, inStream(head, b.getI64Type()), word(number), inWindow);
  Value payload = b.create<arith::AddIOp>(loc, head, word(StreamFormat::recordHeader));
  storePayload(stored(watched), payload, inWindow);
  for (Operation *made = last ? last->getNextNode() : &before->getBlock()->front(); made != before;
       made = made->getNextNode())
    made->setAttr("trisect_probe", b.getUnitAttr());
}

} // namespace trisect::jit
