//===- Tiles.cpp - ops of tile IR -----------------------------------------------------------------------===//
//
// What: conversions, buffers in shared memory, copies into them, products of buffers.
// Limits: a copy is done when its op ends; waits have nothing to wait for.
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
  Parts loaded = loadVectors(e, element, op.getPtr(), op.getMask(), op.getOther(),
                             {op.getCache(), op.getEvict(), false});
  storeToBuffer(e, loaded, e.placement(block), e.scalar(op.getBuffer()), type.getLayout());
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
  } else if (auto copy = dyn_cast<gpu::CopyOp>(op)) {
    emitCopy(e, copy);
  } else if (isa<gpu::BarrierOp>(op)) {
    e.machine.barrier();
  } else if (auto dot = dyn_cast<gpu::DotOp>(op)) {
    e.set(dot, multiply(e, op, factorOf(e, dot.getA()), factorOf(e, dot.getB()), factorOf(e, dot.getC()),
                        dot.getInputPrecision()));
  } else if (!isa<gpu::CommitOp, gpu::WaitOp>(op)) {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
