//===- LaneTaints.cpp - taints in the order of lanes ----------------------------------------------------===//
#include "interp/ops/LaneTaints.h"
#include "interp/exec/Fetch.h"
#include "interp/shadow/Shadow.h"

namespace trisect::interp {

namespace {

char *bytes(TaintLanes &list) { return reinterpret_cast<char *>(list.data()); }

/// The dimensions of a block with `axis` first, and the distance of their elements in bytes.
int64_t axisFirstSteps(const Shape &shape, int axis, bool reversed, std::vector<int64_t> &dims,
                       std::vector<int64_t> &steps) {
  std::vector<int64_t> strides(shape.dims.size());
  rowMajor(shape, sizeof(Taint), strides.data());
  auto first = static_cast<size_t>(axis);
  dims = {shape.dims[first]};
  steps = {reversed ? -strides[first] : strides[first]};
  for (size_t d = 0; d < strides.size(); ++d)
    if (d != first) {
      dims.push_back(shape.dims[d]);
      steps.push_back(strides[d]);
    }
  return reversed ? strides[first] * (shape.dims[first] - 1) : 0;
}

} // namespace

LaneTaints::LaneTaints(Instance &instance, const Instr &instr, RegionRunner &runner)
    : s(instance), i(instr), runner(runner) {
  if (!s.shadow || !s.shadow->follows(i))
    return;
  runner.follows = true;
  for (unsigned n = 0; n < i.numOperands; ++n)
    lists.push_back(s.shadow->taintsOf(i, n));
}

void LaneTaints::takeAxisFirst(int axis, bool reversed) {
  std::vector<int64_t> dims, steps;
  for (unsigned n = 0; n < lists.size(); ++n) {
    const Shape &shape = s.shape(s.operandSlot(i, n));
    int64_t start = axisFirstSteps(shape, axis, reversed, dims, steps);
    TaintLanes list(lists[n].size());
    copyStrided(bytes(list), bytes(lists[n]) + start, dims.data(), steps.data(), shape.rank(), sizeof(Taint));
    lists[n] = std::move(list);
  }
}

void LaneTaints::combine(int64_t left, int64_t right, int64_t lanes) {
  runner.argTaints.clear();
  for (int64_t from : {left, right})
    for (const TaintLanes &list : lists)
      runner.argTaints.emplace_back(list.begin() + from, list.begin() + from + lanes);
}

void LaneTaints::replace() {
  for (size_t n = 0; n < lists.size(); ++n)
    lists[n] = std::move(runner.resultTaints[n]);
}

void LaneTaints::put(int64_t right) {
  for (size_t n = 0; n < lists.size(); ++n)
    std::copy(runner.resultTaints[n].begin(), runner.resultTaints[n].end(), lists[n].begin() + right);
}

void LaneTaints::give() {
  for (unsigned n = 0; n < lists.size(); ++n)
    s.shadow->setTaints(i, n, std::move(lists[n]));
}

void LaneTaints::giveAxisFirst(int axis, bool reversed) {
  std::vector<int64_t> dims, steps;
  for (unsigned n = 0; n < lists.size(); ++n) {
    const Shape &shape = s.shape(s.operandSlot(i, n));
    int64_t start = axisFirstSteps(shape, axis, reversed, dims, steps);
    TaintLanes list(lists[n].size());
    scatterStrided(bytes(list) + start, bytes(lists[n]), dims.data(), steps.data(), shape.rank(),
                   sizeof(Taint));
    s.shadow->setTaints(i, n, std::move(list));
  }
}

void LaneTaints::takePacked(int64_t pack) {
  runner.argTaints.clear();
  auto step = static_cast<size_t>(pack);
  for (const TaintLanes &list : lists)
    for (size_t j = 0; j < step; ++j) {
      TaintLanes part;
      for (size_t at = j; at < list.size(); at += step)
        part.push_back(list[at]);
      runner.argTaints.push_back(std::move(part));
    }
}

void LaneTaints::givePacked(int64_t pack) {
  if (!runner.follows)
    return;
  auto step = static_cast<size_t>(pack);
  for (unsigned n = 0; n < i.numResults; ++n) {
    TaintLanes list(static_cast<size_t>(s.program.elements(s.resultSlot(i, n))));
    for (size_t j = 0; j < step; ++j)
      for (size_t at = j, from = 0; at < list.size(); at += step)
        list[at] = runner.resultTaints[n * step + j][from++];
    s.shadow->setTaints(i, n, std::move(list));
  }
}

} // namespace trisect::interp
