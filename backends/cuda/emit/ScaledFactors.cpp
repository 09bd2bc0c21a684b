//===- ScaledFactors.cpp - operands of tt.dot_scaled ----------------------------------------------------===//
//
// What: widens small formats to f32 in registers and applies the scales, which come through shared memory.
// Limits: f32 holds every product of element and scale, except where the scale leaves its range.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Products.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using trisect::gpu::Bits;

namespace trisect::cuda {

namespace {
/// A float of one sign bit, some exponent and mantissa bits, without infinities, from the low bits of a byte.
Value *smallFloat(IRBuilder<> &b, Value *byte, unsigned exponent, unsigned mantissa, int bias) {
  Value *wide = b.CreateZExt(byte, b.getInt32Ty());
  unsigned sign = exponent + mantissa;
  Value *magnitude = b.CreateShl(b.CreateAnd(wide, (1u << sign) - 1), 23 - mantissa);
  // Moved to the place in f32 and scaled: exact for subnormals too.
  Value *scale = ConstantFP::get(b.getFloatTy(), std::ldexp(1.0, 127 - bias));
  Value *value = b.CreateFMul(b.CreateBitCast(magnitude, b.getFloatTy()), scale);
  Value *negative = b.CreateShl(b.CreateAnd(b.CreateLShr(wide, sign), 1), 31);
  return b.CreateBitCast(b.CreateOr(b.CreateBitCast(value, b.getInt32Ty()), negative), b.getFloatTy());
}

Value *widened(Emitter &e, Value *value, tt::ScaledFormat format) {
  switch (format) {
  case tt::ScaledFormat::E4M3:
    return convertFloat(e, value, DType::F8E4M3FN, DType::F32);
  case tt::ScaledFormat::E5M2:
    return convertFloat(e, value, DType::F8E5M2, DType::F32);
  case tt::ScaledFormat::E2M3:
    return smallFloat(e.b, value, 2, 3, 1);
  case tt::ScaledFormat::E3M2:
    return smallFloat(e.b, value, 3, 2, 3);
  case tt::ScaledFormat::E2M1:
    return smallFloat(e.b, value, 2, 1, 1);
  case tt::ScaledFormat::BF16:
    return convertFloat(e, value, DType::BF16, DType::F32);
  case tt::ScaledFormat::FP16:
    return convertFloat(e, value, DType::F16, DType::F32);
  }
  return value;
}

/// 2 to the power of a byte less 127; 255 is NaN. Other types of scales are floats.
Value *scaleOf(Emitter &e, Value *value, DType type) {
  IRBuilder<> &b = e.b;
  if (type != DType::I8)
    return convertFloat(e, value, type, DType::F32);
  Value *wide = b.CreateZExt(value, b.getInt32Ty());
  // The smallest one is subnormal in f32.
  Value *bits =
      b.CreateSelect(b.CreateICmpEQ(wide, b.getInt32(0)), b.getInt32(0x00400000), b.CreateShl(wide, 23));
  bits = b.CreateSelect(b.CreateICmpEQ(wide, b.getInt32(255)), b.getInt32(0x7fc00000), bits);
  return b.CreateBitCast(bits, b.getFloatTy());
}

/// Bytes that hold two elements along a dimension become two parts each.
Factor unpacked(Emitter &e, const Factor &bytes, unsigned dim) {
  const gpu::Layout &from = bytes.placement.layout();
  std::vector<int32_t> shape = from.shape();
  shape[dim] *= 2;
  gpu::Layout layout = gpu::Layout::empty(shape);
  gpu::Coordinates one(shape.size(), 0);
  one[dim] = 1;
  layout.append(Bits::Register, one);
  for (Bits bits : {Bits::Register, Bits::Lane, Bits::Warp})
    for (unsigned bit = 0; bit < from.bits(bits); ++bit) {
      gpu::Coordinates at = from.basis(bits, bit);
      at[dim] *= 2;
      layout.append(bits, at);
    }
  Factor result{{}, Placement(std::move(layout)), DType::I8};
  for (unsigned n = 0; n < result.placement.held(); ++n) {
    uint32_t number = result.placement.registerOf(n);
    Value *byte = bytes.parts[bytes.placement.heldFor(number >> 1)];
    result.parts.push_back(number & 1 ? e.b.CreateLShr(byte, 4) : e.b.CreateAnd(byte, 15));
  }
  return result;
}

// scales[outer][group of K].
void applyScales(Emitter &e, tt::DotScaledOp op, Factor &factor, mlir::Value scales, bool left) {
  IRBuilder<> &b = e.b;
  const Placement &source = e.placement(scales.getType());
  ArrayRef<int64_t> shape = tt::shapeOf(scales.getType());
  DType type = *tt::dtypeOf(tt::elementOf(scales.getType()));
  Value *base = e.scratch(op, source.size());
  Value *mine = e.soleHolder(source);
  for (unsigned n = 0; n < source.held(); ++n)
    e.storeElement(b.CreateAdd(base, e.elementNumber(source, n)), e.parts(scales)[n], mine);
  e.machine.barrier();
  const Placement &p = factor.placement;
  unsigned rank = p.layout().rank(), depth = left ? rank - 1 : rank - 2, outer = left ? rank - 2 : rank - 1;
  int64_t groups = shape.back(), length = p.layout().shape()[depth] / groups;
  for (unsigned n = 0; n < p.held(); ++n) {
    Value *row = e.coordinate(p, n, outer);
    if (rank > 2)
      row = b.CreateAdd(b.CreateMul(e.coordinate(p, n, 0), e.i32(p.layout().shape()[outer])), row);
    Value *group = b.CreateUDiv(e.coordinate(p, n, depth), e.i32(length));
    Value *at = b.CreateAdd(base, b.CreateAdd(b.CreateMul(row, e.i32(groups)), group));
    Value *scale = scaleOf(e, e.loadElement(at, b.getInt8Ty()), type);
    factor.parts[n] = b.CreateFMul(factor.parts[n], scale);
  }
}
} // namespace

Factor scaledFactor(Emitter &e, tt::DotScaledOp op, bool left) {
  mlir::Value operand = left ? op.getA() : op.getB(), scales = left ? op.getAScale() : op.getBScale();
  tt::ScaledFormat format = left ? op.getAElemType() : op.getBElemType();
  Factor factor{e.parts(operand), e.placement(operand.getType()), DType::I8};
  if (format == tt::ScaledFormat::E2M1) {
    unsigned rank = factor.placement.layout().rank();
    bool alongDepth = left ? op.getLhsKPack() : op.getRhsKPack();
    unsigned depth = left ? rank - 1 : rank - 2, outer = left ? rank - 2 : rank - 1;
    factor = unpacked(e, factor, alongDepth ? depth : outer);
  }
  for (Value *&part : factor.parts)
    part = widened(e, part, format);
  factor.type = DType::F32;
  if (scales)
    applyScales(e, op, factor, scales, left);
  return factor;
}

} // namespace trisect::cuda
