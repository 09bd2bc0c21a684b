//===- Atomics.cpp - atomics, element by element --------------------------------------------------------===//
//
// What: read-modify-write, compare-and-swap, atomic load and store. Every order is strengthened to sequential
// consistency, every scope to the system. In a loop that may wait each tells whether it changed memory.
// Elements that lie side by side in an aligned word of 16 bytes change together, if nothing asks what they
// were: one locked instruction takes as long for the word as for one of them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/AtomicResult.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/PlainAtomics.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Waits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr auto ordering = LLVM::AtomicOrdering::seq_cst;

/// Exchanges `old` for `fresh` if memory still holds `old`; gives what it held.
Value compareExchange(Code &code, Value address, Value old, Value fresh) {
  auto exchange =
      code.b.create<LLVM::AtomicCmpXchgOp>(code.loc, code.pointer(address), old, fresh, ordering, ordering);
  return code.b.create<LLVM::ExtractValueOp>(code.loc, exchange, ArrayRef<int64_t>{0});
}

/// Repeats until no one else has written in between. Gives the old bits.
Value exchangeUntilAlone(Code &code, Value address, Value start, llvm::function_ref<Value(Value)> fresh) {
  OpBuilder &b = code.b;
  Type word = start.getType();
  auto loop = b.create<scf::WhileOp>(code.loc, TypeRange{word}, ValueRange{start});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {word}, {code.loc});
  Value old = before->getArgument(0);
  Value seen = compareExchange(code, address, old, fresh(old));
  b.create<scf::ConditionOp>(code.loc, code.cmp(arith::CmpIPredicate::ne, seen, old), seen);
  Block *after = b.createBlock(&loop.getAfter(), {}, {word}, {code.loc});
  b.create<scf::YieldOp>(code.loc, after->getArgument(0));
  return loop.getResult(0);
}

Value addFloat(Code &code, Value address, Value amount, Type element) {
  Type word = code.b.getIntegerType(element.getIntOrFloatBitWidth());
  Value start = code.b.create<LLVM::LoadOp>(code.loc, word, code.pointer(address), memoryBytes(element));
  return exchangeUntilAlone(code, address, start,
                            [&](Value old) { return freshBits(code, std::nullopt, old, amount, element); });
}

constexpr int64_t wordBytes = 16;

/// All elements of an aligned word.
void changeWord(Code &code, Value address, std::optional<LLVM::AtomicBinOp> kind, Value values,
                Type element) {
  Type word = code.b.getIntegerType(8 * wordBytes);
  Type bits = vectorOf(code.b.getIntegerType(8 * memoryBytes(element)), lanesOf(values.getType()));
  auto cast = [&](Type type, Value value) -> Value {
    return code.b.create<LLVM::BitcastOp>(code.loc, type, value);
  };
  Value start = code.b.create<LLVM::LoadOp>(code.loc, bits, code.pointer(address), wordBytes);
  exchangeUntilAlone(code, address, cast(word, start), [&](Value old) {
    return cast(word, freshBits(code, kind, cast(bits, old), values, element));
  });
}

/// How many elements of an atomic may change together; 1: each by itself.
unsigned neighboursOf(const KernelState &state, tt::AtomicRMWOp op) {
  ArrayRef<int64_t> shape = ttShape(op.getPtr().getType());
  if (!op->use_empty() || state.waiting || shape.empty())
    return 1;
  int64_t lanes = wordBytes / memoryBytes(ttElement(op.getVal().getType()));
  return lanes <= shape.back() ? static_cast<unsigned>(lanes) : 1;
}

/// Visits all elements, those of an aligned word at once where no mask is off; `each` has the others.
void overWords(KernelState &state, ElementLoops &loops, tt::AtomicRMWOp op, unsigned lanes,
               llvm::function_ref<void(const Index &)> each) {
  ArrayRef<int64_t> shape = ttShape(op.getPtr().getType());
  Type element = ttElement(op.getVal().getType());
  loops.forEach(shape.drop_back(), [&](const Index &row) {
    loops.loop(0, shape.back(), lanes, [&](LaneValue here) {
      Code c = state.code();
      Index index = row;
      index.push_back({LaneValue::Kind::Strided, here.value, c.i64(1), here.level});
      auto all = [&](Value value) { return toVector(c, loops.evaluator.at(value, index), lanes); };
      loops.evaluator.nest.lanes = lanes;
      Value addresses = all(op.getPtr()), values = all(op.getVal());
      Value first = c.lane(addresses, 0);
      Value beside = c.add(c.splat(first, lanes),
                           c.mul(c.iota(c.i64(), lanes), c.splat(c.i64(wordBytes / lanes), lanes)));
      Value may = c.allTrue(c.cmp(arith::CmpIPredicate::eq, addresses, beside));
      Value odd = c.both(first, c.i64(wordBytes - 1));
      may = c.both(may, c.cmp(arith::CmpIPredicate::eq, odd, c.i64(0)));
      if (op.getMask())
        may = c.both(may, c.allTrue(all(op.getMask())));
      loops.evaluator.nest.lanes = 1;
      auto choice = c.b.create<scf::IfOp>(c.loc, may, /*withElseRegion=*/true);
      markPaths(choice, "elements of a word change together", "each element changes by itself");
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(choice.thenBlock());
      changeWord(c, first, machineKind(op.getAtomicRmwOp()), values, element);
      c.b.setInsertionPointToStart(choice.elseBlock());
      loops.loop(0, lanes, 1, [&](LaneValue lane) {
        Index one = row;
        one.push_back({LaneValue::Kind::Uniform, state.code().add(here.value, lane.value), {}, lane.level});
        each(one);
      });
    });
  });
}
} // namespace

// Runs `each` for every element whose mask is on and keeps what it gives, integer bits, as the op's result;
// the other elements are zero.
void BlockEmitter::forEachActive(Operation *op, Value pointer, Value mask,
                                 llvm::function_ref<Value(ElementAccess)> each) {
  groups.flushAll();
  state.loc = op->getLoc();
  state.atomics = std::max(state.atomics, AtomicsUse::Locked);
  bool hasResult = op->getNumResults() == 1;
  Type element = hasResult ? ttElement(op->getResult(0).getType()) : Type();
  bool tensor = isa<RankedTensorType>(pointer.getType());
  std::optional<Buffer> kept;
  if (hasResult && tensor && !op->use_empty())
    kept = state.makeBuffer(element, ttShape(op->getResult(0).getType()));
  ElementLoops loops(state);
  auto visit = [&](const Index &index) {
    Code c = state.code();
    auto read = [&](Value value) { return loops.element(value, index); };
    auto run = [&]() -> Value {
      Value bits = each(read);
      return hasResult ? c.bits(bits, emittedType(element)) : Value();
    };
    Value result;
    if (!mask) {
      result = run();
    } else {
      SmallVector<Type> types;
      if (hasResult)
        types.push_back(emittedType(element));
      auto branch = c.b.create<scf::IfOp>(c.loc, types, read(mask), /*withElseRegion=*/hasResult);
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(branch.thenBlock());
      Value here = run();
      if (hasResult) {
        c.b.create<scf::YieldOp>(c.loc, here);
        c.b.setInsertionPointToStart(branch.elseBlock());
        c.b.create<scf::YieldOp>(c.loc, c.zero(types[0]));
        result = branch.getResult(0);
      }
    }
    if (kept)
      loops.evaluator.writeBuffer(*kept, index, LaneValue::uniform(result));
    else if (hasResult && !tensor)
      state.scalars[op->getResult(0)] = result;
  };
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  unsigned together = rmw ? neighboursOf(state, rmw) : 1;
  auto locked = [&] {
    if (together > 1)
      overWords(state, loops, rmw, together, visit);
    else
      loops.forEach(ttShape(pointer.getType()), visit);
  };
  if (rmw)
    emitUpdate(state, rmw, locked);
  else
    locked();
  if (kept)
    state.buffers[op->getResult(0)] = *kept;
  groups.markDone(op);
}

bool BlockEmitter::emitAtomic(Operation *op) {
  Code code = state.code();
  auto mark = [&](Value old, Value fresh) {
    if (state.waiting)
      markChanged(state, code.cmp(arith::CmpIPredicate::ne, old, fresh));
  };
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op)) {
    Type element = ttElement(rmw.getVal().getType());
    std::optional<LLVM::AtomicBinOp> kind = machineKind(rmw.getAtomicRmwOp());
    if (!kind && !isa<FloatType>(element))
      unsupported(op, "a float sum of integers");
    forEachActive(op, rmw.getPtr(), rmw.getMask(), [&](ElementAccess read) {
      Value address = read(rmw.getPtr()), value = read(rmw.getVal());
      Value old = kind ? Value(code.b.create<LLVM::AtomicRMWOp>(code.loc, *kind, code.pointer(address),
                                                                asInteger(code, value), ordering))
                       : addFloat(code, address, value, element);
      if (state.waiting)
        mark(old, freshBits(code, kind, old, value, element));
      return old;
    });
    return true;
  }
  if (auto cas = dyn_cast<tt::AtomicCASOp>(op)) {
    forEachActive(op, cas.getPtr(), {}, [&](ElementAccess read) {
      Value address = read(cas.getPtr()), expected = asInteger(code, read(cas.getCmp()));
      Value fresh = asInteger(code, read(cas.getVal()));
      Value old = compareExchange(code, address, expected, fresh);
      Value stored = code.cmp(arith::CmpIPredicate::eq, old, expected);
      mark(old, code.select(stored, fresh, old));
      return old;
    });
    return true;
  }
  if (auto load = dyn_cast<tt::AtomicLoadOp>(op)) {
    Type element = ttElement(load.getType());
    forEachActive(op, load.getPtr(), load.getMask(), [&](ElementAccess read) {
      Type word = code.b.getIntegerType(8 * memoryBytes(element));
      return Value(code.b.create<LLVM::LoadOp>(code.loc, word, code.pointer(read(load.getPtr())),
                                               memoryBytes(element), false, false, false, ordering));
    });
    return true;
  }
  if (auto store = dyn_cast<tt::AtomicStoreOp>(op)) {
    Type element = ttElement(store.getVal().getType());
    forEachActive(op, store.getPtr(), store.getMask(), [&](ElementAccess read) {
      Value address = read(store.getPtr()), bits = asInteger(code, read(store.getVal()));
      if (state.waiting)
        mark(code.b.create<LLVM::LoadOp>(code.loc, bits.getType(), code.pointer(address)), bits);
      code.b.create<LLVM::StoreOp>(code.loc, bits, code.pointer(address), memoryBytes(element), false, false,
                                   ordering);
      return Value();
    });
    return true;
  }
  return false;
}

} // namespace trisect::cpu
