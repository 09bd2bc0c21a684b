//===- Lookup.cpp - gather and histogram ----------------------------------------------------------------===//
//
// What: ops that address shared memory by values. Indices outside are undefined in TTIR; here they wrap.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
void emitGather(Emitter &e, tt::GatherOp op) {
  IRBuilder<> &b = e.b;
  const Placement &source = e.placement(op.getSrc().getType()),
                  &target = e.placement(op.getIndices().getType());
  mlir::Type type = op.getSrc().getType();
  Type *element = e.elementType(type);
  unsigned bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
  Value *base = e.scratch(op, source.size() * bytes);
  auto address = [&](Value *number) { return b.CreateAdd(base, b.CreateMul(number, e.i32(bytes))); };
  Value *mine = e.soleHolder(source);
  for (unsigned n = 0; n < source.held(); ++n)
    e.storeElement(address(e.elementNumber(source, n)), e.parts(op.getSrc())[n], mine);
  e.machine.barrier();
  ArrayRef<int64_t> shape = tt::shapeOf(type);
  Parts result;
  for (unsigned n = 0; n < target.held(); ++n) {
    Value *number = e.i32(0);
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      Value *at = e.coordinate(target, n, dim);
      if (dim == static_cast<unsigned>(op.getAxis())) {
        Value *index = b.CreateZExtOrTrunc(e.parts(op.getIndices())[n], b.getInt32Ty());
        at = b.CreateAnd(index, e.i32(shape[dim] - 1));
      }
      number = b.CreateAdd(b.CreateMul(number, e.i32(shape[dim])), at);
    }
    result.push_back(e.loadElement(address(number), element));
  }
  e.set(op, e.exchange(op, result, target, e.placement(op.getType()), tt::elementOf(type)));
}

void emitHistogram(Emitter &e, tt::HistogramOp op) {
  IRBuilder<> &b = e.b;
  const Placement &source = e.placement(op.getSrc().getType()), &target = e.placement(op.getType());
  int64_t bins = tt::shapeOf(op.getType())[0];
  Value *base = e.scratch(op, bins * 4);
  for (unsigned n = 0; n < target.held(); ++n)
    e.storeElement(b.CreateAdd(base, b.CreateShl(e.elementNumber(target, n), 2)), e.i32(0),
                   e.soleHolder(target));
  e.machine.barrier();
  const Parts *mask = op.getMask() ? &e.parts(op.getMask()) : nullptr;
  Value *mine = e.soleHolder(source);
  for (unsigned n = 0; n < source.held(); ++n) {
    Value *bin = e.parts(op.getSrc())[n];
    Type *type = bin->getType();
    // A bin that the type cannot even name is never met.
    bool all = type->getIntegerBitWidth() < 63 && (int64_t(1) << type->getIntegerBitWidth()) <= bins;
    Value *inside = all ? nullptr : b.CreateICmpULT(bin, ConstantInt::get(type, bins));
    Value *active = e.both(mine, e.both(inside, mask ? (*mask)[n] : nullptr));
    Value *at = b.CreateAnd(b.CreateZExtOrTrunc(bin, b.getInt32Ty()), e.i32(bins - 1));
    e.machine.atomicAddShared(b.CreateAdd(base, b.CreateShl(at, 2)), e.i32(1), active);
  }
  e.machine.barrier();
  Type *element = e.elementType(op.getType());
  Parts result;
  for (unsigned n = 0; n < target.held(); ++n) {
    Value *count =
        e.loadElement(b.CreateAdd(base, b.CreateShl(e.elementNumber(target, n), 2)), b.getInt32Ty());
    result.push_back(b.CreateZExtOrTrunc(count, element));
  }
  e.set(op, std::move(result));
}
} // namespace

bool emitLookup(Emitter &e, mlir::Operation *op) {
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    emitGather(e, gather);
  else if (auto histogram = dyn_cast<tt::HistogramOp>(op))
    emitHistogram(e, histogram);
  else
    return false;
  return true;
}

} // namespace trisect::cuda
