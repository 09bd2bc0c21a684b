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
#include "core/ir/TypeUtils.h"
#include <map>

using namespace llvm;

namespace trisect::cuda {

namespace {
constexpr int64_t sliceBytes = 40 << 10;

/// x as a sum of terms that a narrower format holds exactly, largest first. `kept`: bits of f32 that remain.
SmallVector<Value *, 3> terms(IRBuilder<> &b, Value *x, unsigned count, uint32_t kept, uint32_t half) {
  SmallVector<Value *, 3> result;
  for (unsigned i = 0; i < count; ++i) {
    Value *bits = b.CreateBitCast(x, b.getInt32Ty());
    // Nearest, ties away; infinity and NaN keep their bits and have no further terms.
    Value *special = b.CreateICmpUGE(b.CreateAnd(bits, 0x7fffffff), b.getInt32(0x7f800000));
    Value *rounded = b.CreateSelect(special, bits, b.CreateAnd(b.CreateAdd(bits, b.getInt32(half)), kept));
    Value *term = b.CreateBitCast(rounded, b.getFloatTy());
    result.push_back(term);
    Value *rest = b.CreateFSub(x, term);
    x = b.CreateSelect(special, ConstantFP::get(b.getFloatTy(), 0), rest);
  }
  return result;
}

class ThreadProduct {
public:
  ThreadProduct(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b, const Factor &c,
                tt::InputPrecision precision)
      : e(e), op(op), a(a), b(b), c(c), precision(precision), m(c.size(2)), n(c.size(1)), k(a.size(1)) {
    compute = isInteger(c.type) ? DType::I32 : c.type == DType::F64 ? DType::F64 : DType::F32;
    int64_t perStep = batch() * (int64_t(m) * byteSize(a.type) + int64_t(n) * byteSize(b.type));
    slice = k;
    while (slice > 1 && slice * perStep > sliceBytes)
      slice /= 2;
  }

  Parts run() {
    Parts sums = c.parts;
    if (!isInteger(c.type))
      convertFloats(e, sums, c.type, compute);
    aBytes = batch() * int64_t(m) * slice * byteSize(a.type);
    aBytes = (aBytes + 7) / 8 * 8;
    base = e.scratch(op, aBytes + batch() * int64_t(n) * slice * byteSize(b.type));
    for (int32_t from = 0; from < k; from += slice) {
      if (from)
        e.machine.barrier();
      store(a, from, /*left=*/true);
      store(b, from, /*left=*/false);
      e.machine.barrier();
      sums = sumSlice(sums);
    }
    if (!isInteger(c.type))
      convertFloats(e, sums, compute, c.type);
    return sums;
  }

private:
  int64_t batch() const { return c.placement.size() / (int64_t(m) * n); }
  Value *i32(int64_t value) { return e.i32(value); }

  /// The address of an operand's element: [batch][row][column] of a slice.
  Value *address(bool left, Value *batchIndex, Value *row, Value *column) {
    IRBuilder<> &bd = e.b;
    int32_t rows = left ? m : slice, columns = left ? slice : n;
    Value *index = bd.CreateAdd(bd.CreateMul(row, i32(columns)), column);
    if (batchIndex)
      index = bd.CreateAdd(index, bd.CreateMul(batchIndex, i32(int64_t(rows) * columns)));
    Value *bytes = bd.CreateMul(index, i32(byteSize((left ? a : b).type)));
    return bd.CreateAdd(bd.CreateAdd(base, bytes), i32(left ? 0 : aBytes));
  }

  void store(const Factor &factor, int32_t from, bool left) {
    IRBuilder<> &bd = e.b;
    const Placement &p = factor.placement;
    unsigned rank = p.layout().rank(), depth = left ? rank - 1 : rank - 2;
    Value *mine = e.soleHolder(p);
    for (unsigned i = 0; i < p.held(); ++i) {
      Value *at = e.coordinate(p, i, depth), *within = bd.CreateAnd(at, i32(slice - 1));
      Value *here =
          slice == k ? nullptr : bd.CreateICmpEQ(bd.CreateLShr(at, Log2_32(slice)), i32(from / slice));
      Value *row = left ? e.coordinate(p, i, rank - 2) : within;
      Value *column = left ? within : e.coordinate(p, i, rank - 1);
      Value *batchIndex = rank > 2 ? e.coordinate(p, i, 0) : nullptr;
      e.storeElement(address(left, batchIndex, row, column), factor.parts[i], e.both(mine, here));
    }
  }

  Value *load(bool left, Value *batchIndex, Value *row, Value *column) {
    const Factor &factor = left ? a : b;
    Value *value = e.loadElement(address(left, batchIndex, row, column), factor.parts[0]->getType());
    if (isInteger(factor.type))
      return e.b.CreateSExt(value, e.b.getInt32Ty());
    return convertFloat(e, value, factor.type, compute);
  }

  Parts sumSlice(const Parts &start) {
    IRBuilder<> &bd = e.b;
    BasicBlock *before = bd.GetInsertBlock(), *head = e.newBlock("dot"), *inside = e.newBlock("dot.step"),
               *after = e.newBlock("dot.end");
    bd.CreateBr(head);
    bd.SetInsertPoint(head);
    PHINode *at = bd.CreatePHI(bd.getInt32Ty(), 2);
    at->addIncoming(i32(0), before);
    Parts sums;
    for (Value *value : start) {
      PHINode *phi = bd.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, before);
      sums.push_back(phi);
    }
    bd.CreateCondBr(bd.CreateICmpULT(at, i32(slice)), inside, after);
    bd.SetInsertPoint(inside);
    const Placement &p = c.placement;
    unsigned rank = p.layout().rank();
    // A row or column that several elements share is loaded once.
    std::map<std::pair<uint32_t, uint32_t>, Value *> rows, columns;
    for (unsigned i = 0; i < p.held(); ++i) {
      gpu::Coordinates place = p.layout().coordinates(p.element(i));
      uint32_t inBatch = rank > 2 ? place[0] : 0;
      Value *batchIndex = rank > 2 ? e.coordinate(p, i, 0) : nullptr;
      Value *&left = rows[{inBatch, place[rank - 2]}];
      if (!left)
        left = load(true, batchIndex, e.coordinate(p, i, rank - 2), at);
      Value *&right = columns[{inBatch, place[rank - 1]}];
      if (!right)
        right = load(false, batchIndex, at, e.coordinate(p, i, rank - 1));
      Value *sum = add(left, right, sums[i]);
      cast<PHINode>(sums[i])->addIncoming(sum, bd.GetInsertBlock());
    }
    at->addIncoming(bd.CreateAdd(at, i32(1)), bd.GetInsertBlock());
    bd.CreateBr(head);
    bd.SetInsertPoint(after);
    return sums;
  }

  Value *fma(Value *x, Value *y, Value *sum) {
    return e.b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, sum});
  }

  Value *add(Value *x, Value *y, Value *sum) {
    if (compute == DType::I32)
      return e.b.CreateAdd(e.b.CreateMul(x, y), sum);
    if (a.type != DType::F32 || b.type != DType::F32)
      return fma(x, y, sum);
    constexpr uint32_t tf32 = 0xffffe000u, halfTf32 = 0x1000, bf16 = 0xffff0000u, halfBf16 = 0x8000;
    auto sumOf = [&](unsigned count, uint32_t kept, uint32_t half, unsigned lowest) {
      auto left = terms(e.b, x, count, kept, half), right = terms(e.b, y, count, kept, half);
      // The smallest products first; those below `lowest` in weight are left out.
      for (unsigned weight = lowest + 1; weight-- > 0;)
        for (unsigned i = std::min(weight, count - 1) + 1; i-- > 0;)
          if (weight - i < count)
            sum = fma(left[i], right[weight - i], sum);
      return sum;
    };
    switch (precision) {
    case tt::InputPrecision::Tf32:
      return sumOf(1, tf32, halfTf32, 0);
    case tt::InputPrecision::Tf32x3:
      return sumOf(2, tf32, halfTf32, 1);
    case tt::InputPrecision::Bf16x3:
      return sumOf(2, bf16, halfBf16, 1);
    case tt::InputPrecision::Bf16x6:
      return sumOf(3, bf16, halfBf16, 2);
    case tt::InputPrecision::Ieee:
      break;
    }
    return fma(x, y, sum);
  }

  Emitter &e;
  mlir::Operation *op;
  const Factor &a, &b, &c;
  tt::InputPrecision precision;
  int32_t m, n, k, slice;
  DType compute;
  int64_t aBytes = 0;
  Value *base = nullptr;
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
    Factor left = scaledFactor(e, scaled, true), right = scaledFactor(e, scaled, false);
    e.set(scaled,
          multiplyByThreads(e, op, left, right, factorOf(e, scaled.getC()), tt::InputPrecision::Ieee));
  } else {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
