//===- StoreConflictChecker.cpp - lanes of one store that write different values to one address ---------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Elements.h"
#include "interp/shadow/Report.h"
#include <bit>

namespace trisect::interp {

namespace {

class StoreConflict final : public Checker {
public:
  using Checker::Checker;
  void touch(Touch &t) override;

private:
  void tell(const Touch &t, const char *data, int64_t earlier, FaultyLanes lanes, uint64_t where);

  struct Seen {
    uint64_t address;
    int64_t lane;
  };
  std::vector<Seen> table; ///< of the addresses so far
};

void StoreConflict::tell(const Touch &t, const char *data, int64_t earlier, FaultyLanes lanes,
                         uint64_t where) {
  const Shape &shape = t.shape;
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  Finding found = findingAt(travel, t.i, FaultKind::StoreConflict);
  found.writes = true;
  found.bytes = size;
  addTensor(travel, found, t.tensor, where);
  addLanes(found, shape, lanes);
  auto value = [&](int64_t lane) { return elementText(data + lane * size, type, found.tensor); };
  auto lane = [&](int64_t number) {
    Finding place;
    addLanes(place, shape, {number, 1});
    return tupleText(place.lane);
  };
  found.value = value(earlier) + ", " + value(lanes.first);
  found.headline = "lanes " + lane(earlier) + " and " + lane(lanes.first) + " of one store write " +
                   value(earlier) + " and " + value(lanes.first) + " to one address";
  if (found.tensor)
    found.headline += " in '" + found.tensor->name + "'";
  report(travel, std::move(found), t.i);
}

void StoreConflict::touch(Touch &t) {
  const Shape &shape = t.shape;
  if (!t.writes || t.atomic)
    return;
  if (shape.elements < 2 || !t.value || t.value->isSplat() || t.access.distinct())
    return;
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  std::vector<char> keep;
  Strip values = allElements(*t.value, type, shape, shape.elements, keep);
  auto *data = static_cast<const char *>(values.data);
  // An open table of the addresses seen so far and the lanes that had them.
  size_t capacity = std::bit_ceil(static_cast<size_t>(shape.elements) * 2);
  table.assign(capacity, {0, -1});
  FaultyLanes lanes;
  int64_t earlier = 0;
  uint64_t where = 0;
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      size_t probe = (at * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
      while (table[probe].lane >= 0 && table[probe].address != at)
        probe = (probe + 1) & (capacity - 1);
      int64_t known = table[probe].lane;
      table[probe] = {at, known < 0 ? lane + n : known};
      if (known < 0 || std::memcmp(data + known * size, data + (lane + n) * size, size) == 0)
        continue;
      if (!lanes.count) {
        earlier = known;
        where = at;
      }
      lanes.add(lane + n);
    }
  });
  if (lanes.count)
    tell(t, data, earlier, lanes, where);
}

} // namespace

std::unique_ptr<Checker> storeConflictChecker(Travel &travel) {
  return std::make_unique<StoreConflict>(travel);
}

} // namespace trisect::interp
