//===- AxisReduction.cpp - reductions -------------------------------------------------------------------===//
//
// What: a reduction over the last axis joins the group of its input. One over another axis has 64
// accumulators for a chunk of result lanes: row i joins accumulator i mod 64, then they are folded in halves,
// as in tier 0. Eight of them are in registers at a time, those that the first halves join; what becomes of
// them goes to scratch memory, and is folded last. The loop over chunks of lanes stands inside of the one
// over these eight, a strip of lanes at a time: each row is read on from chunk to chunk, as the machine
// fetches ahead, where going down the rows of one chunk would ask for lines that often share a set of the
// cache. A region that is called lane by lane has all accumulators in scratch memory. Loads and arithmetic
// that nothing else needs are made where the reduction takes them in: a block that is first stored as a whole
// costs twice the time.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Loads.h"
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Versions.h"
#include "backends/cpu/plan/Slope.h"
#include "backends/cpu/plan/Upcoming.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

void BlockEmitter::emitReduce(tt::ReduceOp op) {
  ArrayRef<int64_t> shape = ttShape(op->getOperand(0).getType());
  auto isOne = [](int64_t extent) { return extent == 1; };
  if (shape[op.getAxis()] != 1 && llvm::all_of(shape.drop_front(op.getAxis() + 1), isOne))
    groups.add(op);
  else
    emitAxisReduce(op);
}

namespace {
/// Accumulators in registers.
constexpr int64_t mostTogether = 8;
/// Bytes of a row that are read before the next row is.
constexpr int64_t stripBytes = 1024;

class AxisReducer {
public:
  AxisReducer(KernelState &state, tt::ReduceOp op) : state(state), op(op), loops(state) {
    shape = llvm::to_vector(ttShape(op->getOperand(0).getType()));
    axis = op.getAxis();
    before = runOf(0, axis);
    after = runOf(axis + 1, shape.size());
    lanes = static_cast<unsigned>(std::min<int64_t>(laneRun().extent, chunkLanes));
    loops.evaluator.nest.lanes = lanes;
    rows = std::min<int64_t>(shape[axis], chunkLanes * reduceChunks);
    groups = isStraight(op->getRegion(0)) ? std::max<int64_t>(1, rows / mostTogether) : rows;
    strip = stripOf(laneRun().extent);
    for (Value operand : op->getOperands())
      if (groups > 1)
        accumulators.push_back(state.makeBuffer(ttElement(operand.getType()), {groups, strip}));
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()))
        results.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
  }

  /// What makes the operands, in order, and how.
  void readFrom(const Group &group, bool allOn, const OpSet &steady, ArrayRef<tt::LoadOp> upcoming) {
    made = &group;
    allLanes = allOn;
    asked = allOn ? upcoming : ArrayRef<tt::LoadOp>();
    loops.evaluator.steady = steady;
  }

  /// Loads of which the same place in the next round is asked for (plan/Upcoming.h).
  SmallVector<tt::LoadOp, 1> upcomingOf(const Group &group) {
    SmallVector<tt::LoadOp, 1> found;
    for (const Action &action : group.actions)
      if (auto load = dyn_cast<tt::LoadOp>(action.op))
        if (state.rowsRead.insert(load).second && &laneRun() == &after && groups > 1 && shape[axis] == rows &&
            rows / groups > 1 && slopeAlong(load.getPtr(), after.last) == 1 &&
            before.extent * shape[axis] * after.extent * memoryBytes(ttElement(load.getType())) <=
                largestBlock &&
            movesOf(load) == Moves::WithRounds)
          found.push_back(load);
    if (!found.empty())
      state.plan += "the next block of rows is asked for\n";
    return found;
  }

  void run() {
    position.assign(shape.size(), LaneValue::uniform(state.code().i64(0)));
    if (&laneRun() == &after)
      over(before, [&] { strips(); });
    else
      strips();
    for (auto [value, buffer] : llvm::zip(op->getResults(), results))
      state.buffers[value] = buffer;
  }

private:
  /// Dimensions that one loop goes through.
  struct Part {
    size_t last = 0; ///< the last of them that is longer than one
    int64_t extent = 1;
    bool several = false;
  };

  Part runOf(size_t first, size_t end) const {
    Part run;
    for (size_t d = first; d < end; ++d) {
      if (shape[d] == 1)
        continue;
      run = {d, run.extent * shape[d], run.extent > 1};
    }
    return run;
  }

  /// Elements go side by side along the dimensions after the axis, or before it if there are none.
  const Part &laneRun() const { return after.extent > 1 ? after : before; }

  void over(const Part &run, llvm::function_ref<void()> body) {
    if (run.extent == 1)
      return body();
    loops.loop(0, run.extent, 1, [&](LaneValue here) {
      here.span = run.several ? run.extent : 0;
      position[run.last] = here;
      body();
    });
  }

  int64_t stripOf(int64_t extent) const {
    if (groups == 1)
      return extent;
    int64_t widest = 1;
    for (Value operand : op->getOperands())
      widest = std::max<int64_t>(widest, memoryBytes(ttElement(operand.getType())));
    return std::min(extent, std::max<int64_t>(lanes, stripBytes / widest));
  }

  // All lanes, a strip at a time.
  void strips() {
    loops.loop(0, laneRun().extent, strip, [&](LaneValue begin) {
      stripBegin = begin;
      fold();
    });
  }

  // The chunks of a strip; `body` is given where a chunk begins in it.
  void overStrip(llvm::function_ref<void(LaneValue)> body) {
    const Part &run = laneRun();
    loops.loop(0, strip, lanes, [&](LaneValue chunk) {
      Code c = state.code();
      LaneValue here = chunk;
      if (strip != run.extent)
        here.value = c.add(stripBegin.value, chunk.value);
      if (lanes > 1)
        here = LaneValue::strided(here.value, c.i64(1));
      here.level = strip == lanes ? stripBegin.level : chunk.level;
      here.span = run.several ? run.extent : 0;
      if (run.extent > 1)
        position[run.last] = here;
      body(chunk);
    });
  }

  Parts inputs(const LaneValue &row) {
    Code c = state.code();
    position[axis] = row;
    if (made)
      for (const Action &action : made->actions)
        if (auto load = dyn_cast<tt::LoadOp>(action.op))
          emitLoad(state, loops.evaluator, load, position, allLanes);
    Parts parts;
    for (Value operand : op->getOperands())
      parts.push_back(toVector(c, loops.evaluator.at(operand, position), lanes));
    return parts;
  }

  Index accumulatorIndex(const LaneValue &row, LaneValue chunk) {
    if (lanes > 1)
      chunk = {LaneValue::Kind::Strided, chunk.value, state.code().i64(1), chunk.level};
    return {row, chunk};
  }

  Parts readAccumulators(const LaneValue &row, const LaneValue &chunk) {
    Code c = state.code();
    Parts parts;
    for (const Buffer &buffer : accumulators)
      parts.push_back(toVector(c, loops.evaluator.readBuffer(buffer, accumulatorIndex(row, chunk)), lanes));
    return parts;
  }

  void writeAccumulators(const LaneValue &row, const LaneValue &chunk, const Parts &parts) {
    for (auto [buffer, part] : llvm::zip(accumulators, parts))
      loops.evaluator.writeBuffer(buffer, accumulatorIndex(row, chunk), LaneValue::lanes(part));
  }

  // `first`, `first` + groups, `first` + 2 * groups ... of the rows that begin accumulators.
  SmallVector<LaneValue> rowsFrom(const LaneValue &first) {
    SmallVector<LaneValue> all;
    for (int64_t t = 0; t < rows / groups; ++t) {
      Code c = state.code();
      LaneValue row = LaneValue::uniform(c.add(first.value, c.i64(t * groups)));
      row.level = first.level;
      all.push_back(row);
    }
    return all;
  }

  // A strip of these rows, which lie `groups` apart, in the next block. It is one question for all of them:
  // one in the loop over the strip would cost what is in the caches a tenth.
  void askForUpcoming(tt::LoadOp load, ArrayRef<LaneValue> all) {
    Code c = state.code();
    int64_t bytes = memoryBytes(ttElement(load.getType()));
    position[after.last] = stripBegin;
    auto places = llvm::map_to_vector(all, [&](const LaneValue &row) {
      position[axis] = row;
      return loops.evaluator.at(load.getPtr(), position);
    });
    Value apart = c.sub(places[1].value, places[0].value);
    Value far = c.cmp(arith::CmpIPredicate::sge, apart, c.i64(closestRows * groups));
    auto choice = c.b.create<scf::IfOp>(c.loc, far, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(choice.thenBlock());
    Value next = c.mul(apart, c.i64(shape[axis] / groups));
    loops.loop(0, strip * bytes, lineBytes, [&](LaneValue line) {
      for (const LaneValue &each : places)
        c.prefetch(c.add(c.add(each.value, next), line.value), 2);
    });
  }

  SmallVector<Parts> inputsOf(ArrayRef<LaneValue> all) {
    return llvm::map_to_vector(all, [&](const LaneValue &row) { return inputs(row); });
  }

  // The accumulators that begin with `firsts`, over all rows and joined into one.
  Parts joined(ArrayRef<LaneValue> firsts) {
    SmallVector<Parts> all = inputsOf(firsts);
    if (shape[axis] > rows) {
      Code c = state.code();
      SmallVector<Value> initial = flattened(all);
      auto made = c.b.create<scf::ForOp>(c.loc, c.i64(rows), c.i64(shape[axis]), c.i64(rows), initial);
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(made.getBody());
      loops.evaluator.nest.loops.push_back(made);
      takeFrom(made.getRegionIterArgs(), all);
      LaneValue start = LaneValue::uniform(c.add(made.getInductionVar(), firsts.front().value));
      start.level = loops.evaluator.nest.loops.size();
      SmallVector<Parts> more = inputsOf(rowsFrom(start));
      for (auto [sum, each] : llvm::zip(all, more))
        sum = combine(state, op->getRegion(0), sum, each, positionsAlongAxis(op));
      c.b.create<scf::YieldOp>(c.loc, flattened(all));
      loops.evaluator.nest.loops.pop_back();
      takeFrom(made.getResults(), all);
    }
    return joinInHalves(state, op->getRegion(0), all);
  }

  static SmallVector<Value> flattened(ArrayRef<Parts> all) {
    SmallVector<Value> values;
    for (const Parts &parts : all)
      llvm::append_range(values, parts);
    return values;
  }

  static void takeFrom(ValueRange values, MutableArrayRef<Parts> all) {
    for (Parts &parts : all)
      for (Value &part : parts) {
        part = values.front();
        values = values.drop_front();
      }
  }

  // The accumulators of a chunk in scratch memory, joined.
  Parts total(const LaneValue &chunk) {
    Region &region = op->getRegion(0);
    if (groups <= mostTogether) {
      SmallVector<Parts> all;
      for (int64_t row = 0; row < groups; ++row)
        all.push_back(readAccumulators(LaneValue::uniform(state.code().i64(row)), chunk));
      return joinInHalves(state, region, all);
    }
    for (int64_t half = groups / 2; half > 0; half /= 2)
      loops.loop(0, half, 1, [&](LaneValue row) {
        Code c = state.code();
        LaneValue other = LaneValue::uniform(c.add(row.value, c.i64(half)));
        Parts left = readAccumulators(row, chunk), right = readAccumulators(other, chunk);
        writeAccumulators(row, chunk, combine(state, region, left, right));
      });
    return readAccumulators(LaneValue::uniform(state.code().i64(0)), chunk);
  }

  // The strip at hand.
  void fold() {
    if (groups == 1) {
      SmallVector<LaneValue> firsts = rowsFrom(LaneValue::uniform(state.code().i64(0)));
      return overStrip([&](const LaneValue &) { write(joined(firsts)); });
    }
    loops.loop(0, groups, 1, [&](LaneValue row) {
      SmallVector<LaneValue> firsts = rowsFrom(row);
      for (tt::LoadOp load : asked)
        askForUpcoming(load, firsts);
      overStrip([&](LaneValue chunk) { writeAccumulators(row, chunk, joined(firsts)); });
    });
    overStrip([&](LaneValue chunk) { write(total(chunk)); });
  }

  void write(const Parts &result) {
    Index target = position;
    target.erase(target.begin() + axis);
    for (auto [i, value] : llvm::enumerate(op->getResults())) {
      if (results.empty())
        state.scalars[value] = result[i];
      else
        loops.evaluator.writeBuffer(results[i], target, LaneValue::lanes(result[i]));
    }
  }

  KernelState &state;
  tt::ReduceOp op;
  ElementLoops loops;
  SmallVector<int64_t> shape;
  size_t axis;
  Part before, after;
  unsigned lanes;
  int64_t rows, groups; ///< accumulators, and how many of them are in scratch memory
  int64_t strip;        ///< lanes whose accumulators are in scratch memory at a time
  LaneValue stripBegin;
  SmallVector<Buffer> accumulators, results;
  Index position;
  const Group *made = nullptr;
  bool allLanes = false;
  ArrayRef<tt::LoadOp> asked;
};
} // namespace

void BlockEmitter::emitAxisReduce(tt::ReduceOp op) {
  // A result that is no block is a value of the function, which one of several versions cannot leave.
  bool isBlock = isa<RankedTensorType>(op->getResult(0).getType());
  std::optional<Group> inputs = isBlock ? groups.takeInputs(op) : std::nullopt;
  for (Value operand : op->getOperands())
    if (!inputs || !inputs->members.contains(operand.getDefiningOp()))
      groups.require(operand);
  requireRegionInputs(op->getRegion(0));
  AxisReducer reducer(state, op);
  SmallVector<tt::LoadOp, 1> upcoming = inputs ? reducer.upcomingOf(*inputs) : SmallVector<tt::LoadOp, 1>();
  if (!inputs)
    reducer.run();
  else
    emitVersions(state, *inputs, [&](bool allOn, const OpSet &steady) {
      AxisReducer version = reducer;
      version.readFrom(*inputs, allOn, steady, upcoming);
      version.run();
    });
  groups.markDone(op);
}

} // namespace trisect::cpu
