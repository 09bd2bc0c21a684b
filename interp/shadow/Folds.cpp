//===- Folds.cpp - taints through reductions and scans --------------------------------------------------===//
//
// A reduction by one known operation depends on every element of its line. Any other body runs under the eyes
// of the shadow, over the taints of its lanes (LaneTaints.h): what its operations drop is clean.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

void foldLines(Travel &travel, const Instr &i, const Taints &source) {
  Instance &s = travel.s;
  const Extra &extra = s.program.extra(i);
  Taints &result = travel.of(s.resultSlot(i));
  if (!source.lanes) {
    result.setAll(undefinedOnly(source.all));
    return;
  }
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  auto axis = static_cast<size_t>(i.attribute);
  int64_t length = shape.dims[axis], inner = 1;
  for (size_t d = axis + 1; d < shape.dims.size(); ++d)
    inner *= shape.dims[d];
  int64_t outer = shape.elements / length / inner;
  bool scans = i.opcode == Opcode::Scan, reversed = scans && extra.ints[0];
  TaintLanes lanes(static_cast<size_t>(scans ? shape.elements : outer * inner), 0);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t k = 0; k < inner; ++k) {
      Taint sum = 0;
      for (int64_t n = 0; n < length; ++n) {
        int64_t at = (o * length + (reversed ? length - 1 - n : n)) * inner + k;
        if (!sum)
          sum = undefinedOnly(source.at(at));
        if (scans)
          lanes[static_cast<size_t>(at)] = sum;
      }
      if (!scans)
        lanes[static_cast<size_t>(o * inner + k)] = sum;
    }
  result.setLanes(std::move(lanes));
}

/// Sums that do not fit their type.
void foldSums(Travel &travel, const Instr &i) {
  SlotId slot = travel.s.resultSlot(i);
  TaintLanes lanes;
  for (Checker *each : travel.checkers)
    each->spoil(i, lanes, travel.s.program.elements(slot));
  if (!lanes.empty())
    travel.of(slot).setLanes(std::move(lanes));
}

} // namespace

void travelLanes(Travel &travel, const Instr &i) { travel.clean(i); }

void travelFold(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  const Taints source = travel.operand(i, 0);
  travel.clean(i);
  if (!s.program.extra(i).region.single || i.numOperands != 1)
    return; // the body tells, see follows()
  if (source.tainted())
    foldLines(travel, i, source);
  else if (travel.plan(i) & ShadowWraps)
    foldSums(travel, i);
}

} // namespace trisect::interp
