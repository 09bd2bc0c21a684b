//===- Reduction.cpp - accumulators of a reduction ------------------------------------------------------===//
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;

namespace trisect::cpu {

namespace {
// A region with ifs or loops is a function that each lane calls.
Parts combineLaneByLane(KernelState &state, Region &region, const Parts &left, const Parts &right) {
  Code code = state.code();
  unsigned lanes = lanesOf(left.front().getType());
  Parts result;
  for (Value part : left)
    result.push_back(lanes == 1 ? part : code.zero(part.getType()));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> arguments;
    for (const Parts &side : {left, right})
      for (Value part : side)
        arguments.push_back(code.lane(part, lane));
    for (auto [part, made] : llvm::zip(result, state.callRegion(region, arguments)))
      part = lanes == 1 ? made
                        : code.b.create<vector::InsertOp>(code.loc, made, part, static_cast<int64_t>(lane));
  }
  return result;
}

// Whether a region joins answers of comparisons. Machines without registers for masks do so in a register for
// each; of vectors that are longer they would pack the answers first, and unpack them.
bool joinsMasks(Region &region) {
  return llvm::any_of(region.front(), [](Operation &op) {
    return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && op.getResult(0).getType().isInteger(1);
  });
}

// Where along `axis` an element is, plus a constant: a range that shape operations have spread out.
bool isPosition(Value value, unsigned axis) {
  while (!value.getDefiningOp<tt::MakeRangeOp>()) {
    if (ttShape(value.getType())[axis] == 1)
      return false;
    if (auto expanded = value.getDefiningOp<tt::ExpandDimsOp>()) {
      axis -= static_cast<unsigned>(expanded.getAxis()) < axis;
      value = expanded.getSrc();
    } else if (auto spread = value.getDefiningOp<tt::BroadcastOp>()) {
      value = spread.getSrc();
    } else {
      return false;
    }
  }
  auto range = value.getDefiningOp<tt::MakeRangeOp>();
  return static_cast<int32_t>(range.getStart()) >= 0 && static_cast<int32_t>(range.getEnd()) > 0;
}

// What `op` says of a pair of arguments in `rising`, or nothing.
std::optional<bool> knownOrder(Operation &op, const llvm::BitVector &rising) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  auto left = compare ? dyn_cast<BlockArgument>(compare.getLhs()) : BlockArgument();
  auto right = compare ? dyn_cast<BlockArgument>(compare.getRhs()) : BlockArgument();
  if (!left || !right || left.getOwner() != op.getBlock() || right.getOwner() != op.getBlock())
    return std::nullopt;
  unsigned number = left.getArgNumber();
  if (number >= rising.size() || !rising[number] || right.getArgNumber() != number + rising.size())
    return std::nullopt;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::ne:
    return true;
  default:
    return false;
  }
}
} // namespace

llvm::BitVector positionsAlongAxis(tt::ReduceOp op) {
  llvm::BitVector rising;
  for (Value operand : op->getOperands())
    rising.push_back(isPosition(operand, op.getAxis()));
  return rising;
}

bool isStraight(Region &region) {
  return llvm::all_of(region.front().without_terminator(),
                      [](Operation &op) { return isElementwise(&op) || isa<arith::ConstantOp>(op); });
}

Parts combine(KernelState &state, Region &region, const Parts &left, const Parts &right,
              const llvm::BitVector &rising) {
  Code code = state.code();
  Block &block = region.front();
  if (!isStraight(region))
    return combineLaneByLane(state, region, left, right);
  unsigned lanes = lanesOf(left.front().getType());
  if (lanes == 16 && state.machine.vectorBytes == 32 && joinsMasks(region)) {
    auto halves = [&](const Parts &parts, bool upper) {
      return llvm::map_to_vector<2>(parts, [&](Value part) { return code.half(part, upper); });
    };
    Parts low = combine(state, region, halves(left, false), halves(right, false), rising), result;
    Parts high = combine(state, region, halves(left, true), halves(right, true), rising);
    for (auto [a, b] : llvm::zip_equal(low, high))
      result.push_back(code.whole(a, b));
    return result;
  }
  llvm::DenseMap<Value, LaneValue> values;
  for (auto [i, value] : llvm::enumerate(left))
    values[block.getArgument(i)] = LaneValue::lanes(value);
  for (auto [i, value] : llvm::enumerate(right))
    values[block.getArgument(left.size() + i)] = LaneValue::lanes(value);
  auto valueOf = [&](Value operand) {
    if (auto found = values.find(operand); found != values.end())
      return found->second;
    return LaneValue::uniform(state.scalar(operand));
  };
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Type element = constant.getType();
      Attribute attribute = constant.getValue();
      Value scalar;
      if (auto real = dyn_cast<FloatAttr>(attribute)) {
        uint64_t bits = real.getValue().bitcastToAPInt().getZExtValue();
        Type type = emittedType(element);
        scalar = isa<FloatType>(type) ? code.realBits(type, bits) : code.integer(type, bits);
      } else {
        scalar = code.integer(emittedType(element), cast<IntegerAttr>(attribute).getValue().getSExtValue());
      }
      values[op.getResult(0)] = LaneValue::uniform(scalar);
      continue;
    }
    if (std::optional<bool> known = knownOrder(op, rising)) {
      values[op.getResult(0)] = LaneValue::uniform(code.integer(code.i1(), *known));
      continue;
    }
    SmallVector<LaneValue> operands;
    for (Value operand : op.getOperands())
      operands.push_back(valueOf(operand));
    values[op.getResult(0)] = emitElementwise(code, &op, operands, lanes);
  }
  Parts result;
  for (Value operand : block.getTerminator()->getOperands())
    result.push_back(toVector(code, valueOf(operand), lanes));
  return result;
}

Parts accumulate(KernelState &state, Region &region, const Parts &sum, const Parts &more, bool bothQuiet) {
  Block &block = region.front();
  Operation &op = block.front();
  bool one = block.getOperations().size() == 2 && llvm::equal(op.getOperands(), block.getArguments()) &&
             llvm::equal(block.getTerminator()->getOperands(), op.getResults());
  Code code = state.code();
  Type type = sum.front().getType();
  auto whole = vectorOf(elementOf(type), 16);
  if (one && isa<arith::MaxNumFOp, arith::MinNumFOp>(op) && ttElement(op.getResult(0).getType()).isF32() &&
      lanesOf(type) <= 16 && (bothQuiet || lanesOf(type) >= 8) && code.isWide(whole))
    return {emitWideExtreme(code, sum.front(), more.front(), isa<arith::MaxNumFOp>(op), bothQuiet)};
  return combine(state, region, sum, more);
}

static Parts join(KernelState &state, Region &region, const Parts &a, const Parts &b, bool quiet) {
  return quiet ? accumulate(state, region, a, b, /*bothQuiet=*/true) : combine(state, region, a, b);
}

Parts joinInHalves(KernelState &state, Region &region, SmallVector<Parts> accumulators, bool quiet) {
  while (accumulators.size() > 1) {
    size_t half = accumulators.size() / 2;
    for (size_t i = 0; i < half; ++i)
      accumulators[i] = join(state, region, accumulators[i], accumulators[i + half], quiet);
    accumulators.resize(half);
  }
  return accumulators.front();
}

Parts foldInHalves(KernelState &state, Region &region, const SmallVector<Parts> &accumulators, bool quiet) {
  Parts result = joinInHalves(state, region, accumulators, quiet);
  Code code = state.code();
  while (lanesOf(result.front().getType()) > 1) {
    Parts low, high;
    for (Value part : result) {
      low.push_back(code.half(part, false));
      high.push_back(code.half(part, true));
    }
    result = join(state, region, low, high, quiet);
  }
  return result;
}

Value identityOf(Code &code, Region &region, Type type) {
  Block &block = region.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return {};
  Operation &op = block.front();
  if (op.getNumOperands() != 2 || !llvm::is_contained(op.getOperands(), block.getArgument(0)) ||
      !llvm::is_contained(op.getOperands(), block.getArgument(1)) ||
      block.getTerminator()->getOperand(0) != op.getResult(0))
    return {};
  Type element = elementOf(type);
  std::optional<OpId> id = opFromMnemonic(op.getName().getStringRef());
  if (!id)
    return {};
  double infinity = std::numeric_limits<double>::infinity();
  if (element.isF32() || element.isF64())
    switch (*id) {
    case OpId::arith_addf:
      return code.real(type, -0.0);
    case OpId::arith_mulf:
      return code.real(type, 1.0);
    case OpId::arith_maximumf:
      return code.real(type, -infinity);
    case OpId::arith_minimumf:
      return code.real(type, infinity);
    case OpId::arith_maxnumf:
    case OpId::arith_minnumf:
      return code.real(type, std::numeric_limits<double>::quiet_NaN());
    default:
      return {};
    }
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || isa<FloatType>(ttElement(op.getResult(0).getType())))
    return {};
  unsigned width = integer.getWidth();
  int64_t lowest = INT64_MIN >> (64 - width), highest = INT64_MAX >> (64 - width);
  switch (*id) {
  case OpId::arith_addi:
  case OpId::arith_ori:
  case OpId::arith_xori:
  case OpId::arith_maxui:
    return code.integer(type, 0);
  case OpId::arith_muli:
    return code.integer(type, 1);
  case OpId::arith_andi:
  case OpId::arith_minui:
    return code.integer(type, -1);
  case OpId::arith_maxsi:
    return code.integer(type, lowest);
  case OpId::arith_minsi:
    return code.integer(type, highest);
  default:
    return {};
  }
}

} // namespace trisect::cpu
