//===- Scans.cpp - tt.scan ------------------------------------------------------------------------------===//
//
// What: scans in the order of tier 0, which depends on the shape alone: where 64 or more elements lie beside
// the axis step by step along it, for a chunk of lanes of another dimension at a time; else by doubling: pass
// d = 1, 2, 4 ... joins each element with the result d places before it. Elements go side by side along the
// last dimension. If that is the axis, the passes whose d is less than a chunk are made together, and the
// others three at a time; what is left works in place from the far end, so that what a pass reads is still
// that of the pass before.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <array>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr int64_t wide = 64; ///< elements beside the axis from which a scan goes step by step

class Scanner {
public:
  Scanner(KernelState &state, tt::ScanOp op, ArrayRef<Buffer> results)
      : state(state), op(op), results(results), loops(state), reverse(op.getReverse()) {
    shape = llvm::to_vector(ttShape(op->getOperand(0).getType()));
    axis = op.getAxis();
    length = shape[axis];
    doubles = tt::numElementsOf(op->getOperand(0).getType()) / length < wide;
    laneDim = doubles ? lastDimension() : laneDimension(shape, axis);
    bool along = laneDim == axis;
    if (!along || (doubles && isStraight(op->getRegion(0))))
      lanes = static_cast<unsigned>(std::min<int64_t>(shape[laneDim], chunkLanes));
    step = along ? lanes : 1;
    loops.evaluator.nest.lanes = lanes;
    position.assign(shape.size(), LaneValue::uniform(state.code().i64(0)));
  }

  void outer(size_t d) {
    if (d == shape.size())
      return doubles ? byDoubling() : stepByStep();
    if (d == axis)
      return outer(d + 1);
    loops.loop(0, shape[d], d == laneDim ? lanes : 1, [&](LaneValue here) {
      position[d] = d == laneDim ? chunkAt(here) : here;
      outer(d + 1);
    });
  }

private:
  size_t lastDimension() const {
    size_t last = axis;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != 1)
        last = d;
    return last;
  }

  LaneValue chunkAt(const LaneValue &start) {
    return lanes > 1 ? LaneValue{LaneValue::Kind::Strided, start.value, state.code().i64(1), start.level}
                     : start;
  }

  /// Along the axis, from `start` on.
  void moveTo(mlir::Value start) {
    LaneValue here = LaneValue::uniform(start);
    here.level = loops.evaluator.nest.loops.size();
    position[axis] = laneDim == axis ? chunkAt(here) : here;
  }

  Parts inputs() {
    Code c = state.code();
    Parts parts;
    for (Value operand : op->getOperands())
      parts.push_back(toVector(c, loops.evaluator.at(operand, position), lanes));
    return parts;
  }

  Parts kept() {
    Code c = state.code();
    Parts parts;
    for (const Buffer &buffer : results)
      parts.push_back(toVector(c, loops.evaluator.readBuffer(buffer, position), lanes));
    return parts;
  }

  void store(const Parts &parts) {
    for (auto [buffer, part] : llvm::zip(results, parts))
      loops.evaluator.writeBuffer(buffer, position, LaneValue::lanes(part));
  }

  void stepByStep() {
    Code c = state.code();
    position[axis] = LaneValue::uniform(c.i64(reverse ? length - 1 : 0));
    Parts first = inputs();
    store(first);
    if (length == 1)
      return;
    SmallVector<Value> initial(first.begin(), first.end());
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(1), c.i64(length), c.i64(1), initial);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    loops.evaluator.nest.loops.push_back(made);
    Value count = made.getInductionVar();
    moveTo(reverse ? c.sub(c.i64(length - 1), count) : count);
    Parts carried(made.getRegionIterArgs().begin(), made.getRegionIterArgs().end());
    Parts next = combine(state, op->getRegion(0), carried, inputs());
    store(next);
    c.b.create<scf::YieldOp>(c.loc, SmallVector<Value>(next.begin(), next.end()));
    loops.evaluator.nest.loops.pop_back();
  }

  void byDoubling() {
    if (step > 1)
      nearPasses();
    else
      loops.loop(0, length, 1, [&](LaneValue here) {
        moveTo(here.value);
        store(inputs());
      });
    int64_t passes = llvm::Log2_64(static_cast<uint64_t>(length / step));
    int64_t joined = fewSteps() ? passes / 3 * 3 : 0;
    if (joined)
      loops.loop(0, joined / 3, 1, [&](LaneValue number) {
        Code c = state.code();
        threePasses(c.make<arith::ShLIOp>(c.i64(step), c.mul(number.value, c.i64(3))));
      });
    if (passes == joined)
      return;
    loops.loop(joined, passes, 1, [&](LaneValue number) {
      Code c = state.code();
      farPass(c.make<arith::ShLIOp>(c.i64(step), number.value));
    });
  }

  /// Whether three passes in one go are worth their code.
  bool fewSteps() const {
    return step > 1 && results.size() == 1 && llvm::hasNItemsOrLess(op->getRegion(0).front(), 3);
  }

  /// Three passes, of `distance`, twice and four times as much: from the start, registers side by side that
  /// lie `distance` apart, eight after the other. What each pass needs of those before stays in registers.
  void threePasses(Value distance) {
    Code c = state.code();
    unsigned whole = lanes;
    auto bytes = static_cast<int64_t>(memoryBytes(results[0].element));
    lanes = static_cast<unsigned>(std::min<int64_t>(whole, state.machine.vectorBytes / bytes));
    loops.evaluator.nest.lanes = lanes;
    auto rows = c.b.create<scf::ForOp>(c.loc, c.i64(0), distance, c.i64(lanes));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(rows.getBody());
    loops.evaluator.nest.loops.push_back(rows);
    std::array<SmallVector<Value>, 3> before;
    Value first = rows.getInductionVar();
    eightRegisters(first, distance, before);
    SmallVector<Value> initial;
    for (const auto &level : before)
      llvm::append_range(initial, level);
    Value pitch = c.mul(distance, c.i64(8));
    auto made = c.b.create<scf::ForOp>(c.loc, c.add(first, pitch), c.i64(length), pitch, initial);
    c.b.setInsertionPointToStart(made.getBody());
    loops.evaluator.nest.loops.push_back(made);
    ValueRange carried = made.getRegionIterArgs();
    for (auto &level : before) {
      level.assign(carried.begin(), carried.begin() + level.size());
      carried = carried.drop_front(level.size());
    }
    eightRegisters(made.getInductionVar(), distance, before);
    initial.clear();
    for (const auto &level : before)
      llvm::append_range(initial, level);
    c.b.create<scf::YieldOp>(c.loc, initial);
    loops.evaluator.nest.loops.pop_back();
    loops.evaluator.nest.loops.pop_back();
    lanes = loops.evaluator.nest.lanes = whole;
  }

  /// `before`: for each pass what it needs of the registers before, the nearest last; none at the start,
  /// where what has none before it stays.
  void eightRegisters(Value first, Value distance, std::array<SmallVector<Value>, 3> &before) {
    Code c = state.code();
    for (unsigned i = 0; i < 8; ++i) {
      Value at = c.add(first, c.mul(distance, c.i64(i)));
      moveTo(reverse ? c.sub(c.i64(length - lanes), at) : at);
      Parts value = kept();
      for (auto [pass, known] : llvm::enumerate(before)) {
        size_t back = size_t(1) << pass, have = known.size();
        known.push_back(value.front());
        if (have >= back)
          value = combine(state, op->getRegion(0), {known[have - back]}, value);
      }
      store(value);
    }
    for (auto [pass, known] : llvm::enumerate(before))
      known.erase(known.begin(), known.end() - (size_t(1) << pass));
  }

  /// Every chunk with what lies whole chunks before it, from the far end.
  void farPass(Value distance) {
    Code c = state.code();
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.sub(c.i64(length), distance), c.i64(step));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    loops.evaluator.nest.loops.push_back(made);
    Value at = made.getInductionVar();
    if (!reverse)
      at = c.sub(c.i64(length - step), at);
    moveTo(reverse ? c.add(at, distance) : c.sub(at, distance));
    Parts before = kept();
    moveTo(at);
    store(combine(state, op->getRegion(0), before, kept()));
    loops.evaluator.nest.loops.pop_back();
  }

  /// The passes whose distance is less than a chunk, all in one go from the start: what a pass needs of the
  /// chunk before stays in registers.
  void nearPasses() {
    Code c = state.code();
    moveTo(c.i64(reverse ? length - step : 0));
    SmallVector<Value> before;
    Parts own = inputs();
    for (int64_t distance = 1; distance < step; distance *= 2) {
      llvm::append_range(before, own);
      Parts joined = combine(state, op->getRegion(0), moved(own, own, distance), own);
      own = firstKept(joined, own, distance);
    }
    store(own);
    if (length == step)
      return;
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(step), c.i64(length), c.i64(step), before);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(made.getBody());
    loops.evaluator.nest.loops.push_back(made);
    Value at = made.getInductionVar();
    moveTo(reverse ? c.sub(c.i64(length - step), at) : at);
    own = inputs();
    before.clear();
    ValueRange carried = made.getRegionIterArgs();
    for (int64_t distance = 1; distance < step; distance *= 2) {
      llvm::append_range(before, own);
      Parts previous(carried.take_front(own.size()));
      carried = carried.drop_front(own.size());
      own = combine(state, op->getRegion(0), moved(previous, own, distance), own);
    }
    store(own);
    c.b.create<scf::YieldOp>(c.loc, before);
    loops.evaluator.nest.loops.pop_back();
  }

  /// What lies `distance` before the elements of a chunk, in it or in the chunk before.
  Parts moved(const Parts &before, const Parts &own, int64_t distance) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < step; ++lane)
      order.push_back(reverse ? lane + distance : lane - distance + step);
    return shuffled(reverse ? own : before, reverse ? before : own, order);
  }

  /// The first elements of all have none before them, and stay.
  Parts firstKept(const Parts &joined, const Parts &own, int64_t distance) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < step; ++lane)
      order.push_back((reverse ? step - 1 - lane : lane) < distance ? lane + step : lane);
    return shuffled(joined, own, order);
  }

  Parts shuffled(const Parts &first, const Parts &second, ArrayRef<int64_t> order) {
    Code c = state.code();
    Parts parts;
    for (auto [a, b] : llvm::zip(first, second))
      parts.push_back(c.b.create<vector::ShuffleOp>(c.loc, a, b, order));
    return parts;
  }

  KernelState &state;
  tt::ScanOp op;
  ArrayRef<Buffer> results;
  ElementLoops loops;
  bool reverse, doubles = false;
  SmallVector<int64_t> shape;
  size_t axis, laneDim;
  int64_t length, step; ///< of a chunk, along the axis
  unsigned lanes = 1;
  Index position;
};
} // namespace

// The values of other blocks that a combine region reads must be there before its loops.
void BlockEmitter::requireRegionInputs(Region &region) {
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        groups.require(operand);
  });
}

void BlockEmitter::emitScan(tt::ScanOp op) {
  for (Value operand : op->getOperands())
    groups.require(operand);
  requireRegionInputs(op->getRegion(0));
  SmallVector<Buffer> results;
  for (Value result : op->getResults())
    results.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
  state.loc = op.getLoc();
  Scanner(state, op, results).outer(0);
  for (auto [result, buffer] : llvm::zip(op->getResults(), results))
    state.buffers[result] = buffer;
  groups.markDone(op);
}

} // namespace trisect::cpu
