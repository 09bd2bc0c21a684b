//===- Tiles.cpp - ops of tile IR -----------------------------------------------------------------------===//
//
// What: conversions, buffers in shared memory, copies into them, products of buffers.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Memory.h"
#include "backends/cuda/emit/Products.h"
#include "backends/gpu/ir/TileDialect.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
Value *baseOf(Emitter &e, gpu::BufferOp op) {
  if (!op.getOffset())
    unsupported(op, "a buffer without a place");
  return e.sharedAt(static_cast<int64_t>(*op.getOffset()));
}

void emitCopy(Emitter &e, gpu::CopyOp op) {
  auto type = cast<gpu::BufferType>(op.getBuffer().getType());
  mlir::Type block = op.getPtr().getType();
  Type *element = e.elementType(type.getElementType());
  CacheWords cache{op.getCache(), op.getEvict(), false};
  unsigned bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
  GlobalBlock from{e.parts(op.getPtr()), op.getMask() ? &e.parts(op.getMask()) : nullptr,
                   accessWidth(e, op.getPtr(), op.getMask(), bytes), bytes};
  if (!op.getOther() &&
      copyToBuffer(e, from, e.placement(block), e.scalar(op.getBuffer()), type.getLayout(), cache))
    return;
  Parts loaded = loadVectors(e, element, op.getPtr(), op.getMask(), op.getOther(), cache);
  storeToBuffer(e, loaded, e.placement(block), e.scalar(op.getBuffer()), type.getLayout());
}

void emitSlot(Emitter &e, gpu::SlotOp op) {
  int64_t bytes = gpu::slotBytes(cast<gpu::BufferType>(op.getType()));
  Value *offset = e.b.CreateMul(e.scalar(op.getIndex()), e.i32(bytes));
  e.set(op, e.b.CreateAdd(e.scalar(op.getBuffer()), offset));
}

Factor factorOf(Emitter &e, mlir::Value value) {
  if (auto buffer = dyn_cast<gpu::BufferType>(value.getType())) {
    Factor factor{{}, Placement(buffer.getLayout()), *tt::dtypeOf(buffer.getElementType())};
    factor.buffer = e.scalar(value);
    return factor;
  }
  return {e.parts(value), e.placement(value.getType()), *tt::dtypeOf(tt::elementOf(value.getType()))};
}
} // namespace

bool emitTile(Emitter &e, mlir::Operation *op) {
  if (auto convert = dyn_cast<gpu::ConvertOp>(op)) {
    mlir::Type type = convert.getType();
    e.set(convert, e.exchange(op, e.parts(convert.getSrc()), e.placement(convert.getSrc().getType()),
                              e.placement(type), tt::elementOf(type)));
  } else if (auto buffer = dyn_cast<gpu::BufferOp>(op)) {
    e.set(buffer, baseOf(e, buffer));
  } else if (auto store = dyn_cast<gpu::BufferStoreOp>(op)) {
    auto type = cast<gpu::BufferType>(store.getBuffer().getType());
    storeToBuffer(e, e.parts(store.getSrc()), e.placement(store.getSrc().getType()),
                  e.scalar(store.getBuffer()), type.getLayout());
  } else if (auto load = dyn_cast<gpu::BufferLoadOp>(op)) {
    auto type = cast<gpu::BufferType>(load.getBuffer().getType());
    e.set(load, loadFromBuffer(e, e.scalar(load.getBuffer()), type.getLayout(), e.placement(load.getType()),
                               e.elementType(load.getType())));
  } else if (auto slot = dyn_cast<gpu::SlotOp>(op)) {
    emitSlot(e, slot);
  } else if (auto copy = dyn_cast<gpu::CopyOp>(op)) {
    emitCopy(e, copy);
  } else if (isa<gpu::CommitOp>(op)) {
    e.machine.commitCopies();
  } else if (auto wait = dyn_cast<gpu::WaitOp>(op)) {
    e.machine.waitForCopies(wait.getPending());
  } else if (isa<gpu::BarrierOp>(op)) {
    e.machine.barrier();
  } else if (auto dot = dyn_cast<gpu::DotOp>(op)) {
    e.set(dot, multiply(e, op, factorOf(e, dot.getA()), factorOf(e, dot.getB()), factorOf(e, dot.getC()),
                        dot.getInputPrecision()));
  } else {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
