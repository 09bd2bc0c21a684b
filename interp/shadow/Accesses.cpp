//===- Accesses.cpp - an access before it happens -------------------------------------------------------===//
#include "interp/shadow/Accesses.h"

namespace trisect::interp {

bool touch(Travel &travel, Touch &t) {
  if (t.access.none())
    return true;
  uint64_t low, high;
  if (t.tensor == Views::none && t.access.range(low, high))
    t.tensor = travel.run.views.find(low, static_cast<int64_t>(high - low));
  unsigned size = byteSize(travel.s.type(t.element));
  if (t.tensor != Views::none && travel.run.touched.watches(t.tensor)) {
    auto marks = static_cast<uint8_t>((t.reads ? Touched::Read : 0) | (t.writes ? Touched::Written : 0));
    t.access.forActive([&](uint64_t address, int64_t step, int64_t, int64_t count) {
      travel.run.touched.mark(t.tensor, address, step, size, count, marks);
    });
  }
  for (Checker *each : travel.checkers)
    each->touch(t);
  if (!t.good)
    travel.drop(t.tensor, size);
  return t.good;
}

void read(Travel &travel, const Touch &t, TaintLanes &lanes) {
  for (Checker *each : travel.checkers)
    each->read(t, lanes);
}

void setLive(const Access &access, TaintLanes &lanes, Taint taint) {
  access.forActive([&](uint64_t, int64_t, int64_t from, int64_t count) {
    std::fill_n(lanes.begin() + from, count, taint);
  });
}

} // namespace trisect::interp
