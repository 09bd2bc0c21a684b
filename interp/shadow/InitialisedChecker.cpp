//===- InitialisedChecker.cpp - memory that nobody wrote ------------------------------------------------===//
//
// A read of bytes that nobody wrote is no defect yet: its elements carry a taint to where they decide
// something.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Report.h"

namespace trisect::interp {

namespace {

class Initialised final : public Checker {
public:
  using Checker::Checker;
  void touch(Touch &t) override;
  void read(const Touch &t, TaintLanes &lanes) override;
};

void Initialised::touch(Touch &t) {
  if (!t.good || !t.writes || t.tensor == Views::none)
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  for (const auto &memory : travel.run.views[t.tensor].unwritten)
    t.access.forActive([&](uint64_t address, int64_t step, int64_t, int64_t count) {
      if (step == size)
        return memory->setWritten(address, count * size);
      for (int64_t n = 0; n < (step ? count : 1); ++n)
        memory->setWritten(address + uint64_t(n * step), size);
    });
}

void Initialised::read(const Touch &t, TaintLanes &lanes) {
  if (!t.good)
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  int32_t tensor = t.tensor;
  uint64_t low, high;
  if (tensor == Views::none && t.access.range(low, high))
    tensor = travel.run.views.find(low, static_cast<int64_t>(high - low));
  if (tensor == Views::none)
    return;
  for (const auto &memory : travel.run.views[tensor].unwritten)
    t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
      if (step == size && !memory->any(address, count * size, travel.usual))
        return;
      for (int64_t n = 0; n < count; ++n) {
        uint64_t at = address + uint64_t(n * step);
        if (!memory->any(at, size, travel.usual))
          continue;
        if (lanes.empty())
          lanes.assign(static_cast<size_t>(t.shape.elements), 0);
        Taint &taint = lanes[static_cast<size_t>(lane + n)];
        taint = makeTaint(TaintKind::Uninitialized, travel.indexOf(t.i));
        Birth &birth = travel.births[travel.indexOf(t.i)];
        if (birth.text.empty()) {
          Finding there;
          addTensor(travel, there, tensor, at);
          birth = {"element " + tupleText(there.index) + " of '" + there.tensor->name + "' was never written",
                   tensor, at};
        }
      }
    });
}

} // namespace

std::unique_ptr<Checker> initialisedChecker(Travel &travel) { return std::make_unique<Initialised>(travel); }

} // namespace trisect::interp
