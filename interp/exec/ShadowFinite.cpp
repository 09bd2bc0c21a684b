//===- ShadowFinite.cpp - where NaN and infinities come from --------------------------------------------===//
//
// Looked for only when asked by name: an element that is not finite although all its inputs are carries a
// taint from there on. Of a reduction or product all elements are inputs of each result.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/exec/Shadow.h"
#include <cmath>

namespace trisect::interp {

namespace {

/// One flag an element of the value, if its type is a float: finite or not.
std::vector<uint8_t> finiteElements(const Value &value, DType type, const Shape &shape) {
  unsigned size = byteSize(type);
  std::vector<char> data(static_cast<size_t>(shape.elements) * size + 64);
  copyOut(value, type, shape, 0, shape.elements, data.data());
  std::vector<uint8_t> flags(static_cast<size_t>(shape.elements));
  for (size_t n = 0; n < flags.size(); ++n) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + n * size, size);
    flags[n] = std::isfinite(toDouble(bits, type));
  }
  return flags;
}

} // namespace

bool Shadow::isFiniteAt(SlotId slot, int64_t lane) {
  DType type = s.type(slot);
  if (!isFloat(type))
    return true;
  uint64_t bits = 0;
  copyOut(s.slot(slot), type, s.shape(slot), lane, 1, &bits);
  return std::isfinite(toDouble(bits, type));
}

void Shadow::noteFinite(const Instr &i) {
  auto count = static_cast<size_t>(s.program.elements(s.resultSlot(i)));
  finite.assign(count, 1);
  for (unsigned n = 0; n < i.numOperands; ++n) {
    SlotId slot = s.operandSlot(i, n);
    if (!s.has(i, n) || !isFloat(s.type(slot)))
      continue;
    std::vector<uint8_t> flags = finiteElements(s.slot(slot), s.type(slot), s.shape(slot));
    if (i.opcode == Opcode::Elementwise)
      for (size_t lane = 0; lane < count; ++lane)
        finite[lane] &= flags[lane];
    else if (std::memchr(flags.data(), 0, flags.size()))
      finite.assign(count, 0);
  }
}

void Shadow::checkFinite(const Instr &i) {
  SlotId slot = s.resultSlot(i);
  std::vector<uint8_t> flags = finiteElements(s.slot(slot), s.type(slot), s.shape(slot));
  Shade &result = shade(slot);
  TaintLanes lanes;
  for (size_t n = 0; n < flags.size(); ++n) {
    if (flags[n] || !finite[n] || result.at(static_cast<int64_t>(n)))
      continue;
    if (lanes.empty()) {
      lanes.resize(flags.size());
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        lanes[lane] = result.at(static_cast<int64_t>(lane));
      births[indexOf(i)] = {"all its inputs are finite", Views::none, 0};
    }
    lanes[n] = makeTaint(TaintKind::NotFinite, indexOf(i));
  }
  if (!lanes.empty())
    result.setLanes(std::move(lanes));
}

} // namespace trisect::interp
