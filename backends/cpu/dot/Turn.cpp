//===- Turn.cpp - squares of a transposition ------------------------------------------------------------===//
#include "backends/cpu/dot/Turn.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Of a square: more do not stay in registers.
constexpr int64_t mostRows = 16;

/// Bytes that instructions interleave without crossing to others: every processor does that in one step,
/// where it takes two or more to mix elements of a whole wide register.
constexpr int64_t laneBytes = 16;

// The elements of two rows by turns, from the first or from the second half of each lane.
Value interleaved(Code &c, Value a, Value b, int64_t lane, bool upper) {
  SmallVector<int64_t> order;
  auto size = static_cast<int64_t>(lanesOf(a.getType()));
  for (int64_t i = 0; i < size; ++i) {
    int64_t inside = i % lane, from = i - inside + (upper ? lane / 2 : 0) + inside / 2;
    order.push_back(inside % 2 == 0 ? from : size + from);
  }
  return c.b.create<vector::ShuffleOp>(c.loc, a, b, order);
}

// Every second lane of two rows.
Value everySecond(Code &c, Value a, Value b, int64_t lane, bool odd) {
  SmallVector<int64_t> order;
  auto size = static_cast<int64_t>(lanesOf(a.getType()));
  for (int64_t i = 0; i < size; ++i) {
    int64_t place = i / lane * 2 + (odd ? 1 : 0); // of the lanes of both rows
    order.push_back(place * lane + i % lane);
  }
  return c.b.create<vector::ShuffleOp>(c.loc, a, b, order);
}

// First what lies in one lane, among as many rows as it has elements, then whole lanes: rows that are half of
// all apart take turns until each has seen all others.
void turnSquare(Code &c, SmallVectorImpl<Value> &rows, int64_t bytes) {
  auto size = static_cast<int64_t>(rows.size());
  int64_t lane = std::min(laneBytes / bytes, size);
  for (int64_t step = lane; step > 1; step /= 2) {
    SmallVector<Value> next(size);
    for (int64_t group = 0; group < size; group += lane)
      for (int64_t k = 0; k < lane / 2; ++k)
        for (bool upper : {false, true})
          next[group + 2 * k + upper] =
              interleaved(c, rows[group + k], rows[group + k + lane / 2], lane, upper);
    rows.assign(next);
  }
  // Rows k, lane + k, 2 lane + k ... are a square of lanes.
  for (int64_t apart = 1; apart * lane < size; apart *= 2) {
    SmallVector<Value> next(size);
    int64_t groups = size / lane;
    for (int64_t k = 0; k < lane; ++k)
      for (int64_t pair = 0; pair < groups / 2; ++pair)
        for (bool odd : {false, true})
          next[(pair + (odd ? groups / 2 : 0)) * lane + k] =
              everySecond(c, rows[2 * pair * lane + k], rows[(2 * pair + 1) * lane + k], lane, odd);
    rows.assign(next);
  }
}
} // namespace

void emitTurn(KernelState &state, const Buffer &from, const Buffer &to) {
  ArrayRef<int64_t> shape = from.shape;
  size_t rank = shape.size();
  int64_t rows = shape[rank - 2], columns = shape[rank - 1];
  int64_t most = std::min<int64_t>(state.machine.vectorBytes / memoryBytes(from.element), mostRows);
  auto lanes = static_cast<unsigned>(std::min({most, rows, columns}));
  ElementLoops loops(state);
  loops.evaluator.nest.lanes = lanes;
  auto along = [&](const LaneValue &first) {
    return lanes == 1 ? first
                      : LaneValue{LaneValue::Kind::Strided, first.value, state.code().i64(1), first.level};
  };
  auto further = [&](const LaneValue &first, int64_t count) {
    return LaneValue{
        LaneValue::Kind::Uniform, state.code().add(first.value, state.code().i64(count)), {}, first.level};
  };
  loops.forEach(shape.drop_back(2), [&](const Index &batch) {
    loops.loop(0, rows, lanes, [&](LaneValue row) {
      loops.loop(0, columns, lanes, [&](LaneValue column) {
        Code c = state.code();
        SmallVector<Value> square;
        auto index = [&](const LaneValue &i, const LaneValue &j) {
          Index place = batch;
          place.push_back(i);
          place.push_back(j);
          return place;
        };
        for (unsigned i = 0; i < lanes; ++i)
          square.push_back(
              toVector(c, loops.evaluator.readBuffer(from, index(further(row, i), along(column))), lanes));
        if (lanes > 1)
          turnSquare(c, square, memoryBytes(from.element));
        for (unsigned i = 0; i < lanes; ++i)
          loops.evaluator.writeBuffer(to, index(further(column, i), along(row)), LaneValue::lanes(square[i]));
      });
    });
  });
}

} // namespace trisect::cpu
