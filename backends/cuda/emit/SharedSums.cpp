//===- SharedSums.cpp - the threads' own sums of products ----------------------------------------------===//
#include "backends/cuda/emit/SharedSums.h"
#include "backends/cuda/emit/Elementwise.h"
#include <map>

using namespace llvm;

namespace trisect::cuda {

Value *SharedSlice::address(Emitter &e, bool left, Value *batch, Value *row, Value *column) const {
  int32_t rows = left ? m : k, columns = left ? k : n;
  Value *index = e.b.CreateAdd(e.b.CreateMul(row, e.i32(columns)), column);
  if (batch)
    index = e.b.CreateAdd(index, e.b.CreateMul(batch, e.i32(int64_t(rows) * columns)));
  const Operand &operand = left ? a : b;
  Value *bytes = e.b.CreateMul(index, e.i32(byteSize(operand.type)));
  // The constant comes last: it goes into the instruction.
  return e.b.CreateAdd(e.b.CreateAdd(operand.base, bytes), e.i32(operand.offset));
}

namespace {
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

class Sums {
public:
  Sums(Emitter &e, const SharedSlice &slice, const Placement &placement, DType compute,
       tt::InputPrecision precision)
      : e(e), slice(slice), placement(placement), compute(compute), precision(precision) {}

  Parts over(const Parts &start) {
    // What turns side by side bring here was not measured: the assembler decides.
    return e.repeat(
        slice.k, start, [&](Value *at, const Parts &sums) { return step(at, sums); },
        Emitter::Turns::AsTheAssemblerLikes);
  }

private:
  /// Adds the products of one place in K.
  Parts step(Value *at, const Parts &sums) {
    unsigned rank = placement.layout().rank();
    // A row or column that several elements share is loaded once.
    std::map<std::pair<uint32_t, uint32_t>, Value *> rows, columns;
    Parts added;
    for (unsigned i = 0; i < placement.held(); ++i) {
      gpu::Coordinates place = placement.layout().coordinates(placement.element(i));
      uint32_t inBatch = rank > 2 ? place[0] : 0;
      Value *batch = rank > 2 ? e.coordinate(placement, i, 0) : nullptr;
      Value *&left = rows[{inBatch, place[rank - 2]}];
      if (!left)
        left = load(true, batch, e.coordinate(placement, i, rank - 2), at);
      Value *&right = columns[{inBatch, place[rank - 1]}];
      if (!right)
        right = load(false, batch, at, e.coordinate(placement, i, rank - 1));
      added.push_back(add(left, right, sums[i]));
    }
    return added;
  }

  Value *load(bool left, Value *batch, Value *row, Value *column) {
    DType type = (left ? slice.a : slice.b).type;
    Type *element = type == DType::F32   ? e.b.getFloatTy()
                    : type == DType::F64 ? e.b.getDoubleTy()
                                         : static_cast<Type *>(e.b.getIntNTy(8 * byteSize(type)));
    Value *value = e.loadElement(slice.address(e, left, batch, row, column), element);
    if (isInteger(type))
      return e.b.CreateSExt(value, e.b.getInt32Ty());
    return convertFloat(e, value, type, compute);
  }

  Value *fma(Value *x, Value *y, Value *sum) {
    return e.b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, sum});
  }

  Value *add(Value *x, Value *y, Value *sum) {
    if (compute == DType::I32)
      return e.b.CreateAdd(e.b.CreateMul(x, y), sum);
    if (slice.a.type != DType::F32 || slice.b.type != DType::F32)
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
    case tt::InputPrecision::Blocks: // concerns bf16 alone, and their order is free on a GPU
      break;
    }
    return fma(x, y, sum);
  }

  Emitter &e;
  const SharedSlice &slice;
  const Placement &placement;
  DType compute;
  tt::InputPrecision precision;
};
} // namespace

Parts addProducts(Emitter &e, const SharedSlice &slice, const Placement &placement, const Parts &start,
                  DType compute, tt::InputPrecision precision) {
  return Sums(e, slice, placement, compute, precision).over(start);
}

} // namespace trisect::cuda
