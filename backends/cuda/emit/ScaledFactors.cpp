//===- ScaledFactors.cpp - operands of tt.dot_scaled ---------------------------------------------------===//
#include "backends/cuda/emit/ScaledFactors.h"
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Memory.h"
#include "backends/gpu/layouts/SharedMemory.h"
#include "core/ir/TypeUtils.h"
#include <numeric>

using namespace llvm;

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

/// The bits of elements become f32.
void widenAll(Emitter &e, Parts &values, tt::ScaledFormat format) {
  auto small = [&](unsigned exponent, unsigned mantissa, int bias) {
    for (Value *&value : values)
      value = smallFloat(e.b, value, exponent, mantissa, bias);
  };
  switch (format) {
  case tt::ScaledFormat::E4M3:
    return convertFloats(e, values, DType::F8E4M3FN, DType::F32);
  case tt::ScaledFormat::E5M2:
    return convertFloats(e, values, DType::F8E5M2, DType::F32);
  case tt::ScaledFormat::E2M3:
    return small(2, 3, 1);
  case tt::ScaledFormat::E3M2:
    return small(3, 2, 3);
  case tt::ScaledFormat::E2M1:
    return small(2, 1, 1);
  case tt::ScaledFormat::BF16:
    return convertFloats(e, values, DType::BF16, DType::F32);
  case tt::ScaledFormat::FP16:
    return convertFloats(e, values, DType::F16, DType::F32);
  }
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

constexpr int32_t unitBytes = 4; ///< that a thread takes at once
} // namespace

ScaledOperand::ScaledOperand(Emitter &e, tt::DotScaledOp op, bool left)
    : e(e), left(left), format(left ? op.getAElemType() : op.getBElemType()),
      block(left ? op.getA() : op.getB()), scales(left ? op.getAScale() : op.getBScale()),
      placement(e.placement(block.getType())) {
  const std::vector<int32_t> &shape = placement.layout().shape();
  size_t rank = shape.size();
  if (format == tt::ScaledFormat::E2M1)
    ((left ? op.getLhsKPack() : op.getRhsKPack()) ? perDepth : perLine) = 2;
  depthOfBlock = shape[left ? rank - 1 : rank - 2];
  linesOfBlock = shape[left ? rank - 2 : rank - 1];
  blocks = rank > 2 ? shape[0] : 1;
  elementBytes = static_cast<int32_t>(e.elementType(block.getType())->getScalarSizeInBits()) / 8;
}

int64_t ScaledOperand::bytes(int32_t elements) const {
  return int64_t(blocks) * linesOfBlock * (elements / perDepth) * elementBytes;
}

int64_t ScaledOperand::scaleBytes() const { return scales ? tt::numElementsOf(scales.getType()) : 0; }

void ScaledOperand::storeScales(Value *base) {
  if (!scales)
    return;
  storedScales = base;
  const Placement &source = e.placement(scales.getType());
  std::vector<int32_t> order(source.layout().rank());
  std::iota(order.rbegin(), order.rend(), 0);
  storeToBuffer(e, e.parts(scales), source, base, gpu::plainShared(source.layout().shape(), order));
}

void ScaledOperand::store(Value *base, int32_t from, int32_t length) {
  stored = base;
  storedFrom = from;
  storedLength = length;
  const Parts &parts = e.parts(block);
  size_t rank = placement.layout().rank();
  if (length == depth()) {
    std::vector<int32_t> order(rank);
    std::iota(order.rbegin(), order.rend(), 0);
    storeToBuffer(e, parts, placement, base, gpu::plainShared(placement.layout().shape(), order));
    return;
  }
  IRBuilder<> &b = e.b;
  int32_t kept = length / perDepth;
  Value *mine = e.soleHolder(placement);
  for (unsigned n = 0; n < placement.held(); ++n) {
    Value *deep = e.coordinate(placement, n, left ? rank - 1 : rank - 2);
    Value *line = e.coordinate(placement, n, left ? rank - 2 : rank - 1);
    Value *here = b.CreateICmpEQ(b.CreateLShr(deep, Log2_32(kept)), e.i32(from / length));
    Value *within = b.CreateAnd(deep, kept - 1);
    Value *row = left ? line : within, *column = left ? within : line;
    if (rank > 2)
      row = b.CreateAdd(b.CreateMul(e.coordinate(placement, n, 0), e.i32(left ? linesOfBlock : kept)), row);
    Value *at = b.CreateAdd(b.CreateMul(row, e.i32(left ? kept : linesOfBlock)), column);
    e.storeElement(b.CreateAdd(base, b.CreateMul(at, e.i32(elementBytes))), parts[n], e.both(mine, here));
  }
}

/// Some neighbours in a row of what was stored.
struct ScaledOperand::Unit {
  unsigned count;
  Value *address;
  Value *row, *column; ///< in the slice, in elements as they came
};

void ScaledOperand::widen(const SharedSlice &slice, Value *first) {
  int32_t deep = slice.k / perDepth;
  int64_t units = int64_t(blocks) * linesOfBlock * deep * elementBytes /
                  std::min(unitBytes, (left ? deep : linesOfBlock) * elementBytes);
  e.repeat(std::max<int64_t>(1, units / e.threads()), {}, [&](Value *turn, const Parts &) {
    Value *number = e.b.CreateAdd(e.b.CreateMul(turn, e.i32(e.threads())), e.thread());
    auto body = [&] { widenUnit(slice, unit(slice, number, first), first); };
    if (units < e.threads())
      e.when(e.b.CreateICmpULT(number, e.i32(units)), body);
    else
      body();
    return Parts();
  });
}

ScaledOperand::Unit ScaledOperand::unit(const SharedSlice &slice, Value *number, Value *first) {
  IRBuilder<> &b = e.b;
  int32_t deep = slice.k / perDepth, storedDeep = storedLength / perDepth;
  int32_t columns = left ? deep : linesOfBlock;
  int32_t count = std::min(unitBytes / elementBytes, columns);
  Unit unit{static_cast<unsigned>(count), nullptr, b.CreateLShr(number, Log2_32(columns / count)), nullptr};
  unit.column = b.CreateMul(b.CreateAnd(number, columns / count - 1), e.i32(count));
  Value *start = b.CreateLShr(first, Log2_32(perDepth)), *at;
  if (left) {
    at = b.CreateAdd(b.CreateMul(unit.row, e.i32(storedDeep)), b.CreateAdd(start, unit.column));
  } else {
    Value *block = b.CreateLShr(unit.row, Log2_32(deep)), *within = b.CreateAnd(unit.row, deep - 1);
    Value *row = b.CreateAdd(b.CreateMul(block, e.i32(storedDeep)), b.CreateAdd(start, within));
    at = b.CreateAdd(b.CreateMul(row, e.i32(linesOfBlock)), unit.column);
  }
  unit.address = b.CreateAdd(stored, b.CreateMul(at, e.i32(elementBytes)));
  return unit;
}

Parts ScaledOperand::loadUnit(const Unit &unit) {
  Type *element = e.elementType(block.getType());
  WordShape shape = wordShape(8 * elementBytes, unit.count);
  Parts values;
  unpack(e, e.machine.loadShared(unit.address, shape.bits, shape.count), element, unit.count, values);
  return values;
}

void ScaledOperand::widenUnit(const SharedSlice &slice, const Unit &unit, Value *first) {
  IRBuilder<> &b = e.b;
  Parts bits = loadUnit(unit), factors;
  bool inRows = packedInRows(), overRows = packed() && !inRows;
  Value *column = inRows ? b.CreateShl(unit.column, 1) : unit.column;
  for (unsigned half = 0; half < (overRows ? 2 : 1); ++half) {
    Parts values;
    for (Value *byte : bits) {
      if (!packed())
        values.push_back(byte);
      if (inRows || (overRows && half == 0))
        values.push_back(b.CreateAnd(byte, 15));
      if (inRows || (overRows && half == 1))
        values.push_back(b.CreateLShr(byte, 4));
    }
    widenAll(e, values, format);
    Value *row = overRows ? b.CreateAdd(b.CreateShl(unit.row, 1), e.i32(half)) : unit.row;
    if (storedScales) {
      // Both elements of a byte along K have the same scale.
      if (half == 0 || perDepth == 1)
        factors = scalesOf(slice, row, column, values.size(), first);
      for (auto [value, factor] : zip(values, factors))
        value = b.CreateFMul(value, factor);
    }
    storeWide(slice, row, column, values);
  }
}

// scales[line][group of K]: a unit along K lies within one group.
Parts ScaledOperand::scalesOf(const SharedSlice &slice, Value *row, Value *column, unsigned count,
                              Value *first) {
  IRBuilder<> &b = e.b;
  auto groups = static_cast<int32_t>(tt::shapeOf(scales.getType()).back());
  DType type = *tt::dtypeOf(tt::elementOf(scales.getType()));
  Value *deep = left ? column : b.CreateAnd(row, slice.k - 1);
  deep = b.CreateAdd(b.CreateAdd(first, deep), e.i32(storedFrom));
  Value *group = b.CreateLShr(deep, Log2_32(depth() / groups));
  Value *line = row;
  if (!left)
    line = b.CreateAdd(b.CreateMul(b.CreateLShr(row, Log2_32(slice.k)), e.i32(lines())), column);
  Value *at = b.CreateAdd(storedScales, b.CreateAdd(b.CreateMul(line, e.i32(groups)), group));
  Parts factors;
  for (unsigned n = 0; n < count; ++n) {
    if (n && left)
      factors.push_back(factors[0]);
    else
      factors.push_back(
          scaleOf(e, e.loadElement(b.CreateAdd(at, e.i32(int64_t(n) * groups)), b.getInt8Ty()), type));
  }
  return factors;
}

void ScaledOperand::storeWide(const SharedSlice &slice, Value *row, Value *column, const Parts &values) {
  constexpr size_t together = 4;
  for (size_t n = 0; n < values.size(); n += together) {
    Value *at = slice.address(e, left, nullptr, row, e.b.CreateAdd(column, e.i32(static_cast<int64_t>(n))));
    e.machine.storeShared(at, pack(e, ArrayRef(values).slice(n, std::min(together, values.size() - n))));
  }
}

} // namespace trisect::cuda
