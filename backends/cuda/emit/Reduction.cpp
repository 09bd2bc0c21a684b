//===- Reduction.cpp - tt.reduce with any region --------------------------------------------------------===//
//
// What: folds in the thread's registers, then over lanes by shuffles, then over warps through shared memory.
// Every thread of a row ends with the same bits: where the region is not known to commute, the lower lane's
// value stands left in all lanes.
// Limits: a layout whose registers or lanes move along several dimensions at once is exchanged first.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Combine.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using mlir::RankedTensorType;
using trisect::gpu::Bits;

namespace trisect::cuda {

bool commutes(mlir::Region &region) {
  if (!region.hasOneBlock())
    return false;
  mlir::Block &block = region.front();
  if (block.getOperations().size() != 2 || block.getNumArguments() != 2)
    return false;
  std::optional<OpId> id = opFromMnemonic(block.front().getName().getStringRef());
  switch (id.value_or(OpId::tt_call)) {
  case OpId::arith_addi:
  case OpId::arith_addf:
  case OpId::arith_muli:
  case OpId::arith_mulf:
  case OpId::arith_andi:
  case OpId::arith_ori:
  case OpId::arith_xori:
  case OpId::arith_minsi:
  case OpId::arith_minui:
  case OpId::arith_maxsi:
  case OpId::arith_maxui:
  case OpId::arith_minnumf:
  case OpId::arith_maxnumf:
  case OpId::arith_minimumf:
  case OpId::arith_maximumf:
    return true;
  default:
    return false;
  }
}

Parts combine(Emitter &e, mlir::Region &region, ArrayRef<Value *> left, ArrayRef<Value *> right) {
  SmallVector<Value *> arguments(left);
  arguments.append(right.begin(), right.end());
  return e.inlineRegion(region, arguments);
}

bool movesAlongOneDimension(const gpu::Layout &layout) {
  for (Bits bits : {Bits::Register, Bits::Lane, Bits::Warp})
    for (unsigned bit = 0; bit < layout.bits(bits); ++bit) {
      gpu::Coordinates at = layout.basis(bits, bit);
      if (count_if(at, [](int32_t c) { return c != 0; }) > 1)
        return false;
    }
  return true;
}

namespace {

class Reduction {
public:
  Reduction(Emitter &e, tt::ReduceOp op)
      : e(e), op(op), axis(op.getAxis()), region(op.getCombineOp()), ordered(!commutes(region)) {}

  void emit() {
    auto type = cast<RankedTensorType>(op.getSrcs()[0].getType());
    const Placement &given = e.placement(type);
    std::optional<Placement> plain;
    if (!movesAlongOneDimension(given.layout()))
      plain.emplace(e.defaultLayout(type.getShape()));
    const Placement &source = plain ? *plain : given;
    for (mlir::Value operand : op.getSrcs()) {
      mlir::Type element = tt::elementOf(operand.getType());
      elements.push_back(e.elementType(element));
      operands.push_back(e.exchange(op, e.parts(operand), e.placement(operand.getType()), source, element));
    }
    const gpu::Layout &layout = source.layout();
    Placement result(layout.sliced(axis));
    foldRegisters(source, result);
    foldLanes(layout);
    foldWarps(layout, result);
    finish(result);
  }

private:
  bool alongAxis(const gpu::Layout &layout, Bits bits, unsigned bit) const {
    return layout.basis(bits, bit)[axis] != 0;
  }
  SmallVector<Value *> at(unsigned row) const {
    SmallVector<Value *> values;
    for (const Parts &operand : operands)
      values.push_back(operand[row]);
    return values;
  }

  /// Leaves one value for each row that the thread holds, in the order of `result`.
  void foldRegisters(const Placement &source, const Placement &result) {
    SmallVector<SmallVector<unsigned>> rows(result.held());
    for (unsigned n = 0; n < source.held(); ++n) {
      gpu::Coordinates place = source.layout().coordinates(source.element(n));
      place.erase(place.begin() + axis);
      uint32_t element = place.empty() ? 0 : result.layout().number(place);
      unsigned row = 0;
      while (result.element(row) != element)
        ++row;
      rows[row].push_back(n);
    }
    SmallVector<Parts> folded(operands.size());
    for (SmallVector<unsigned> &row : rows) {
      SmallVector<SmallVector<Value *>> list;
      for (unsigned n : row)
        list.push_back(at(n));
      // Halves onto each other: short chains.
      for (size_t count = list.size(); count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count / 2; ++i) {
          size_t other = i + (count + 1) / 2;
          Parts joined = combine(e, region, list[i], list[other]);
          list[i].assign(joined.begin(), joined.end());
        }
      for (auto [to, value] : zip(folded, list[0]))
        to.push_back(value);
    }
    operands = std::move(folded);
  }

  void foldLanes(const gpu::Layout &layout) {
    uint32_t free = layout.freeBits(Bits::Lane);
    for (unsigned bit = 0; bit < layout.bits(Bits::Lane); ++bit) {
      if (!alongAxis(layout, Bits::Lane, bit) || (free >> bit & 1))
        continue;
      Value *distance = e.i32(int64_t(1) << bit);
      Value *upper = ordered ? e.b.CreateICmpNE(e.b.CreateAnd(e.lane(), distance), e.i32(0)) : nullptr;
      for (unsigned row = 0; row < operands[0].size(); ++row) {
        SmallVector<Value *> mine = at(row), other;
        for (Value *value : mine)
          other.push_back(e.shuffleValue(Shuffle::Butterfly, value, distance));
        if (upper)
          for (auto [a, b] : zip(mine, other)) {
            Value *left = e.b.CreateSelect(upper, b, a), *right = e.b.CreateSelect(upper, a, b);
            a = left, b = right;
          }
        Parts joined = combine(e, region, mine, other);
        for (auto [operand, value] : zip(operands, joined))
          operand[row] = value;
      }
    }
  }

  void foldWarps(const gpu::Layout &layout, const Placement &result) {
    SmallVector<unsigned> bits;
    uint32_t free = layout.freeBits(Bits::Warp);
    for (unsigned bit = 0; bit < layout.bits(Bits::Warp); ++bit)
      if (alongAxis(layout, Bits::Warp, bit) && !(free >> bit & 1))
        bits.push_back(bit);
    if (bits.empty())
      return;
    int64_t rows = result.size(), groups = int64_t(1) << bits.size(), offset = 0;
    SmallVector<int64_t> offsets, sizes;
    for (Type *element : elements) {
      int64_t bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
      // What all warps have for a row is read in vectors.
      int64_t alignment = std::max(bytes, std::min<int64_t>(16, groups * bytes));
      offset = (offset + alignment - 1) / alignment * alignment;
      offsets.push_back(offset);
      sizes.push_back(bytes);
      offset += rows * groups * bytes;
    }
    Value *base = e.scratch(op, offset);
    Value *group = e.i32(0);
    for (unsigned i = 0; i < bits.size(); ++i) {
      Value *one = e.b.CreateAnd(e.b.CreateLShr(e.warp(), bits[i]), 1);
      group = e.b.CreateOr(group, e.b.CreateShl(one, i));
    }
    auto address = [&](unsigned operand, unsigned row, Value *group) {
      Value *index = e.b.CreateAdd(e.b.CreateMul(e.elementNumber(result, row), e.i32(groups)), group);
      Value *bytes = e.b.CreateAdd(e.b.CreateMul(index, e.i32(sizes[operand])), e.i32(offsets[operand]));
      return e.b.CreateAdd(base, bytes);
    };
    Value *writer = rowWriter(layout);
    for (unsigned operand = 0; operand < operands.size(); ++operand)
      for (unsigned row = 0; row < operands[operand].size(); ++row)
        e.storeElement(address(operand, row, group), operands[operand][row], writer);
    e.machine.barrier();
    for (unsigned row = 0; row < operands[0].size(); ++row) {
      SmallVector<Parts> all;
      for (unsigned operand = 0; operand < operands.size(); ++operand)
        all.push_back(loadRow(address(operand, row, e.i32(0)), elements[operand], sizes[operand], groups));
      SmallVector<Value *> sum;
      for (int64_t g = 0; g < groups; ++g) {
        SmallVector<Value *> next;
        for (const Parts &each : all)
          next.push_back(each[g]);
        if (g == 0) {
          sum = next;
          continue;
        }
        Parts joined = combine(e, region, sum, next);
        sum.assign(joined.begin(), joined.end());
      }
      for (auto [operand, value] : zip(operands, sum))
        operand[row] = value;
    }
  }

  /// `count` neighbours in shared memory, in the widest accesses.
  Parts loadRow(Value *address, Type *element, int64_t bytes, int64_t count) {
    int64_t width = bytes == 4 ? std::min<int64_t>(4, count) : 1;
    Parts row;
    for (int64_t at = 0; at < count; at += width) {
      Value *from = e.b.CreateAdd(address, e.i32(at * bytes));
      if (width == 1) {
        row.push_back(e.loadElement(from, element));
        continue;
      }
      for (Value *word : e.machine.loadShared(from, 32, static_cast<unsigned>(width)))
        row.push_back(e.fromWord(word, element));
    }
    return row;
  }

  /// One lane of a row writes the warp's sum: those along the axis are zero, as are copies.
  Value *rowWriter(const gpu::Layout &layout) {
    uint32_t lanes = layout.freeBits(Bits::Lane), warps = layout.freeBits(Bits::Warp);
    for (unsigned bit = 0; bit < layout.bits(Bits::Lane); ++bit)
      if (alongAxis(layout, Bits::Lane, bit))
        lanes |= 1u << bit;
    Value *holds = nullptr;
    if (lanes)
      holds = e.b.CreateICmpEQ(e.b.CreateAnd(e.lane(), lanes), e.i32(0));
    if (warps)
      holds = e.both(holds, e.b.CreateICmpEQ(e.b.CreateAnd(e.warp(), warps), e.i32(0)));
    return holds;
  }

  void finish(const Placement &result) {
    for (auto [value, parts] : zip(op.getResults(), operands)) {
      if (isa<RankedTensorType>(value.getType()))
        e.set(value,
              e.exchange(op, parts, result, e.placement(value.getType()), tt::elementOf(value.getType())));
      else
        e.set(value, parts[0]);
    }
  }

  Emitter &e;
  tt::ReduceOp op;
  unsigned axis;
  mlir::Region &region;
  bool ordered;
  SmallVector<Parts> operands;
  SmallVector<Type *> elements;
};

} // namespace

bool emitReduction(Emitter &e, mlir::Operation *op) {
  auto reduce = dyn_cast<tt::ReduceOp>(op);
  if (!reduce)
    return false;
  Reduction(e, reduce).emit();
  return true;
}

} // namespace trisect::cuda
