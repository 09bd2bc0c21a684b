//===- RaceChecker.cpp - programs that touch one element unordered --------------------------------------===//
//
// Each access is entered into the cells of its bytes (interp/memory/Races.h); atomics that acquire or release
// order what stands around them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Enums.h"
#include "interp/shadow/Checker.h"
#include "interp/shadow/Elements.h"
#include "interp/shadow/Report.h"
#include <optional>

namespace trisect::interp {

namespace {

class ProgramRaces final : public Checker {
public:
  explicit ProgramRaces(Travel &travel) : Checker(travel), records(travel.s.program.code.size()) {}
  void restart() override { std::fill(records.begin(), records.end(), Record{}); }
  void touch(Touch &t) override;

private:
  void check(const Touch &t);
  void tell(const Touch &t, const Races::Conflict &first, Strip values, FaultyLanes lanes, uint64_t where);
  void synchronise(const Instr &i, const Access &access, unsigned size);
  uint32_t recordFor(const Touch &t);
  std::array<int32_t, 3> programId(int64_t linear) const;

  struct Record {
    uint32_t number = 0, time = 0;
  };
  std::vector<Record> records; ///< by instruction
};

std::array<int32_t, 3> ProgramRaces::programId(int64_t linear) const {
  const Grid &grid = s.request.grid;
  return {static_cast<int32_t>(linear % grid.x), static_cast<int32_t>(linear / grid.x % grid.y),
          static_cast<int32_t>(linear / grid.x / grid.y)};
}

uint32_t ProgramRaces::recordFor(const Touch &t) {
  auto &known = records[travel.indexOf(t.i)];
  uint32_t now = travel.run.races->now();
  if (!known.number || known.time != now) {
    AccessRecord record{s.linear, travel.indexOf(t.i), now, t.atomic, t.writes};
    known = {travel.run.races->begin(record), now};
  }
  return known.number;
}

void ProgramRaces::tell(const Touch &t, const Races::Conflict &first, Strip values, FaultyLanes lanes,
                        uint64_t where) {
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  const AccessRecord &other = first.other;
  Finding found = findingAt(travel, t.i, first.sameValue ? FaultKind::RedundantStore : FaultKind::Race);
  const Instr &otherInstr = s.code[other.instr];
  FindingSite mine = siteOf(travel, t.i), theirs = siteOf(travel, otherInstr);
  theirs.programId = programId(other.program);
  bool lower = other.program < s.linear;
  found.site = lower ? theirs : mine;
  FindingSite related = lower ? mine : theirs;
  bool relatedWrites = lower ? t.writes : other.writes;
  related.role = relatedWrites ? "written by" : "read by";
  found.writes = lower ? other.writes : t.writes;
  found.bytes = size;
  addTensor(travel, found, t.tensor, where);
  addLanes(found, t.shape, lanes);
  std::string element = "element " + tupleText(found.index) + " of '" + found.tensor->name + "'";
  auto id = [&](const FindingSite &site) {
    const auto &numbers = *site.programId;
    return tupleText({numbers[0], numbers[1], numbers[2]});
  };
  const char *fresh = nullptr;
  if (values.data)
    fresh = static_cast<const char *>(values.data) + (values.splat ? 0 : lanes.first * size);
  if (first.sameValue) {
    found.value = elementText(fresh, type, found.tensor);
    found.headline = "programs " + id(found.site) + " and " + id(related) + " both store " + found.value +
                     " to " + element;
  } else {
    if (fresh && other.writes) {
      char now[8] = {};
      travel.peek(where, now, size);
      found.value = elementText(now, type, found.tensor) + ", " + elementText(fresh, type, found.tensor);
    }
    found.headline = "programs " + id(found.site) + " and " + id(related) + " both touch " + element +
                     ", one " + (found.writes && relatedWrites ? "of two writes" : "writes") +
                     ", and nothing orders them";
    if (found.writes && relatedWrites)
      found.headline = "programs " + id(found.site) + " and " + id(related) + " both write " + element +
                       ", and nothing orders them";
  }
  related.text = relatedWrites ? "it writes the same element" : "it reads the same element";
  found.related.push_back(std::move(related));
  report(travel, std::move(found), t.i);
}

void ProgramRaces::check(const Touch &t) {
  const Shape &shape = t.shape;
  Races &races = *travel.run.races;
  if (!races.tracks(t.tensor))
    return;
  DType type = s.type(t.element);
  unsigned size = byteSize(type);
  uint32_t record = recordFor(t);
  std::vector<char> keep;
  Strip values{};
  if (t.value)
    values = allElements(*t.value, type, shape, shape.elements, keep);
  std::optional<Races::Conflict> first;
  uint64_t where = 0;
  FaultyLanes lanes;
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
    if (!found || !travel.has(found->sameValue ? FaultKind::RedundantStore : FaultKind::Race))
      return;
    lanes.add(lane + found->element);
    if (!first || (first->sameValue && !found->sameValue)) {
      first = found;
      lanes.first = lane + found->element;
      where = address + uint64_t(found->element * step);
    }
  });
  if (first)
    tell(t, *first, values, lanes, where);
}

/// What an instruction orders: SyncEffect bits.
uint8_t effectOf(const Program &program, const Instr &i) {
  if (i.opcode == Opcode::Load)
    return SyncAcquire;
  const auto &facts = program.extra(i).ints;
  using attr::MemSemantic;
  auto order = static_cast<MemSemantic>(facts[0]);
  if (static_cast<attr::MemScope>(facts[1]) == attr::MemScope::Cta)
    return 0;
  uint8_t effect = 0;
  bool reads = i.opcode != Opcode::AtomicStore;
  bool writes = i.opcode != Opcode::AtomicLoad && i.opcode != Opcode::AtomicPoll;
  if (reads && (order == MemSemantic::Acquire || order == MemSemantic::AcqRel))
    effect |= SyncAcquire;
  if (writes && (order == MemSemantic::Release || order == MemSemantic::AcqRel))
    effect |= SyncRelease;
  if (!reads)
    effect |= SyncReplaces;
  return effect;
}

void ProgramRaces::synchronise(const Instr &i, const Access &access, unsigned size) {
  uint8_t effect = effectOf(s.program, i);
  if (!effect)
    return;
  std::vector<char> keep;
  Strip expected{};
  if (i.opcode == Opcode::AtomicCas) {
    SlotId slot = s.operandSlot(i, 1);
    expected = allElements(s.slot(slot), s.type(slot), s.shape(slot), s.shape(slot).elements, keep);
  }
  access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < (step ? count : 1); ++n) {
      uint64_t at = address + uint64_t(n * step);
      uint8_t now = effect;
      if (expected.data) { // a comparison that fails writes nothing
        auto *want = static_cast<const char *>(expected.data) + (expected.splat ? 0 : (lane + n) * size);
        char held[8];
        travel.peek(at, held, size);
        if (std::memcmp(want, held, size) != 0)
          now &= SyncAcquire;
      }
      if (now)
        travel.run.races->synchronise(s.linear, at, now);
    }
  });
}

void ProgramRaces::touch(Touch &t) {
  unsigned size = byteSize(s.type(t.element));
  bool polls = t.atomic && t.i.opcode == Opcode::Load;
  if (polls) // what another program released is seen by this read
    synchronise(t.i, t.access, size);
  if (!t.good)
    return;
  if (t.tensor != Views::none)
    check(t);
  if (isAtomic(t.i.opcode) && !touchesTile(t.i.opcode))
    synchronise(t.i, t.access, size);
}

} // namespace

std::unique_ptr<Checker> raceChecker(Travel &travel) { return std::make_unique<ProgramRaces>(travel); }

} // namespace trisect::interp
