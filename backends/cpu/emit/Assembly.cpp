//===- Assembly.cpp - tt.elementwise_inline_asm ---------------------------------------------------------===//
//
// What: for each group of packed elements loads what the text loads, runs its value instructions
// (AsmEmitter.h) and stores what it stores. Packed elements of an operand fill registers from their low bytes
// on.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/AsmEmitter.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Waits.h"
#include "core/ptx/AsmAccess.h"
#include "core/ptx/AsmRegisters.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
Value bitsOf(Code &code, Value value) {
  Value bits = code.bits(value, code.b.getIntegerType(elementOf(value.getType()).getIntOrFloatBitWidth()));
  return bits.getType().isInteger(1) ? code.zext(bits, code.i8()) : bits;
}

Value fromBits(Code &code, Value bits, Type element) {
  Type type = emittedType(element);
  Value word = code.trunc(bits, code.b.getIntegerType(type.getIntOrFloatBitWidth()));
  return code.bits(word, type);
}

/// Cuts the elements of all operands into registers of some bytes each.
class Registers {
public:
  Registers(Code code, ArrayRef<unsigned> bytes) : code(code), bytes(bytes) {}

  // Elements of one operand; the register that they begin is theirs alone.
  void put(ArrayRef<Value> elements, llvm::function_ref<void(size_t, Value)> set) {
    unsigned size = bitsOf(code, elements.front()).getType().getIntOrFloatBitWidth() / 8;
    Value all = code.i64(0);
    unsigned filled = 0;
    for (Value element : elements) {
      if (next == bytes.size())
        return;
      all = code.either(all, code.shl(code.zext(bitsOf(code, element), code.i64()), 8 * filled));
      filled += size;
      if (filled >= bytes[next]) {
        set(next++, all);
        all = code.i64(0);
        filled = 0;
      }
    }
    if (filled && next < bytes.size())
      set(next++, all);
  }

  SmallVector<Value> take(size_t count, Type element, llvm::function_ref<Value(size_t)> get) {
    unsigned size = memoryBytes(element), used = 0;
    SmallVector<Value> elements;
    while (elements.size() < count) {
      Value bits =
          next < bytes.size() ? code.make<arith::ShRUIOp>(get(next), code.i64(8 * used)) : code.i64(0);
      elements.push_back(fromBits(code, bits, element));
      used += size;
      if (next < bytes.size() && used >= bytes[next]) {
        ++next;
        used = 0;
      }
    }
    if (used && next < bytes.size())
      ++next;
    return elements;
  }

private:
  Code code;
  ArrayRef<unsigned> bytes;
  size_t next = 0;
};

[[noreturn]] void refuse(tt::ElementwiseInlineAsmOp op, const std::string &problem) {
  unsupported(op, "inline assembly: " + problem);
}

/// The text taken apart; refuses what is not known.
AsmParts partsOf(tt::ElementwiseInlineAsmOp op) {
  std::string problem;
  auto view = [](llvm::StringRef text) { return std::string_view(text.data(), text.size()); };
  auto parsed = parseAsm(view(op.getAsmString()), view(op.getConstraints()), problem);
  AsmParts parts;
  if (parsed)
    parts = splitAccesses(*parsed, problem);
  if (problem.empty() && op.getPackedElement() != 1 && !(parts.loads.empty() && parts.stores.empty()))
    problem = "memory access with packed elements";
  auto sizesOf = [](TypeRange types) {
    SmallVector<unsigned> sizes;
    for (Type type : types)
      sizes.push_back(memoryBytes(ttElement(type)));
    return sizes;
  };
  if (problem.empty())
    problem = registerCountProblem(*parsed, op.getPackedElement(), sizesOf(op->getOperandTypes()),
                                   sizesOf(op->getResultTypes()));
  if (!problem.empty())
    refuse(op, problem);
  return parts;
}
} // namespace

void BlockEmitter::emitAssembly(tt::ElementwiseInlineAsmOp op) {
  AsmParts parts = partsOf(op);
  int64_t pack = op.getPackedElement();
  for (Value operand : op->getOperands())
    groups.require(operand);
  groups.flushAll();
  state.loc = op.getLoc();

  if (parts.values->readsClock)
    markChanged(state);
  Value like = op->getNumResults() ? Value(op->getResult(0)) : op->getOperand(0);
  ArrayRef<int64_t> shape = ttShape(like.getType());
  bool scalarResults = !isa<RankedTensorType>(like.getType());
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  SmallVector<Buffer> results;
  for (Value result : op->getResults())
    if (!scalarResults)
      results.push_back(state.makeBuffer(ttElement(result.getType()), shape));

  ElementLoops loops(state);
  auto body = [&](LaneValue group) {
    Code c = state.code();
    int64_t count = std::min(pack, elements);
    SmallVector<Index> places;
    for (int64_t n = 0; n < count; ++n) {
      LaneValue position = LaneValue::uniform(c.add(c.mul(group.value, c.i64(pack)), c.i64(n)));
      position.level = group.level;
      places.push_back(indexAt(c, position, shape, 1));
    }
    AsmEmitter machine(c, *parts.values);
    Registers inputs(c, parts.values->inputBytes);
    auto set = [&](size_t n, Value bits) { machine.set(parts.values->inputRegisters[n], bits); };
    auto address = [&](const AsmAccess &access) {
      if (access.pointer >= op->getNumOperands() ||
          !isa<tt::PtrType>(ttElement(op->getOperand(access.pointer).getType())))
        refuse(op, "an address that is no pointer");
      return LaneValue::uniform(loops.element(op->getOperand(access.pointer), places.front()));
    };
    for (Value operand : op->getOperands()) {
      SmallVector<Value> packed;
      for (const Index &place : places)
        packed.push_back(loops.element(operand, place));
      inputs.put(packed, set);
    }
    for (const AsmAccess &access : parts.loads)
      inputs.put({loadLanes(c, address(access), c.b.getIntegerType(8 * access.bytes), {}, 1).value}, set);
    if (std::string problem = machine.run(); !problem.empty())
      refuse(op, problem);
    Registers outputs(c, parts.values->outputBytes);
    auto get = [&](size_t n) { return machine.get(parts.values->outputRegisters[n]); };
    for (auto [n, result] : llvm::enumerate(op->getResults())) {
      SmallVector<Value> made = outputs.take(places.size(), ttElement(result.getType()), get);
      if (scalarResults)
        state.scalars[result] = made.front();
      else
        for (auto [place, value] : llvm::zip(places, made))
          loops.evaluator.writeBuffer(results[n], place, LaneValue::uniform(value));
    }
    for (const AsmAccess &access : parts.stores) {
      Type word = c.b.getIntegerType(8 * access.bytes);
      LaneValue to = address(access), stored = LaneValue::uniform(outputs.take(1, word, get).front());
      markStore(state, to, stored, word, {}, 1);
      storeLanes(c, to, stored, word, {}, 1);
    }
  };
  if (scalarResults)
    body(LaneValue::uniform(state.code().i64(0)));
  else
    loops.loop(0, (elements + pack - 1) / pack, 1, body);
  for (auto [result, buffer] : llvm::zip(op->getResults(), results))
    state.buffers[result] = buffer;
  groups.markDone(op);
}

} // namespace trisect::cpu
