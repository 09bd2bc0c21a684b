//===- BoundsChecker.cpp - accesses that leave their tensor ---------------------------------------------===//
//
// Rows are checked as ranges; only what leaves its range is looked at lane by lane. A pointer out of
// arithmetic or memory may lead to any tensor of the launch and to any memory of the process.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Report.h"
#include <cstdio>
#include <unordered_set>

namespace trisect::interp {

namespace {

class Bounds final : public Checker {
public:
  using Checker::Checker;
  void touch(Touch &t) override;

private:
  void inTensor(const Touch &t, FaultyLanes &bad, uint64_t &where) const;
  void inProcess(const Touch &t, FaultyLanes &bad, uint64_t &where);
  void tell(const Touch &t, FaultyLanes bad, uint64_t where);

  std::unordered_set<uint64_t> mappedPages; ///< of memory outside the tensors
};

void Bounds::inTensor(const Touch &t, FaultyLanes &bad, uint64_t &where) const {
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  const Extent &extent = travel.run.views[t.tensor].extent;
  uint64_t low, high;
  bool ranged = t.access.range(low, high);
  if (ranged && extent.dense() && low >= extent.low() && high <= extent.high())
    return;
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    if (step == size && extent.contains(address, count * size))
      return;
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      if (extent.contains(at, size))
        continue;
      if (!bad.count)
        where = at;
      bad.add(lane + n);
      if (!step) {
        bad.count += count - 1;
        return;
      }
    }
  });
}

void Bounds::inProcess(const Touch &t, FaultyLanes &bad, uint64_t &where) {
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  constexpr uint64_t page = 4096;
  int32_t last = Views::none;
  auto known = [&](uint64_t address, int64_t bytes) {
    last = travel.run.views.find(address, bytes, last);
    if (last != Views::none)
      return true;
    for (uint64_t at = address / page; at <= (address + uint64_t(bytes) - 1) / page; ++at) {
      if (mappedPages.count(at))
        continue;
      if (!travel.mapped(at * page, 1))
        return false;
      mappedPages.insert(at);
    }
    return true;
  };
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    if (step == size && known(address, count * size))
      return;
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      if (!known(at, size)) {
        if (!bad.count)
          where = at;
        bad.add(lane + n);
      }
      if (!step)
        return;
    }
  });
}

/// Where an address lies beside the tensor that it was made for.
void placeBeside(const RegisteredView &registered, uint64_t where, int64_t size, Finding &found) {
  const Extent &extent = registered.extent;
  found.headline += " of '" + registered.view.name + "' at index " + tupleText(found.index);
  if (extent.empty()) {
    found.headline += " is out of bounds: the tensor is empty";
  } else if (where + uint64_t(size) > extent.high() && where >= extent.low()) {
    found.distance = static_cast<int64_t>(where + uint64_t(size) - extent.high());
    found.headline += " is out of bounds: it ends " + bytesText(found.distance) + " behind the end of a view";
  } else if (where < extent.low()) {
    found.distance = -static_cast<int64_t>(extent.low() - where);
    found.headline += " is out of bounds: it begins " + bytesText(-found.distance) + " before a view";
  } else {
    found.headline += " is out of bounds: it lies in a gap of a view";
  }
  if (!extent.empty()) {
    found.headline += " of shape " + tupleText(registered.view.shape);
    if (!extent.dense())
      found.headline += " and strides " + tupleText(registered.view.strides);
  }
}

void Bounds::tell(const Touch &t, FaultyLanes bad, uint64_t where) {
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  Finding found = findingAt(travel, t.i, FaultKind::OutOfBounds);
  found.writes = t.writes;
  found.bytes = size;
  addTensor(travel, found, t.tensor, where);
  addLanes(found, t.shape, bad);
  found.headline = accessVerb(t.i);
  if (t.tensor == Views::none) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(where));
    found.headline += where < 4096 ? " through a null pointer" : " through a pointer that leads nowhere";
    found.headline += std::string(": ") + text + " is no memory of this process";
  } else {
    placeBeside(travel.run.views[t.tensor], where, size, found);
    int32_t other = travel.run.views.find(where, size);
    if (other != Views::none) {
      Finding there;
      addTensor(travel, there, other, where);
      found.landsIn = there.tensor;
      found.landsIndex = there.index;
      found.headline += ", inside '" + there.tensor->name + "' at index " + tupleText(there.index);
    }
  }
  report(travel, std::move(found), t.i);
}

void Bounds::touch(Touch &t) {
  FaultyLanes bad;
  uint64_t where = 0;
  if (t.tensor != Views::none)
    inTensor(t, bad, where);
  else
    inProcess(t, bad, where);
  if (!bad.count)
    return;
  t.good = false;
  tell(t, bad, where);
}

} // namespace

std::unique_ptr<Checker> boundsChecker(Travel &travel) { return std::make_unique<Bounds>(travel); }

} // namespace trisect::interp
