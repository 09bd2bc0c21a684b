//===- ScaledProducts.cpp - tt.dot_scaled ---------------------------------------------------------------===//
//
// What: both factors are widened to f32 with their scales applied, into scratch memory, and multiplied as
// f32. Limits: the sum is f32.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include <mlir/Dialect/Vector/IR/VectorOps.h>

using namespace mlir;

namespace trisect::cpu {

namespace {
using Format = tt::ScaledFormat;

/// One factor with its scales.
struct Factor {
  Value data, scale;
  Format format;
  bool packed; ///< two values of a byte lie next to each other along `packedDim`
  size_t packedDim;
  size_t k;                   ///< the dimension of `shape` that is K
  SmallVector<int64_t> shape; ///< unpacked
};

/// Small floats without infinities: sign, exponent, mantissa from the top of their bits down.
Value smallFloat(Code &code, Value bits, unsigned exponent, unsigned mantissa, int bias) {
  Value wide = code.zext(bits, code.i32());
  Type word = wide.getType();
  unsigned width = exponent + mantissa;
  Value magnitude = code.both(wide, code.integer(word, (1 << width) - 1));
  Value sign = code.shl(code.both(code.shr(wide, width), code.integer(word, 1)), 31);
  Value place = code.bits(code.shl(magnitude, 23 - mantissa), code.f32());
  Value scale = code.realBits(place.getType(), static_cast<uint64_t>(127 + 127 - bias) << 23);
  return code.bits(code.either(code.bits(code.mulf(place, scale), code.i32()), sign), code.f32());
}

Value widen(Code &code, Value bits, Format format) {
  MLIRContext *context = code.b.getContext();
  auto from = [&](Type type) {
    return convertFloat(code, code.bits(bits, emittedType(type)), type, code.f32());
  };
  switch (format) {
  case Format::E4M3:
    return from(Float8E4M3FNType::get(context));
  case Format::E5M2:
    return from(Float8E5M2Type::get(context));
  case Format::E2M3:
    return smallFloat(code, bits, 2, 3, 1);
  case Format::E3M2:
    return smallFloat(code, bits, 3, 2, 3);
  case Format::E2M1:
    return smallFloat(code, bits, 2, 1, 1);
  case Format::BF16:
    return from(BFloat16Type::get(context));
  case Format::FP16:
    return from(Float16Type::get(context));
  }
  return {};
}

// 2^(bits - 127); 255 is NaN. 2^-127 is subnormal.
Value scaleOf(Code &code, Value bits, Type type) {
  if (isa<FloatType>(type))
    return convertFloat(code, bits, type, code.f32());
  Value wide = code.zext(bits, code.i32());
  Type word = wide.getType();
  auto number = [&](int64_t n) { return code.integer(word, n); };
  auto is = [&](int64_t n) { return code.cmp(arith::CmpIPredicate::eq, wide, number(n)); };
  Value power = code.select(is(0), number(0x00400000), code.shl(wide, 23));
  return code.bits(code.select(is(255), number(0x7fc00000), power), code.f32());
}

class Widener {
public:
  Widener(KernelState &state, const Factor &factor, const Buffer &target)
      : state(state), factor(factor), target(target), loops(state) {
    lanes = static_cast<unsigned>(std::min<int64_t>(factor.shape.back(), chunkLanes));
    loops.evaluator.nest.lanes = lanes;
  }

  void run() {
    loops.forEach(ArrayRef(factor.shape).drop_back(), [&](const Index &row) {
      loops.loop(0, factor.shape.back(), lanes, [&](LaneValue here) {
        Code c = state.code();
        Index index = row;
        index.push_back(lanes > 1 ? LaneValue{LaneValue::Kind::Strided, here.value, c.i64(1), here.level}
                                  : here);
        Value product = element(index);
        if (factor.scale)
          product = c.mulf(product, scale(index));
        loops.evaluator.writeBuffer(target, index, LaneValue::lanes(product));
      });
    });
  }

private:
  // Position divided by a power of two.
  LaneValue divided(const LaneValue &v, int64_t divisor) {
    Code c = state.code();
    LaneValue result =
        LaneValue::lanes(c.shr(v.isUniform() ? v.value : toVector(c, v, lanes), llvm::Log2_64(divisor)));
    result.level = v.level;
    return result;
  }

  Value element(const Index &index) {
    Code c = state.code();
    if (!factor.packed)
      return widen(c, toVector(c, loops.evaluator.at(factor.data, index), lanes), factor.format);
    const LaneValue &place = index[factor.packedDim];
    Value byte = place.isStrided() && lanes >= 4 ? bytesTwice(index) : bytesAt(index, divided(place, 2));
    Value odd = c.trunc(toVector(c, place, lanes), c.i1());
    Value nibble = c.select(odd, c.shr(byte, 4), c.both(byte, c.integer(byte.getType(), 15)));
    return widen(c, nibble, factor.format);
  }

  Value bytesAt(Index index, const LaneValue &place) {
    Code c = state.code();
    index[factor.packedDim] = place;
    return toVector(c, loops.evaluator.at(factor.data, index), loops.evaluator.nest.lanes);
  }
  // Half a chunk of bytes side by side, each for two lanes.
  Value bytesTwice(const Index &index) {
    Code c = state.code();
    const LaneValue &place = index[factor.packedDim];
    loops.evaluator.nest.lanes = lanes / 2;
    Value bytes = bytesAt(index, {LaneValue::Kind::Strided, c.shr(place.value, 1), c.i64(1), place.level});
    loops.evaluator.nest.lanes = lanes;
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane)
      order.push_back(lane / 2);
    return c.b.create<vector::ShuffleOp>(c.loc, bytes, bytes, order);
  }

  // Scales are [..., rows of this factor, groups along K].
  Value scale(const Index &index) {
    Code c = state.code();
    int64_t groups = ttShape(factor.scale.getType()).back();
    size_t rank = index.size(), other = factor.k == rank - 1 ? rank - 2 : rank - 1;
    Index place(index.begin(), index.end() - 2);
    place.push_back(index[other]);
    // A chunk along K that lies within a group has one scale.
    LaneValue along = index[factor.k];
    int64_t group = factor.shape[factor.k] / groups;
    if (group % lanes == 0)
      along = {LaneValue::Kind::Uniform, along.value, {}, along.level};
    place.push_back(divided(along, group));
    Value bits = toVector(c, loops.evaluator.at(factor.scale, place), lanes);
    return scaleOf(c, bits, ttElement(factor.scale.getType()));
  }

  KernelState &state;
  const Factor &factor;
  Buffer target;
  ElementLoops loops;
  unsigned lanes;
};
} // namespace

void BlockEmitter::emitDotScaled(tt::DotScaledOp op) {
  Type single = state.builder.getF32Type();
  if (ttElement(op.getType()) != single)
    unsupported(op, "with a sum that is not f32");
  for (Value operand : op->getOperands())
    groups.require(operand);
  groups.flushAll();
  Buffer target = productTarget(op, op.getC());
  state.loc = op.getLoc();

  auto factorOf = [](Value data, Value scale, Format format, bool packsK, bool left) {
    size_t rank = ttShape(data.getType()).size(), k = left ? rank - 1 : rank - 2,
           other = left ? rank - 2 : rank - 1;
    Factor factor{data,
                  scale,
                  format,
                  format == Format::E2M1,
                  packsK ? k : other,
                  k,
                  llvm::to_vector(ttShape(data.getType()))};
    if (factor.packed)
      factor.shape[factor.packedDim] *= 2;
    return factor;
  };
  Factor left = factorOf(op.getA(), op.getAScale(), op.getAElemType(), op.getLhsKPack(), true);
  Factor right = factorOf(op.getB(), op.getBScale(), op.getBElemType(), op.getRhsKPack(), false);
  Buffer a = state.makeBuffer(single, left.shape);
  Tile tile =
      tileOf(state.machine, memoryBytes(single), left.shape[left.shape.size() - 2], right.shape.back());
  Buffer b = state.makeBuffer(single, right.shape, tile.panel);
  Widener(state, left, a).run();
  Widener(state, right, b).run();
  emitProduct(state, {op.getC(), a, b, target, tile, {}});
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

} // namespace trisect::cpu
