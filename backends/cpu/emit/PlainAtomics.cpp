//===- PlainAtomics.cpp - chunks of lanes, or one lane after the other ----------------------------------===//
#include "backends/cpu/emit/PlainAtomics.h"
#include "backends/cpu/emit/AtomicResult.h"
#include "backends/cpu/emit/Effects.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Widenings.h"
#include "backends/cpu/plan/Pointers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
class PlainUpdate {
public:
  PlainUpdate(KernelState &state, tt::AtomicRMWOp op, const OpSet &steady)
      : state(state), op(op), loops(state), kind(machineKind(op.getAtomicRmwOp())),
        element(ttElement(op.getVal().getType())) {
    loops.evaluator.steady = steady;
  }

  void run() {
    ArrayRef<int64_t> shape = ttShape(op.getPtr().getType());
    if (shape.empty())
      return atIndex({});
    auto lanes = static_cast<unsigned>(std::min<int64_t>(shape.back(), chunkLanes));
    loops.forEach(shape.drop_back(), [&](const Index &row) {
      loops.loop(0, shape.back(), lanes, [&](LaneValue here) {
        Index index = row;
        if (lanes > 1)
          here = {LaneValue::Kind::Strided, here.value, state.code().i64(1), here.level};
        index.push_back(here);
        loops.evaluator.nest.lanes = lanes;
        atIndex(index);
        loops.evaluator.nest.lanes = 1;
      });
    });
  }

private:
  void atIndex(const Index &index) {
    Code c = state.code();
    unsigned lanes = loops.evaluator.nest.lanes;
    LaneValue address = loops.evaluator.at(op.getPtr(), index),
              value = loops.evaluator.at(op.getVal(), index);
    LaneValue mask = maskAt(index);
    if (lanes == 1 || followsOn(address))
      return change(c, address, value, mask, lanes);
    Value addresses = toVector(c, address, lanes);
    Value first = c.lane(addresses, 0), bytes = c.i64(memoryBytes(element));
    Value steps = c.mul(c.iota(c.i64(), lanes), c.splat(bytes, lanes));
    Value beside = c.allTrue(c.cmp(arith::CmpIPredicate::eq, addresses, c.add(c.splat(first, lanes), steps)));
    auto choice = c.b.create<scf::IfOp>(c.loc, beside, /*withElseRegion=*/true);
    markPaths(choice, "neighbours change together", "one lane changes after the other");
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(choice.thenBlock());
    change(c, LaneValue::strided(first, bytes), value, mask, lanes);
    c.b.setInsertionPointToStart(choice.elseBlock());
    loops.evaluator.nest.lanes = 1;
    loops.loop(0, lanes, 1, [&](LaneValue lane) {
      Index one = index;
      Value place = state.code().add(index.back().value, lane.value);
      one.back() = {LaneValue::Kind::Uniform, place, {}, lane.level};
      change(state.code(), loops.evaluator.at(op.getPtr(), one), loops.evaluator.at(op.getVal(), one),
             maskAt(one), 1);
    });
    loops.evaluator.nest.lanes = lanes;
  }

  LaneValue maskAt(const Index &index) {
    if (!op.getMask())
      return {};
    LaneValue mask = loops.evaluator.at(op.getMask(), index);
    return mask.isUniform() && constantOf(mask.value).value_or(0) != 0 ? LaneValue() : mask;
  }

  bool followsOn(const LaneValue &address) const {
    return address.isStrided() && constantOf(address.stride) == int64_t(memoryBytes(element));
  }

  /// Lanes that follow one another from `address` on.
  void change(Code c, const LaneValue &address, const LaneValue &value, const LaneValue &mask,
              unsigned lanes) {
    if (mask.isUniform() && mask) {
      auto on = c.b.create<scf::IfOp>(c.loc, mask.value, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(on.thenBlock());
      return change(c, address, value, {}, lanes);
    }
    unsigned bytes = memoryBytes(element);
    Type word = vectorOf(c.b.getIntegerType(8 * bytes), lanes);
    Value place = c.pointer(address.value);
    Value on = mask ? toVector(c, mask, lanes) : Value(); // odd numbers, say, go from lane to lane
    Value old = on ? Value(c.b.create<LLVM::MaskedLoadOp>(c.loc, word, place, on, c.zero(word), bytes))
                   : Value(c.b.create<LLVM::LoadOp>(c.loc, word, place, bytes));
    Value fresh = freshBits(c, kind, old, toVector(c, value, lanes), element);
    markLasting(on ? c.b.create<LLVM::MaskedStoreOp>(c.loc, fresh, place, on, bytes)
                   : c.b.create<LLVM::StoreOp>(c.loc, fresh, place, bytes).getOperation());
  }

  KernelState &state;
  tt::AtomicRMWOp op;
  ElementLoops loops;
  std::optional<LLVM::AtomicBinOp> kind;
  Type element;
};

/// The argument of the kernel that leads to the memory, if the atomic may do without locks; else null.
BlockArgument plainArgument(const KernelState &state, tt::AtomicRMWOp op) {
  if (!op->use_empty() || state.waiting != 0 || op.getScope() == tt::MemScope::Sys)
    return {};
  return dyn_cast_or_null<BlockArgument>(Pointers(/*disjoint=*/false).root(op.getPtr()));
}
} // namespace

void emitUpdate(KernelState &state, tt::AtomicRMWOp op, llvm::function_ref<void()> locked) {
  BlockArgument argument = plainArgument(state, op);
  if (!argument)
    return locked();
  state.atomics = AtomicsUse::OftenPlain;
  if (!llvm::is_contained(state.plainArguments, argument.getArgNumber()))
    state.plainArguments.push_back(argument.getArgNumber());
  Group alone;
  alone.actions.push_back({Action::Kind::Store, op, {}, {}, {}});
  Widenings widenings = findWidenings(state, alone, chunkLanes);
  widenings.always.insert(widenings.ifHolds.begin(), widenings.ifHolds.end());
  Code c = state.code();
  Value may =
      c.cmp(arith::CmpIPredicate::ne, state.hookByte(offsetof(AssertHook, plainAtomics)), c.zero(c.i8()));
  if (widenings.holds)
    may = c.both(may, widenings.holds);
  auto choice = c.b.create<scf::IfOp>(c.loc, may, /*withElseRegion=*/true);
  markPaths(choice, "atomics without locks, since the launch is alone", "atomics among others");
  OpBuilder::InsertionGuard guard(c.b);
  c.b.setInsertionPointToStart(choice.thenBlock());
  PlainUpdate(state, op, widenings.always).run();
  c.b.setInsertionPointToStart(choice.elseBlock());
  locked();
}

} // namespace trisect::cpu
