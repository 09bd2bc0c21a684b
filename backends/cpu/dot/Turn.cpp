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

// Exchanges the blocks off the diagonal, of half the square, then of a quarter ...
void turnSquare(Code &c, SmallVectorImpl<Value> &rows) {
  auto size = static_cast<int64_t>(rows.size());
  for (int64_t half = size / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < size; ++lane) {
      bool left = (lane & half) == 0;
      upper.push_back(left ? lane : size + lane - half);
      lower.push_back(left ? lane + half : size + lane);
    }
    for (int64_t row = 0; row < size; ++row) {
      if (row & half)
        continue;
      Value a = rows[row], b = rows[row + half];
      rows[row] = c.b.create<vector::ShuffleOp>(c.loc, a, b, upper);
      rows[row + half] = c.b.create<vector::ShuffleOp>(c.loc, a, b, lower);
    }
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
          turnSquare(c, square);
        for (unsigned i = 0; i < lanes; ++i)
          loops.evaluator.writeBuffer(to, index(further(column, i), along(row)), LaneValue::lanes(square[i]));
      });
    });
  });
}

} // namespace trisect::cpu
