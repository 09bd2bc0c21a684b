//===- Waits.cpp - code of loops that may wait for another program --------------------------------------===//
#include "backends/cpu/emit/Waits.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Locations.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr int64_t hookOffset = offsetof(AssertHook, wait);
constexpr int64_t word = sizeof(uint64_t);

Value scratchPointer(KernelState &state, int64_t offset) {
  Code c = state.code();
  return c.pointer(c.add(state.scratch, c.i64(offset)));
}

Value asWord(Code &code, Value value) {
  Value bits = code.bits(value, code.b.getIntegerType(value.getType().getIntOrFloatBitWidth()));
  return code.zext(bits, code.i64());
}

/// The bits of what lies in memory, lane by lane.
Value memoryBits(Code &code, Value value) {
  return code.bits(value, code.b.getIntegerType(elementOf(value.getType()).getIntOrFloatBitWidth()));
}
} // namespace

Wait beginWait(KernelState &state, Operation *loop, Operation *reads, size_t scalars, bool blocks) {
  Code c = state.code();
  Wait wait;
  wait.place = static_cast<int64_t>(state.waits.size());
  state.waits.push_back({tt::positionOf(reads->getLoc()), tt::positionOf(loop->getLoc()), blocks});
  wait.carried = state.arena.take((1 + static_cast<int64_t>(scalars)) * word);
  Value counter = scratchPointer(state, hookOffset + offsetof(WaitHook, comings));
  Value before = c.b.create<LLVM::LoadOp>(c.loc, c.i32(), counter);
  wait.coming = c.add(before, c.integer(c.i32(), 1));
  c.b.create<LLVM::StoreOp>(c.loc, wait.coming, counter);
  return wait;
}

void pause(KernelState &state, const Wait &wait, ValueRange scalars) {
  Code c = state.code();
  auto keep = [&](Value value, size_t at) {
    c.b.create<LLVM::StoreOp>(c.loc, asWord(c, value),
                              scratchPointer(state, wait.carried + static_cast<int64_t>(at) * word));
  };
  keep(wait.coming, 0);
  for (auto [n, value] : llvm::enumerate(scalars))
    keep(value, n + 1);
  auto pointer = LLVM::LLVMPointerType::get(c.b.getContext());
  Value hook = scratchPointer(state, hookOffset);
  Value function = c.b.create<LLVM::LoadOp>(c.loc, pointer, hook);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(c.b.getContext()),
                                          {pointer, c.i64(), pointer, c.i64()});
  c.b.create<LLVM::CallOp>(c.loc, type,
                           ValueRange{function, hook, c.i64(wait.place), scratchPointer(state, wait.carried),
                                      c.i64(1 + static_cast<int64_t>(scalars.size()))});
}

void markChanged(KernelState &state, Value condition) {
  if (state.waiting == 0)
    return;
  Code c = state.code();
  Value mark = scratchPointer(state, hookOffset + offsetof(WaitHook, changed));
  Value now = c.integer(c.i32(), 1);
  if (condition)
    now = c.either(c.b.create<LLVM::LoadOp>(c.loc, c.i32(), mark), c.zext(condition, c.i32()));
  c.b.create<LLVM::StoreOp>(c.loc, now, mark);
}

void markStore(KernelState &state, const LaneValue &address, const LaneValue &value, Type element,
               const LaneValue &mask, unsigned lanes) {
  if (state.waiting == 0)
    return;
  Code c = state.code();
  // A lane that is off finds what it would store.
  LaneValue before = loadLanes(c, address, element, {mask, mask ? value : LaneValue()}, lanes);
  bool one = before.isUniform() && value.isUniform();
  Value old = memoryBits(c, one ? before.value : toVector(c, before, lanes));
  Value fresh = memoryBits(c, one ? value.value : toVector(c, value, lanes));
  markChanged(state, c.negate(c.allTrue(c.cmp(arith::CmpIPredicate::eq, old, fresh))));
}

// tt.atomic_poll: a loop over all lanes until each has what it waits for, or the time is over.
void BlockEmitter::emitPoll(tt::AtomicPollOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  groups.flushAll();
  state.loc = op.getLoc();
  state.atomics = std::max(state.atomics, AtomicsUse::Locked);
  Code c = state.code();
  bool tensor = isa<RankedTensorType>(op.getType());
  Type element = ttElement(op.getExpected().getType());
  Type bits = c.b.getIntegerType(8 * memoryBytes(element));
  Wait wait = beginWait(state, op, op, 0, /*blocks=*/false);
  std::optional<Buffer> reached;
  if (tensor)
    reached = state.makeBuffer(ttElement(op.getType()), ttShape(op.getType()));
  Value met = scratchPointer(state, state.arena.take(1));
  auto now = [&] { return callRuntime(c, "clock", c.i64(), {}); };
  Value most = op.getTimeout() ? scalar(op.getTimeout()) : Value(), start = most ? now() : Value();

  auto loop = c.b.create<scf::WhileOp>(c.loc, TypeRange{c.i1()}, ValueRange());
  OpBuilder::InsertionGuard guard(c.b);
  c.b.createBlock(&loop.getBefore());
  c.b.create<LLVM::StoreOp>(c.loc, c.integer(c.i8(), 1), met);
  ElementLoops loops(state);
  loops.forEach(ttShape(op.getType()), [&](const Index &index) {
    Value address = loops.element(op.getPtr(), index), expected = loops.element(op.getExpected(), index);
    Value found = c.b.create<LLVM::LoadOp>(c.loc, bits, c.pointer(address), memoryBytes(element), false,
                                           false, false, LLVM::AtomicOrdering::seq_cst);
    Value here = c.cmp(arith::CmpIPredicate::eq, found, c.zext(memoryBits(c, expected), bits));
    Value all = c.b.create<LLVM::LoadOp>(c.loc, c.i8(), met);
    c.b.create<LLVM::StoreOp>(c.loc, c.both(all, c.zext(here, c.i8())), met);
    if (tensor)
      loops.evaluator.writeBuffer(*reached, index, LaneValue::uniform(here));
  });
  Value all = c.trunc(c.b.create<LLVM::LoadOp>(c.loc, c.i8(), met), c.i1());
  Value again = c.negate(all);
  if (most)
    again = c.both(again, c.cmp(arith::CmpIPredicate::slt, c.sub(now(), start), most));
  c.b.create<scf::ConditionOp>(c.loc, again, ValueRange{all});
  c.b.createBlock(&loop.getAfter(), {}, {c.i1()}, {c.loc});
  ++state.waiting;
  if (most) // time goes on without any program
    markChanged(state);
  pause(state, wait, {});
  --state.waiting;
  c.b.create<scf::YieldOp>(c.loc);
  if (tensor)
    state.buffers[op.getResult()] = *reached;
  else
    state.scalars[op.getResult()] = loop.getResult(0);
  groups.markDone(op);
}

} // namespace trisect::cpu
