//===- Repeated.cpp - values of a row that come again, made once ----------------------------------------===//
#include "backends/cpu/emit/Repeated.h"
#include "backends/cpu/emit/Loads.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

// Numbers of a remainder follow each other over the lanes; one of a quotient is that of whole chunks.
void makeValues(KernelState &state, Evaluator &evaluator, const Repeats &repeats) {
  Code c = state.code();
  bool remainder = isa<arith::RemSIOp>(repeats.by);
  Value by = repeats.by->getResult(0), first;
  ArrayRef<int64_t> shape = ttShape(by.getType());
  unsigned lanes = remainder ? evaluator.nest.lanes : 1;
  if (!remainder)
    first = Evaluator(state, 1).at(by, zeroIndex(c, shape)).value;
  auto loop = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(repeats.numbers), c.i64(lanes));
  OpBuilder::InsertionGuard guard(c.b);
  c.b.setInsertionPointToStart(loop.getBody());
  Evaluator inside(state, lanes);
  inside.steady = evaluator.steady;
  inside.nest.loops.push_back(loop);
  LaneValue here = LaneValue::uniform(loop.getInductionVar());
  if (lanes > 1)
    here = LaneValue::strided(here.value, c.i64(1));
  here.level = 1;
  Index index = zeroIndex(c, shape);
  index[llvm::find_if(shape, [](int64_t extent) { return extent != 1; }) - shape.begin()] = here;
  LaneValue number = resizeLanes(c, here, emittedType(ttElement(by.getType())));
  if (first)
    number = addLanes(c, number, LaneValue::uniform(first), lanes);
  number.level = 1;
  inside.remember(by, index, number);
  for (tt::LoadOp load : repeats.loads)
    emitLoad(state, inside, load, index, /*allOn=*/true);
  for (Value value : repeats.values) {
    Repeated &made = evaluator.repeated[value];
    inside.writeBuffer(made.buffer, {here}, inside.at(value, index));
    made.first = first;
  }
}

} // namespace

void makeRepeated(KernelState &state, Evaluator &evaluator, ArrayRef<Repeats> repeats) {
  for (const Repeats &each : repeats) {
    if (!evaluator.steady.contains(each.by))
      continue;
    for (Value value : each.values)
      evaluator.repeated[value] = {
          each.by->getResult(0), state.makeBuffer(ttElement(value.getType()), {each.numbers}), {}};
    makeValues(state, evaluator, each);
  }
}

} // namespace trisect::cpu
