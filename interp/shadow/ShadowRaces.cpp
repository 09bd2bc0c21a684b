//===- ShadowRaces.cpp - other programs and other lanes -------------------------------------------------===//
#include "interp/observe/NumpyText.h"
#include "interp/ops/AccessLanes.h"
#include "interp/shadow/Shadow.h"
#include <algorithm>
#include <bit>

namespace trisect::interp {

namespace {

/// Elements of a value as memory; `keep` holds it if need be.
Strip elementsOf(const Value &value, DType type, const Shape &shape, std::vector<char> &keep) {
  if (value.form == Form::Dense || value.form == Form::Splat)
    return fetch(value, type, shape, 0, 0, nullptr);
  keep.resize(static_cast<size_t>(shape.elements) * byteSize(type) + 64);
  copyOut(value, type, shape, 0, shape.elements, keep.data());
  return {keep.data(), false};
}

} // namespace

std::array<int32_t, 3> Shadow::programId(int64_t linear) const {
  const Grid &grid = s.request.grid;
  return {static_cast<int32_t>(linear % grid.x), static_cast<int32_t>(linear / grid.x % grid.y),
          static_cast<int32_t>(linear / grid.x / grid.y)};
}

uint32_t Shadow::recordFor(const Touch &t) {
  auto &known = records[indexOf(t.i)];
  uint32_t now = run.races->now();
  if (!known.number || known.time != now) {
    AccessRecord record{s.linear, indexOf(t.i), now, t.atomic, t.writes};
    known = {run.races->begin(record), now};
  }
  return known.number;
}

void Shadow::checkRaces(const Touch &t, const Shape &shape) {
  Races &races = *run.races;
  if (!races.tracks(t.tensor))
    return;
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  uint32_t record = recordFor(t);
  std::vector<char> keep;
  Strip values{};
  if (t.value)
    values = elementsOf(*t.value, type, shape, keep);
  std::optional<Races::Conflict> first;
  uint64_t where = 0;
  Lanes lanes;
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    if (!step)
      count = 1;
    std::optional<Races::Conflict> found;
    if (t.writes) {
      auto *data = static_cast<const char *>(values.data);
      if (data && !values.splat)
        data += lane * size;
      found = races.write(t.tensor, record, address, step, size, count, data, values.splat);
    } else {
      found = races.read(t.tensor, record, address, step, size, count);
    }
    if (!found || !has(found->sameValue ? FaultKind::RedundantStore : FaultKind::Race))
      return;
    lanes.add(lane + found->element);
    if (!first || (first->sameValue && !found->sameValue)) {
      first = found;
      lanes.first = lane + found->element;
      where = address + uint64_t(found->element * step);
    }
  });
  if (!first)
    return;
  const AccessRecord &other = first->other;
  Finding found = finding(t.i, first->sameValue ? FaultKind::RedundantStore : FaultKind::Race);
  const Instr &otherInstr = s.code[other.instr];
  FindingSite mine = siteOf(t.i), theirs = siteOf(otherInstr);
  theirs.programId = programId(other.program);
  bool lower = other.program < s.linear;
  found.site = lower ? theirs : mine;
  FindingSite related = lower ? mine : theirs;
  bool relatedWrites = lower ? t.writes : other.writes;
  related.role = relatedWrites ? "written by" : "read by";
  found.writes = lower ? other.writes : t.writes;
  found.bytes = size;
  addTensor(found, t.tensor, where);
  addLanes(found, shape, lanes);
  std::string element = "element (";
  for (size_t d = 0; d < found.index.size(); ++d)
    element += (d ? ", " : "") + std::to_string(found.index[d]);
  element += std::string(found.index.size() == 1 ? ",)" : ")") + " of '" + found.tensor->name + "'";
  auto id = [&](const FindingSite &site) {
    const auto &numbers = *site.programId;
    return "(" + std::to_string(numbers[0]) + ", " + std::to_string(numbers[1]) + ", " +
           std::to_string(numbers[2]) + ")";
  };
  auto value = [&](const char *data) {
    uint64_t bits = 0;
    std::memcpy(&bits, data, size);
    return numpyText(&bits, {}, {type});
  };
  const char *fresh = nullptr;
  if (values.data)
    fresh = static_cast<const char *>(values.data) + (values.splat ? 0 : lanes.first * size);
  if (first->sameValue) {
    found.value = value(fresh);
    found.headline = "programs " + id(found.site) + " and " + id(related) + " both store " + found.value +
                     " to " + element;
  } else {
    if (fresh && other.writes)
      found.value = value(reinterpret_cast<const char *>(where)) + ", " + value(fresh);
    found.headline = "programs " + id(found.site) + " and " + id(related) + " both touch " + element +
                     ", one " + (found.writes && relatedWrites ? "of two writes" : "writes") +
                     ", and nothing orders them";
    if (found.writes && relatedWrites)
      found.headline = "programs " + id(found.site) + " and " + id(related) + " both write " + element +
                       ", and nothing orders them";
  }
  related.text = relatedWrites ? "it writes the same element" : "it reads the same element";
  found.related.push_back(std::move(related));
  report(std::move(found), t.i);
}

void Shadow::checkStoreLanes(const Touch &t, const Shape &shape) {
  if (!has(FaultKind::StoreConflict) || shape.elements < 2 || !t.value || t.access.distinct())
    return;
  if (t.value->isSplat())
    return;
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  std::vector<char> keep;
  Strip values = elementsOf(*t.value, type, shape, keep);
  auto *data = static_cast<const char *>(values.data);
  // An open table of the addresses seen so far and the lanes that had them.
  size_t capacity = std::bit_ceil(static_cast<size_t>(shape.elements) * 2);
  table.assign(capacity, {0, -1});
  Lanes lanes;
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
  if (!lanes.count)
    return;
  Finding found = finding(t.i, FaultKind::StoreConflict);
  found.writes = true;
  found.bytes = size;
  addTensor(found, t.tensor, where);
  addLanes(found, shape, lanes);
  auto value = [&](int64_t lane) {
    uint64_t bits = 0;
    std::memcpy(&bits, data + lane * size, size);
    return numpyText(&bits, {}, {type});
  };
  auto lane = [&](int64_t number) {
    Finding place;
    addLanes(place, shape, {number, 1});
    std::string text = "(";
    for (size_t d = 0; d < place.lane.size(); ++d)
      text += (d ? ", " : "") + std::to_string(place.lane[d]);
    return text + (place.lane.size() == 1 ? ",)" : ")");
  };
  found.value = value(earlier) + ", " + value(lanes.first);
  found.headline = "lanes " + lane(earlier) + " and " + lane(lanes.first) + " of one store write " +
                   value(earlier) + " and " + value(lanes.first) + " to one address";
  if (found.tensor)
    found.headline += " in '" + found.tensor->name + "'";
  report(std::move(found), t.i);
}

void Shadow::synchronise(const Instr &i, const Access &access, unsigned size) {
  uint8_t effect = 0;
  if (i.opcode == Opcode::Load) {
    effect = SyncAcquire;
  } else {
    const auto &facts = s.program.extra(i).ints;
    int64_t order = facts[0];
    if (facts[1] == 2)
      return;
    bool reads = i.opcode != Opcode::AtomicStore;
    bool writes = i.opcode != Opcode::AtomicLoad && i.opcode != Opcode::AtomicPoll;
    if (reads && (order == 2 || order == 4))
      effect |= SyncAcquire;
    if (writes && (order == 3 || order == 4))
      effect |= SyncRelease;
    if (!reads)
      effect |= SyncReplaces;
  }
  if (!effect)
    return;
  std::vector<char> keep;
  Strip expected{};
  if (i.opcode == Opcode::AtomicCas) {
    SlotId slot = s.operandSlot(i, 1);
    expected = elementsOf(s.slot(slot), s.type(slot), s.shape(slot), keep);
  }
  access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < (step ? count : 1); ++n) {
      uint64_t at = address + uint64_t(n * step);
      uint8_t now = effect;
      if (expected.data) { // a comparison that fails writes nothing
        auto *want = static_cast<const char *>(expected.data) + (expected.splat ? 0 : (lane + n) * size);
        if (std::memcmp(want, reinterpret_cast<const void *>(at), size) != 0)
          now &= SyncAcquire;
      }
      if (now)
        run.races->synchronise(s.linear, at, now);
    }
  });
}

} // namespace trisect::interp
