//===- Evaluator.cpp - the elements of a tensor at an index ---------------------------------------------===//
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Widenings.h"
#include "core/ir/Ops.h"
#include "core/support/Outcome.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace trisect::cpu {

Evaluator::Key Evaluator::keyOf(Value value, const Index &index) {
  // Equal constants are equal positions, wherever each was made.
  auto identity = [](Value part) {
    if (std::optional<int64_t> known = constantOf(part))
      return std::pair<void *, int64_t>(nullptr, *known);
    return std::pair<void *, int64_t>(part.getAsOpaquePointer(), 0);
  };
  Key key{value.getAsOpaquePointer(), {}};
  for (const LaneValue &position : index) {
    key.second.push_back(identity(position.value));
    key.second.push_back(position.isStrided() ? identity(position.stride) : std::pair<void *, int64_t>());
  }
  return key;
}

void Evaluator::remember(Value value, const Index &index, const LaneValue &known) {
  cache[keyOf(value, index)] = known;
}

// A position that is known belongs to no loop: what is kept for it serves those that follow, too.
static void leaveLoops(Code code, Index &index) {
  for (LaneValue &position : index) {
    std::optional<int64_t> value = constantOf(position.value);
    std::optional<int64_t> stride =
        position.isStrided() ? constantOf(position.stride) : std::optional<int64_t>(0);
    if (!position.level || !value || !stride)
      continue;
    position.value = code.integer(position.value.getType(), *value);
    if (position.isStrided())
      position.stride = code.integer(position.stride.getType(), *stride);
    position.level = 0;
  }
}

LaneValue Evaluator::at(Value value, const Index &given) {
  if (!isa<RankedTensorType>(value.getType()))
    return LaneValue::uniform(state.scalar(value));
  Key key = keyOf(value, given);
  if (auto found = cache.find(key); found != cache.end())
    return found->second;
  Index index = given;
  leaveLoops(state.code(), index);
  unsigned level = 0;
  for (const LaneValue &position : index)
    level = std::max(level, position.level);
  OpBuilder::InsertionGuard guard(state.builder);
  if (level < nest.loops.size())
    state.builder.setInsertionPoint(nest.loops[level]);
  Location user = state.loc;
  if (Operation *op = value.getDefiningOp())
    state.loc = op->getLoc();
  LaneValue result = compute(value, index);
  state.loc = user;
  result.level = level;
  return cache[key] = result;
}

LaneValue Evaluator::compute(Value value, const Index &index) {
  Code code = state.code();
  if (auto made = repeated.find(value); made != repeated.end())
    return readRepeated(made->second, index);
  if (Operation *remainder = uniformRemainder(value);
      remainder && steady.contains(remainder) && !dividesWholeChunks(remainder))
    return at(remainder->getOperand(0), index);
  if (auto found = state.buffers.find(value); found != state.buffers.end())
    return readBuffer(found->second, index);
  if (auto found = state.inductions.find(value); found != state.inductions.end())
    return addLanes(code, at(found->second.start, index), LaneValue::uniform(found->second.amount),
                    nest.lanes);
  Operation *op = value.getDefiningOp();
  if (!op)
    throw EngineError("cpu: a block argument has no buffer");
  bool known = false;
  LaneValue result = throughShape(op, value, index, known);
  if (known)
    return result;
  if (isElementwise(op)) {
    SmallVector<LaneValue> operands;
    for (Value operand : op->getOperands())
      operands.push_back(at(operand, index));
    if (steady.contains(op) && dividesWholeChunks(op) && operands[0].isStrided() &&
        constantOf(operands[0].stride) == 1)
      return divideChunk(op, operands);
    // A lane that wraps in the narrow type breaks the row only once it is widened.
    if (std::optional<unsigned> n = widenedOperand(op); n && operands[*n].isStrided() && !steady.contains(op))
      operands[*n] = LaneValue::lanes(toVector(code, operands[*n], nest.lanes));
    LaneValue result = emitElementwise(code, op, operands, nest.lanes);
    if (isSumOrProduct(op) && steady.contains(op) && !result.isVector())
      result.wide = widely(op, operands);
    return result;
  }
  unsupported(op, "its result is needed where no buffer holds it");
}

LaneValue Evaluator::readRepeated(const Repeated &made, const Index &index) {
  Code code = state.code();
  LaneValue number = at(made.by, index);
  if (made.first)
    number = subLanes(code, number, LaneValue::uniform(made.first), nest.lanes);
  return readBuffer(made.buffer, {resizeLanes(code, number, code.i64())});
}

// All lanes have the quotient of the first one, and remainders go up from its own.
LaneValue Evaluator::divideChunk(Operation *op, ArrayRef<LaneValue> operands) {
  Code code = state.code();
  LaneValue first =
      emitElementwise(code, op, {LaneValue::uniform(operands[0].value), operands[1]}, nest.lanes);
  return isa<arith::DivSIOp, arith::DivUIOp>(op) ? first
                                                 : LaneValue::strided(first.value, operands[0].stride);
}

// The same in 64 bits, if one of the operands is there in 64 bits.
Value Evaluator::widely(Operation *op, ArrayRef<LaneValue> operands) {
  Code code = state.code();
  if (!operands[0].wide && !operands[1].wide)
    return {};
  Value a = wideOf(code, operands[0]), b = wideOf(code, operands[1]);
  if (!a || !b)
    return {};
  return isa<arith::AddIOp>(op) ? code.add(a, b) : isa<arith::SubIOp>(op) ? code.sub(a, b) : code.mul(a, b);
}

LaneValue Evaluator::bufferAddress(const Buffer &buffer, const Index &place) {
  Code code = state.code();
  unsigned lanes = nest.lanes;
  Index index = buffer.panel ? separateAll(code, place, buffer.shape, lanes) : place;
  auto scaled = [&](const LaneValue &v, int64_t factor) {
    return mulLanes(code, v, LaneValue::uniform(code.i64(factor)), lanes);
  };
  LaneValue position = LaneValue::uniform(code.i64(0));
  if (buffer.panel == 0) {
    int64_t stride = 1;
    for (size_t d = index.size(); d-- > 0;) {
      position = addLanes(code, position, scaled(index[d], stride), lanes);
      stride *= stride == 1 && buffer.pitch ? buffer.pitch : buffer.shape[d];
    }
  } else {
    // [batch..., K, N] as panels of [K, panel]; a chunk never crosses a panel.
    size_t rank = index.size();
    int64_t rows = buffer.shape[rank - 2], columns = buffer.shape[rank - 1], stride = rows * columns;
    LaneValue column = index[rank - 1];
    Value panel = code.make<arith::DivUIOp>(column.value, code.i64(buffer.panel));
    int64_t depth = buffer.pitch ? buffer.pitch : rows;
    position = scaled(LaneValue::uniform(panel), depth * buffer.panel - buffer.panel);
    position =
        addLanes(code, position, addLanes(code, column, scaled(index[rank - 2], buffer.panel), lanes), lanes);
    for (size_t d = rank - 2; d-- > 0;) {
      position = addLanes(code, position, scaled(index[d], stride), lanes);
      stride *= buffer.shape[d];
    }
  }
  LaneValue bytes = scaled(position, memoryBytes(buffer.element));
  return addLanes(code, LaneValue::uniform(state.beginOf(buffer)), bytes, lanes);
}

LaneValue Evaluator::readBuffer(const Buffer &buffer, const Index &index) {
  Code code = state.code();
  return loadLanes(code, bufferAddress(buffer, index), buffer.element, {}, nest.lanes);
}

void Evaluator::writeBuffer(const Buffer &buffer, const Index &index, const LaneValue &value) {
  Code code = state.code();
  storeLanes(code, bufferAddress(buffer, index), value, buffer.element, {}, nest.lanes);
}

} // namespace trisect::cpu
