//===- ReduceOps.cpp - reduce, and regions over lanes ---------------------------------------------------===//
//
// A region of one known op folds through a kernel, any other body runs here, in the same order, whatever it
// holds: with the axis first, element i joins element i mod 64, and the 64 then fold in halves. A body with
// control flow runs lane by lane in that order.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include "interp/ops/Lanes.h"
#include <algorithm>

namespace trisect::interp {

RegionRunner::RegionRunner(Instance &instance, const Instr &instr)
    : region(instance.program.extra(instr).region),
      rider(instance.rider ? instance.rider->lanesOf(instr) : nullptr), s(instance),
      begin(static_cast<uint32_t>(&instr - instance.code) + 1) {}

void RegionRunner::run(const std::vector<Value> &args, int64_t lanes, std::vector<Value> &results) {
  uint32_t pc = s.pc;
  results.resize(region.results.size());
  if (rider)
    rider->begin(lanes);
  if (!region.lanewise) {
    for (size_t r = 0; r < results.size(); ++r)
      results[r].setDense(s.pool.acquire(lanes * byteSize(s.type(region.results[r]))));
    for (int64_t lane = 0; lane < lanes; ++lane)
      runLane(args, lane, results);
    s.pc = pc;
    return;
  }
  int64_t outer = s.lanes;
  s.lanes = lanes;
  for (size_t n = 0; n < args.size(); ++n)
    s.slot(region.args[n]) = args[n];
  if (rider)
    rider->enter(0);
  stepRegion(s, begin, rider != nullptr);
  if (rider)
    rider->leave(0, lanes);
  for (size_t r = 0; r < results.size(); ++r) {
    Value &value = s.slot(region.results[r]);
    if (value.form == Form::Dense) {
      results[r] = value;
      continue;
    }
    unsigned size = byteSize(s.type(region.results[r]));
    results[r].setDense(s.pool.acquire(lanes * size));
    fill(results[r].data, value.base, size, lanes);
  }
  s.lanes = outer;
  s.pc = pc;
}

void RegionRunner::runLane(const std::vector<Value> &args, int64_t lane, std::vector<Value> &results) {
  for (size_t n = 0; n < args.size(); ++n) {
    unsigned size = byteSize(argType(n));
    uint64_t bits = 0;
    std::memcpy(&bits, args[n].data + lane * size, size);
    s.slot(region.args[n]).setSplat(bits);
  }
  if (rider)
    rider->enter(lane);
  stepRegion(s, begin, rider != nullptr);
  if (rider)
    rider->leave(lane, 1);
  for (size_t r = 0; r < results.size(); ++r) {
    unsigned size = byteSize(s.type(region.results[r]));
    const Value &value = s.slot(region.results[r]);
    const void *from = value.form == Form::Dense ? static_cast<const void *>(value.data) : &value.base;
    std::memcpy(results[r].data + lane * size, from, size);
  }
}

Value axisFirst(Instance &s, const Instr &i, unsigned n, int axis, bool reversed) {
  SlotId slot = s.operandSlot(i, n);
  const Shape &shape = s.shape(slot);
  unsigned size = byteSize(s.type(slot));
  int rank = shape.rank();
  Value keep;
  const char *data = denseOperand(s, i, n, keep);
  Value out;
  if (axis == 0 && !reversed) {
    out = keep.form == Form::Dense ? keep : s.slot(slot);
    return out;
  }
  std::vector<int64_t> strides(rank), dims, steps;
  rowMajor(shape, size, strides.data());
  dims.push_back(shape.dims[axis]);
  steps.push_back(reversed ? -strides[axis] : strides[axis]);
  for (int d = 0; d < rank; ++d)
    if (d != axis) {
      dims.push_back(shape.dims[d]);
      steps.push_back(strides[d]);
    }
  if (reversed)
    data += strides[axis] * (shape.dims[axis] - 1);
  out.setDense(s.pool.acquire(shape.elements * size));
  copyStrided(out.data, data, dims.data(), steps.data(), rank, size);
  return out;
}

Value part(const Value &dense, int64_t bytes) {
  Value out = dense;
  out.data += bytes;
  return out;
}

namespace {

void setResult(Instance &s, const Instr &i, unsigned n, Value value) {
  SlotId slot = s.resultSlot(i, n);
  if (s.shape(slot).rank() == 0) {
    uint64_t bits = 0;
    std::memcpy(&bits, value.data, byteSize(s.type(slot)));
    value.setSplat(bits);
  }
  s.slot(slot) = std::move(value);
}

/// A body that is more than one known operation.
class Fold {
public:
  Fold(Instance &s, const Instr &i)
      : s(s), i(i), runner(s, i), shape(s.shape(s.operandSlot(i, 0))), axis(static_cast<int>(i.attribute)),
        length(shape.dims[axis]), rest(shape.elements / length) {}

  void run() {
    if (runner.rider)
      runner.rider->takeAxisFirst(axis, false);
    for (unsigned n = 0; n < i.numOperands; ++n)
      sums.push_back(axisFirst(s, i, n, axis, false));
    const std::vector<Value> data = sums;
    int64_t rows = std::min(length, accumulators);
    for (int64_t at = rows; at < length; at += rows) {
      join(data, at, rows);
      if (runner.rider)
        runner.rider->put(0);
    }
    while (rows > 1) {
      rows /= 2;
      join(sums, rows, rows);
      if (runner.rider)
        runner.rider->replace();
    }
    if (runner.rider)
      runner.rider->give();
    for (unsigned n = 0; n < i.numOperands; ++n)
      setResult(s, i, n, std::move(sums[n]));
  }

private:
  /// Joins `rows` elements of `data` from `at` on to the first ones of the sums.
  void join(const std::vector<Value> &data, int64_t at, int64_t rows) {
    args = sums;
    for (size_t n = 0; n < data.size(); ++n)
      args.push_back(part(data[n], at * rest * byteSize(runner.argType(n))));
    if (runner.rider)
      runner.rider->combine(0, at * rest, rows * rest);
    runner.run(args, rows * rest, results);
    std::swap(sums, results);
  }

  static constexpr int64_t accumulators = 64;

  Instance &s;
  const Instr &i;
  RegionRunner runner;
  const Shape &shape;
  int axis;
  int64_t length, rest;
  std::vector<Value> sums, args, results;
};

} // namespace

void reduce(Instance &s, const Instr &i) {
  const Extra &extra = s.program.extra(i);
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  int axis = static_cast<int>(i.attribute);
  int64_t length = shape.dims[axis], rest = shape.elements / length;
  s.pc = i.target;
  if (extra.reduce) {
    int64_t inner = 1;
    for (int d = axis + 1; d < shape.rank(); ++d)
      inner *= shape.dims[d];
    Value keep, out;
    const char *data = denseOperand(s, i, 0, keep);
    out.setDense(s.pool.acquire(rest * byteSize(s.type(s.resultSlot(i)))));
    extra.reduce(out.data, data, rest / inner, length, inner);
    setResult(s, i, 0, std::move(out));
    return;
  }
  Fold(s, i).run();
}

} // namespace trisect::interp
