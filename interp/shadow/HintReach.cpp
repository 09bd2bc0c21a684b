//===- HintReach.cpp - what a broken promise of an address leads to -------------------------------------===//
#include "interp/shadow/HintReach.h"
#include "interp/shadow/Decide.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// Lanes of a block of addresses along one axis, of which a hint says that they come in groups of neighbours.
struct Groups {
  const std::vector<uint64_t> &addresses;
  const Taints &pointer;
  Taint broken;
  int64_t run, extent, step; ///< of the hint, of the axis, between neighbours along it

  int64_t position(int64_t lane) const { return lane / step % extent % run; }
  int64_t first(int64_t lane) const { return lane - position(lane) * step; }
  bool isBroken(int64_t lane) const { return pointer.at(lane) == broken; }
  /// Whether the group of a lane holds neighbours in memory, elements of `size` bytes.
  bool areNeighbours(int64_t lane, int64_t size) const {
    int64_t begin = first(lane), left = std::min(run, extent - begin / step % extent);
    for (int64_t n = begin; left > 1; n += step, --left)
      if (isBroken(n) == isBroken(n + step) && addresses[n + step] - addresses[n] == uint64_t(size))
        return true;
    return false;
  }
};

} // namespace

void mislead(const Taints &pointer, const Touch &t, TaintLanes &lanes) {
  t.access.forActive([&](uint64_t, int64_t, int64_t from, int64_t length) {
    for (int64_t lane = from; lane < from + length; ++lane) {
      Taint taint = pointer.at(lane);
      if (kindOf(taint) != TaintKind::Promised)
        continue;
      if (lanes.empty())
        lanes.assign(static_cast<size_t>(t.shape.elements), 0);
      if (!lanes[static_cast<size_t>(lane)])
        lanes[static_cast<size_t>(lane)] = makeTaint(TaintKind::Misled, birthOf(taint));
    }
  });
}

void checkReach(Travel &travel, const Touch &t) {
  Instance &s = travel.s;
  const Taints &pointer = travel.operand(t.i, 0);
  if (!pointer.lanes)
    return;
  int32_t tensor = t.tensor;
  if (uint64_t low, high; tensor == Views::none && t.access.range(low, high))
    tensor = travel.run.views.find(low, static_cast<int64_t>(high - low));
  if (tensor == Views::none)
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  std::vector<uint64_t> addresses(static_cast<size_t>(t.shape.elements));
  copyOut(s.operand(t.i, 0), DType::Ptr, t.shape, 0, t.shape.elements, addresses.data());
  const Extent &extent = travel.run.views[tensor].extent;
  auto leaves = [&](int64_t lane, int64_t run) {
    for (int64_t d = t.shape.rank() - 1, step = 1; d >= 0; step *= t.shape.dims[size_t(d)], --d) {
      Groups groups{addresses, pointer, pointer.at(lane), run, t.shape.dims[size_t(d)], step};
      int64_t first = groups.first(lane);
      uint64_t allowed = addresses[size_t(first)] + uint64_t(groups.position(lane) * size);
      if (!groups.isBroken(first) && allowed != addresses[size_t(lane)] && !extent.contains(allowed, size) &&
          groups.areNeighbours(lane, size))
        return true;
    }
    return false;
  };
  Taint found = 0;
  t.access.forActive([&](uint64_t, int64_t, int64_t from, int64_t length) {
    for (int64_t lane = from; lane < from + length && !found; ++lane) {
      Taint taint = pointer.at(lane);
      if (kindOf(taint) != TaintKind::Promised)
        continue;
      int64_t run = 1;
      for (int64_t each : s.program.hints.at(s.resultSlot(s.code[birthOf(taint)])).contiguity)
        run = std::max(run, each);
      if (run > 1 && leaves(lane, run))
        found = taint;
    }
  });
  if (found)
    reportHint(travel, t.i, found,
               "a load of neighbours, as the promise allows it, leaves '" +
                   travel.run.views[tensor].view.name + "'");
}

} // namespace trisect::interp
