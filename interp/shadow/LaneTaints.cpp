//===- LaneTaints.cpp - taints in the order of lanes ----------------------------------------------------===//
#include "interp/shadow/LaneTaints.h"
#include "interp/exec/Fetch.h"

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

LaneTaints::LaneTaints(Travel &travel, const Instr &instr)
    : travel(travel), s(travel.s), i(instr), region(travel.s.program.extra(instr).region) {
  for (unsigned n = 0; n < i.numOperands; ++n) {
    const Taints &known = travel.operand(i, n);
    TaintLanes &list = lists.emplace_back(static_cast<size_t>(s.program.elements(s.operandSlot(i, n))));
    for (size_t lane = 0; lane < list.size(); ++lane)
      list[lane] = undefinedOnly(known.at(static_cast<int64_t>(lane)));
  }
}

void LaneTaints::begin(int64_t lanes) {
  results.assign(region.results.size(), TaintLanes(static_cast<size_t>(lanes), 0));
}

void LaneTaints::enter(int64_t lane) {
  travel.inRegion = true;
  travel.doubt = 0;
  for (size_t n = 0; n < region.args.size(); ++n)
    if (region.lanewise)
      travel.of(region.args[n]).setLanes(std::move(arguments[n]));
    else
      travel.of(region.args[n]).setAll(arguments[n][static_cast<size_t>(lane)]);
}

void LaneTaints::leave(int64_t lane, int64_t lanes) {
  for (size_t r = 0; r < results.size(); ++r)
    for (int64_t n = 0; n < lanes; ++n)
      results[r][static_cast<size_t>(lane + n)] = travel.of(region.results[r]).at(n);
  travel.inRegion = false;
  travel.doubt = 0;
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
  arguments.clear();
  for (int64_t from : {left, right})
    for (const TaintLanes &list : lists)
      arguments.emplace_back(list.begin() + from, list.begin() + from + lanes);
}

void LaneTaints::replace() {
  for (size_t n = 0; n < lists.size(); ++n)
    lists[n] = std::move(results[n]);
}

void LaneTaints::put(int64_t at) {
  for (size_t n = 0; n < lists.size(); ++n)
    std::copy(results[n].begin(), results[n].end(), lists[n].begin() + at);
}

void LaneTaints::give() {
  for (unsigned n = 0; n < lists.size(); ++n)
    setTaints(n, std::move(lists[n]));
}

void LaneTaints::giveAxisFirst(int axis, bool reversed) {
  std::vector<int64_t> dims, steps;
  for (unsigned n = 0; n < lists.size(); ++n) {
    const Shape &shape = s.shape(s.operandSlot(i, n));
    int64_t start = axisFirstSteps(shape, axis, reversed, dims, steps);
    TaintLanes list(lists[n].size());
    scatterStrided(bytes(list) + start, bytes(lists[n]), dims.data(), steps.data(), shape.rank(),
                   sizeof(Taint));
    setTaints(n, std::move(list));
  }
}

void LaneTaints::takePacked(int64_t pack) {
  arguments.clear();
  auto step = static_cast<size_t>(pack);
  for (const TaintLanes &list : lists)
    for (size_t j = 0; j < step; ++j) {
      TaintLanes part;
      for (size_t at = j; at < list.size(); at += step)
        part.push_back(list[at]);
      arguments.push_back(std::move(part));
    }
}

void LaneTaints::givePacked(int64_t pack) {
  auto step = static_cast<size_t>(pack);
  for (unsigned n = 0; n < i.numResults; ++n) {
    TaintLanes list(static_cast<size_t>(s.program.elements(s.resultSlot(i, n))));
    for (size_t j = 0; j < step; ++j)
      for (size_t at = j, from = 0; at < list.size(); at += step)
        list[at] = results[n * step + j][from++];
    setTaints(n, std::move(list));
  }
}

} // namespace trisect::interp
