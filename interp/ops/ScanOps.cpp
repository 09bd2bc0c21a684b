//===- ScanOps.cpp - inclusive scans --------------------------------------------------------------------===//
//
// A scan with one known op goes through a kernel where the order cannot show: integers, and what goes step by
// step anyway. Else the axis comes first. With many other elements the scan goes step by step along it, all
// of them at once. With few, pass d = 1, 2, 4, ... joins each element with the result d places before it, in
// operand order: log2(n) runs of the body over long lanes. The order depends on the shape alone, never on how
// the body is written: a module and its inlined form give the same bits.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include "interp/ops/Lanes.h"
#include <algorithm>

namespace trisect::interp {

namespace {

constexpr int64_t wide = 64; ///< elements beside the axis from which step by step is faster

class Scan {
public:
  Scan(Instance &s, const Instr &i)
      : s(s), i(i), runner(s, i), shape(s.shape(s.operandSlot(i, 0))), axis(static_cast<int>(i.attribute)),
        length(shape.dims[axis]), rest(shape.elements / length), count(i.numOperands),
        reversed(s.program.extra(i).ints[0] != 0) {}

  void run() {
    if (runner.rider)
      runner.rider->takeAxisFirst(axis, reversed);
    for (size_t n = 0; n < count; ++n)
      data.push_back(fresh(axisFirst(s, i, static_cast<unsigned>(n), axis, reversed), n));
    if (rest >= wide)
      stepByStep();
    else
      byDoubling();
    for (size_t n = 0; n < count; ++n)
      store(n);
    if (runner.rider)
      runner.rider->giveAxisFirst(axis, reversed);
  }

private:
  unsigned size(size_t n) const { return byteSize(runner.argType(n)); }

  /// Memory of its own, since the scan works in place.
  Value fresh(Value value, size_t n) {
    if (value.owned())
      return value;
    Value copy;
    copy.setDense(s.pool.acquire(shape.elements * size(n)));
    std::memcpy(copy.data, value.data, shape.elements * size(n));
    return copy;
  }

  void combine(int64_t left, int64_t right, int64_t lanes) {
    args.resize(2 * count);
    for (size_t n = 0; n < count; ++n) {
      args[n] = part(data[n], left * rest * size(n));
      args[count + n] = part(data[n], right * rest * size(n));
    }
    if (runner.rider)
      runner.rider->combine(left * rest, right * rest, lanes);
    runner.run(args, lanes, results);
    if (runner.rider)
      runner.rider->put(right * rest);
    for (size_t n = 0; n < count; ++n)
      std::memcpy(data[n].data + right * rest * size(n), results[n].data, lanes * size(n));
  }

  void stepByStep() {
    for (int64_t at = 1; at < length; ++at)
      combine(at - 1, at, rest);
  }

  void byDoubling() {
    for (int64_t distance = 1; distance < length; distance *= 2)
      combine(0, distance, (length - distance) * rest);
  }

  /// Back to row-major order.
  void store(size_t n) {
    SlotId slot = s.resultSlot(i, static_cast<unsigned>(n));
    if (axis == 0 && !reversed) {
      s.slot(slot) = std::move(data[n]);
      return;
    }
    int rank = shape.rank();
    std::vector<int64_t> strides(rank), dims, steps;
    rowMajor(shape, size(n), strides.data());
    dims.push_back(length);
    steps.push_back(reversed ? -strides[axis] : strides[axis]);
    for (int d = 0; d < rank; ++d)
      if (d != axis) {
        dims.push_back(shape.dims[d]);
        steps.push_back(strides[d]);
      }
    Value out;
    out.setDense(s.pool.acquire(shape.elements * size(n)));
    char *into = out.data + (reversed ? strides[axis] * (length - 1) : 0);
    scatterStrided(into, data[n].data, dims.data(), steps.data(), rank, size(n));
    s.slot(slot) = std::move(out);
  }

  Instance &s;
  const Instr &i;
  RegionRunner runner;
  const Shape &shape;
  int axis;
  int64_t length, rest;
  size_t count;
  bool reversed;
  std::vector<Value> data, args, results;
};

/// Whether the kernel's order, step by step, gives the bits that Scan would give.
bool kernelAgrees(const Shape &shape, int axis, DType type) {
  return !isFloat(type) || shape.elements / shape.dims[axis] >= wide;
}

void scanByKernel(Instance &s, const Instr &i, const Shape &shape, int axis) {
  const Extra &extra = s.program.extra(i);
  int64_t inner = 1;
  for (int d = axis + 1; d < shape.rank(); ++d)
    inner *= shape.dims[d];
  Value keep, out;
  const char *data = denseOperand(s, i, 0, keep);
  SlotId result = s.resultSlot(i);
  out.setDense(s.pool.acquire(shape.elements * byteSize(s.type(result))));
  int64_t length = shape.dims[axis];
  extra.scan(out.data, data, shape.elements / length / inner, length, inner, extra.ints[0] != 0);
  s.slot(result) = std::move(out);
}

} // namespace

void scan(Instance &s, const Instr &i) {
  s.pc = i.target;
  SlotId operand = s.operandSlot(i, 0);
  int axis = static_cast<int>(i.attribute);
  if (s.program.extra(i).scan && kernelAgrees(s.shape(operand), axis, s.type(operand)))
    return scanByKernel(s, i, s.shape(operand), axis);
  Scan(s, i).run();
}

} // namespace trisect::interp
