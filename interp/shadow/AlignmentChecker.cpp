//===- AlignmentChecker.cpp - addresses that are no multiple of the element -----------------------------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Report.h"

namespace trisect::interp {

namespace {

class Alignment final : public Checker {
public:
  using Checker::Checker;
  void touch(Touch &t) override;
};

void Alignment::touch(Touch &t) {
  if (t.access.aligned())
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  FaultyLanes bad;
  uint64_t where = 0;
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      if (at % uint64_t(size) == 0)
        continue;
      if (!bad.count)
        where = at;
      bad.add(lane + n);
    }
  });
  if (!bad.count)
    return;
  Finding found = findingAt(travel, t.i, FaultKind::Misaligned);
  found.writes = t.writes;
  found.bytes = size;
  addTensor(travel, found, t.tensor, where);
  addLanes(found, t.shape, bad);
  found.value = std::to_string(where % uint64_t(size));
  found.headline = std::string(accessVerb(t.i)) + " of " + bytesText(size);
  if (found.tensor)
    found.headline += " in '" + found.tensor->name + "'";
  found.headline += ": the address is " + bytesText(static_cast<int64_t>(where % uint64_t(size))) +
                    " past a multiple of " + std::to_string(size);
  report(travel, std::move(found), t.i);
}

} // namespace

std::unique_ptr<Checker> alignmentChecker(Travel &travel) { return std::make_unique<Alignment>(travel); }

} // namespace trisect::interp
