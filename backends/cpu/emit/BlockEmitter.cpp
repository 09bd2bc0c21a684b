//===- BlockEmitter.cpp - from TTIR blocks to code, in program order ------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Waits.h"
#include "backends/cpu/plan/ReadOrder.h"
#include "core/ir/Refusals.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace trisect::cpu {

Value BlockEmitter::scalar(Value value) {
  groups.require(value);
  return state.scalar(value);
}

void BlockEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    state.loc = op.getLoc();
    emitOp(&op);
  }
  groups.flushAll();
}

void BlockEmitter::emitOp(Operation *op) {
  if (networks.covers(op)) {
    if (const SortNetwork *network = networks.endingAt(op))
      emitNetwork(*network);
    return groups.markDone(op);
  }
  if (isTurn(op))
    return emitTurned(cast<tt::TransOp>(op));
  if (emitCreation(op) || emitElementwiseOp(op) || emitMemory(op) || emitAtomic(op))
    return;
  if (auto dot = dyn_cast<tt::DotOp>(op))
    emitDot(dot);
  else if (auto dot = dyn_cast<tt::DotScaledOp>(op))
    emitDotScaled(dot);
  else if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    emitReduce(reduce);
  else if (auto scan = dyn_cast<tt::ScanOp>(op))
    emitScan(scan);
  else if (auto map = dyn_cast<tt::MapElementwiseOp>(op))
    emitMap(map);
  else if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    emitAssembly(assembly);
  else if (auto print = dyn_cast<tt::PrintOp>(op))
    emitPrint(print);
  else if (auto assertion = dyn_cast<tt::AssertOp>(op))
    emitAssert(assertion);
  else if (auto histogram = dyn_cast<tt::HistogramOp>(op))
    emitHistogram(histogram);
  else if (auto poll = dyn_cast<tt::AtomicPollOp>(op))
    emitPoll(poll);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    emitFor(loop);
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    emitIf(branch);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    emitWhile(loop);
  else
    unsupported(op, tt::refusalOf(op));
}

// Program ids, scalar constants, shape ops and hints.
bool BlockEmitter::emitCreation(Operation *op) {
  Code code = state.code();
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    state.scalars[id.getResult()] = state.programId[static_cast<int>(id.getAxis())];
    return true;
  }
  if (auto count = dyn_cast<tt::GetNumProgramsOp>(op)) {
    state.scalars[count.getResult()] = state.numPrograms[static_cast<int>(count.getAxis())];
    return true;
  }
  if (auto unsplat = dyn_cast<tt::UnsplatOp>(op)) {
    groups.require(unsplat.getSrc());
    Evaluator evaluator(state, 1);
    state.scalars[unsplat.getResult()] =
        evaluator.at(unsplat.getSrc(), zeroIndex(code, ttShape(unsplat.getSrc().getType()))).value;
    return true;
  }
  if (isShapeOp(op)) {
    if (isa<RankedTensorType>(op->getResult(0).getType()))
      return true;
    Type type = emittedType(op->getResult(0).getType());
    Value value = code.zero(type);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto real = dyn_cast<FloatAttr>(constant.getValue())) {
        uint64_t bits = real.getValue().bitcastToAPInt().getZExtValue();
        value =
            isa<FloatType>(type) ? code.realBits(type, bits) : code.integer(type, static_cast<int64_t>(bits));
      } else {
        value = code.integer(type, cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue());
      }
    }
    state.scalars[op->getResult(0)] = value;
    return true;
  }
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  return id && info(*id).cls == OpClass::Hint;
}

bool BlockEmitter::emitElementwiseOp(Operation *op) {
  if (!isElementwise(op))
    return false;
  Value result = op->getResult(0);
  if (isa<RankedTensorType>(result.getType())) {
    if (!groups.isCheap(result))
      groups.add(op);
    return true;
  }
  SmallVector<LaneValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(LaneValue::uniform(scalar(operand)));
  Code code = state.code();
  state.scalars[result] = emitElementwise(code, op, operands, 1).value;
  return true;
}

bool BlockEmitter::emitMemory(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  auto store = dyn_cast<tt::StoreOp>(op);
  if (!load && !store)
    return false;
  Value pointer = op->getOperand(0);
  if (tt::isBlockPointer(pointer.getType()))
    unsupported(op, "through a block pointer");
  if (isa<RankedTensorType>(pointer.getType())) {
    groups.add(op);
    return true;
  }
  Code code = state.code();
  groups.requireOrder(pointers.access(op, pointer, static_cast<bool>(store)));
  LaneValue address = LaneValue::uniform(scalar(pointer));
  Value mask = load ? load.getMask() : store.getMask();
  MemoryMask masked;
  if (mask)
    masked.condition = LaneValue::uniform(scalar(mask));
  if (load) {
    if (load.getOther())
      masked.other = LaneValue::uniform(scalar(load.getOther()));
    state.scalars[load.getResult()] = loadLanes(code, address, load.getType(), masked, 1).value;
  } else {
    LaneValue value = LaneValue::uniform(scalar(store.getValue()));
    markStore(state, address, value, store.getValue().getType(), masked.condition, 1);
    storeLanes(code, address, value, store.getValue().getType(), masked.condition, 1);
  }
  return true;
}

} // namespace trisect::cpu
