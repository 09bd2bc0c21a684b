//===- FiniteChecker.cpp - where NaN and infinities come from -------------------------------------------===//
//
// Looked for only when asked by name: an infinity made from finite inputs, and a NaN made from inputs that
// are none, carries a taint from there on. Of a reduction or product all elements are inputs of each result.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Format.h"
#include "interp/shadow/Checker.h"
#include <algorithm>
#include <cmath>

namespace trisect::interp {

namespace {

enum Class : uint8_t { Finite, Infinite, NotANumber };

Class classOf(double number) {
  return std::isfinite(number) ? Finite : std::isnan(number) ? NotANumber : Infinite;
}

/// The class of each element of a float value.
std::vector<uint8_t> classes(const Value &value, DType type, const Shape &shape, int64_t count) {
  unsigned size = byteSize(type);
  std::vector<char> data(static_cast<size_t>(count) * size + 64);
  copyOut(value, type, shape, 0, count, data.data());
  std::vector<uint8_t> found(static_cast<size_t>(count));
  for (size_t n = 0; n < found.size(); ++n) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + n * size, size);
    found[n] = classOf(toDouble(bits, type));
  }
  return found;
}

class NotFinite final : public Checker {
public:
  using Checker::Checker;
  void before(const Instr &i) override;
  void after(const Instr &i) override;

private:
  std::vector<uint8_t> inputs; ///< by element: the worst input of the present instruction
};

void NotFinite::before(const Instr &i) {
  if (!(travel.plan(i) & ShadowFinite))
    return;
  auto count = static_cast<size_t>(s.elements(i, s.resultSlot(i)));
  inputs.assign(count, Finite);
  for (unsigned n = 0; n < i.numOperands; ++n) {
    SlotId slot = s.operandSlot(i, n);
    if (!s.has(i, n))
      continue;
    if (i.opcode == Opcode::DotScaled && !isFloat(s.type(slot))) {
      // Scales of 255 and small floats as bytes may be NaN: nobody knows without unpacking them.
      std::fill(inputs.begin(), inputs.end(), NotANumber);
      return;
    }
    if (!isFloat(s.type(slot)))
      continue;
    std::vector<uint8_t> found = classes(s.slot(slot), s.type(slot), s.shape(slot), s.elements(i, slot));
    if (i.opcode == Opcode::Elementwise)
      for (size_t lane = 0; lane < count; ++lane)
        inputs[lane] = std::max(inputs[lane], found[lane]);
    else
      for (uint8_t worst = *std::max_element(found.begin(), found.end()); uint8_t &input : inputs)
        input = std::max(input, worst);
  }
}

void NotFinite::after(const Instr &i) {
  if (!(travel.plan(i) & ShadowFinite))
    return;
  SlotId slot = s.resultSlot(i);
  std::vector<uint8_t> found = classes(s.slot(slot), s.type(slot), s.shape(slot), s.elements(i, slot));
  Taints &result = travel.of(slot);
  TaintLanes lanes;
  for (size_t n = 0; n < found.size(); ++n) {
    if (found[n] <= inputs[n] || result.at(static_cast<int64_t>(n)) ||
        (found[n] == Infinite && inputs[n] != Finite))
      continue;
    if (lanes.empty()) {
      lanes.resize(found.size());
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        lanes[lane] = result.at(static_cast<int64_t>(lane));
      travel.births[travel.indexOf(i)] = {
          inputs[n] == Finite ? "all its inputs are finite" : "none of its inputs is NaN", Views::none, 0};
    }
    lanes[n] = makeTaint(TaintKind::NotFinite, travel.indexOf(i));
  }
  if (!lanes.empty())
    result.setLanes(std::move(lanes));
}

} // namespace

std::unique_ptr<Checker> finiteChecker(Travel &travel) { return std::make_unique<NotFinite>(travel); }

} // namespace trisect::interp
