//===- Products.cpp - tt.dot by the threads' own arithmetic ---------------------------------------------===//
//
// What: both operands go to shared memory, a slice of K at a time; each thread sums its elements of the
// result over a loop in K, one chain of fused multiply-adds an element. Limits: for types and precisions that
// tensor cores lack; slow.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Products.h"
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/SharedSums.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
constexpr int64_t sliceBytes = 40 << 10;

class ThreadProduct {
public:
  ThreadProduct(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
                tt::InputPrecision precision)
      : e(e), op(op), a(a), b(b), c(c), precision(precision), k(a.size(1)) {
    slice.m = c.size(2);
    slice.n = c.size(1);
    compute = isInteger(c.type) ? DType::I32 : c.type == DType::F64 ? DType::F64 : DType::F32;
    int64_t perStep = batch() * (int64_t(slice.m) * byteSize(a.type) + int64_t(slice.n) * byteSize(b.type));
    slice.k = k;
    while (slice.k > 1 && slice.k * perStep > sliceBytes)
      slice.k /= 2;
  }

  Parts run() {
    Parts sums = c.parts;
    if (!isInteger(c.type))
      convertFloats(e, sums, c.type, compute);
    int64_t aBytes = batch() * int64_t(slice.m) * slice.k * byteSize(a.type);
    aBytes = (aBytes + 7) / 8 * 8;
    Value *base = e.scratch(op, aBytes + batch() * int64_t(slice.n) * slice.k * byteSize(b.type));
    slice.a = {base, 0, a.type};
    slice.b = {base, aBytes, b.type};
    for (int32_t from = 0; from < k; from += slice.k) {
      if (from)
        e.machine.barrier();
      store(a, from, /*left=*/true);
      store(b, from, /*left=*/false);
      e.machine.barrier();
      sums = addProducts(e, slice, c.placement, sums, compute, precision);
    }
    if (!isInteger(c.type))
      convertFloats(e, sums, compute, c.type);
    return sums;
  }

private:
  int64_t batch() const { return c.placement.size() / (int64_t(slice.m) * slice.n); }
  Value *i32(int64_t value) { return e.i32(value); }

  void store(const Factor &factor, int32_t from, bool left) {
    IRBuilder<> &bd = e.b;
    const Placement &p = factor.placement;
    unsigned rank = p.layout().rank(), depth = left ? rank - 1 : rank - 2;
    Value *mine = e.soleHolder(p);
    for (unsigned i = 0; i < p.held(); ++i) {
      Value *at = e.coordinate(p, i, depth), *within = bd.CreateAnd(at, i32(slice.k - 1));
      Value *here =
          slice.k == k ? nullptr : bd.CreateICmpEQ(bd.CreateLShr(at, Log2_32(slice.k)), i32(from / slice.k));
      Value *row = left ? e.coordinate(p, i, rank - 2) : within;
      Value *column = left ? within : e.coordinate(p, i, rank - 1);
      Value *batchIndex = rank > 2 ? e.coordinate(p, i, 0) : nullptr;
      e.storeElement(slice.address(e, left, batchIndex, row, column), factor.parts[i], e.both(mine, here));
    }
  }

  Emitter &e;
  mlir::Operation *op;
  const Factor &a, &b, &c;
  tt::InputPrecision precision;
  int32_t k;
  SharedSlice slice;
  DType compute;
};

Factor factorOf(Emitter &e, mlir::Value value) {
  return {e.parts(value), e.placement(value.getType()), *tt::dtypeOf(tt::elementOf(value.getType()))};
}

/// A factor in registers.
Factor inRegisters(Emitter &e, mlir::Operation *op, const Factor &factor) {
  if (!factor.buffer)
    return factor;
  const gpu::Layout &layout = factor.placement.layout();
  std::vector<int64_t> shape(layout.shape().begin(), layout.shape().end());
  Placement block(e.defaultLayout(shape));
  Type *element = e.elementType(tt::typeOfDType(factor.type, op->getContext()));
  return {loadFromBuffer(e, factor.buffer, layout, block, element), block, factor.type};
}
} // namespace

Parts multiply(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
               tt::InputPrecision precision) {
  if (auto parts = multiplyByTensorCores(e, op, a, b, c, precision))
    return *parts;
  return multiplyByThreads(e, op, inRegisters(e, op, a), inRegisters(e, op, b), c, precision);
}

Parts multiplyByThreads(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
                        tt::InputPrecision precision) {
  return ThreadProduct(e, op, a, b, c, precision).run();
}

bool emitProduct(Emitter &e, mlir::Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    e.set(dot, multiply(e, op, factorOf(e, dot.getA()), factorOf(e, dot.getB()), factorOf(e, dot.getC()),
                        dot.getInputPrecision()));
  } else if (auto scaled = dyn_cast<tt::DotScaledOp>(op)) {
    e.set(scaled, multiplyScaled(e, scaled));
  } else {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
