//===- TileOps.cpp - rules of moving blocks -------------------------------------------------------------===//
#include "backends/gpu/ir/TileDialect.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"

using namespace mlir;
using trisect::tt::parseTypeOf;
using trisect::tt::printTypeOf;

#define GET_OP_CLASSES
#include "backends/gpu/ir/TileOps.cpp.inc"

namespace trisect::gpu {

namespace {
LogicalResult expectLayout(Operation *op, StringRef what, Type type) {
  if (layoutOf(type))
    return success();
  return op->emitOpError() << "expected " << what << " with a layout, but found " << type;
}

/// Block and buffer hold the same elements.
LogicalResult expectSameBlock(Operation *op, Type block, BufferType buffer) {
  if (failed(expectLayout(op, "a block", block)))
    return failure();
  return tt::expectType(op, "a block", block, buffer.getBlockType());
}
} // namespace

LogicalResult ConvertOp::verify() {
  if (failed(expectLayout(*this, "an operand", getSrc().getType())) ||
      failed(expectLayout(*this, "a result", getType())))
    return failure();
  return tt::expectType(*this, "result", getType(), getSrc().getType());
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto earlier = getSrc().getDefiningOp<ConvertOp>()) {
    getSrcMutable().assign(earlier.getSrc());
    return getResult();
  }
  return {};
}

LogicalResult BufferOp::verify() {
  return getSlots() > 0 ? success() : emitOpError() << "expected slots, but found " << getSlots();
}

LogicalResult SlotOp::verify() {
  return getBuffer().getDefiningOp<BufferOp>() ? success() : emitOpError() << "expected a tile.buffer";
}

LogicalResult BufferStoreOp::verify() {
  return expectSameBlock(*this, getSrc().getType(), getBuffer().getType());
}

LogicalResult BufferLoadOp::verify() { return expectSameBlock(*this, getType(), getBuffer().getType()); }

LogicalResult CopyOp::verify() {
  Type loaded = tt::pointeeOf(getPtr().getType());
  if (!loaded)
    return emitOpError() << "expected pointers, but found " << getPtr().getType();
  return expectSameBlock(*this, loaded, getBuffer().getType());
}

LogicalResult DotOp::verify() {
  if (getPath() != "mma" && getPath() != "wgmma" && getPath() != "fma")
    return emitOpError() << "expected the path \"mma\", \"wgmma\" or \"fma\", but found \"" << getPath()
                         << "\"";
  return expectLayout(*this, "an accumulator", getC().getType());
}

} // namespace trisect::gpu
