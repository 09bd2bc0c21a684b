//===- ShadowBlocks.cpp - taints through reductions, scans and histograms -------------------------------===//
//
// A reduction by one known operation depends on every element of its line. Any other body runs under the eyes
// of the shadow, over the taints of its lanes: what its operations drop is clean. Where a tainted lane
// decides a branch of a body, which has no effect but its results, they carry the taint instead of a report.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Shadow.h"

namespace trisect::interp {

namespace {

/// Undefined values alone go on: a sum of wrapped numbers is nobody's address.
Taint undefinedOnly(Taint taint) { return mattersAsAddress(taint) ? 0 : taint; }

/// Where the two ways of a branch meet again.
uint32_t meetingPoint(const Instr *code, const Instr &i) {
  const Instr &last = code[i.target - 1];
  bool jumps = i.opcode == Opcode::Branch && last.opcode == Opcode::Jump && last.target > i.target;
  return jumps ? last.target : i.target;
}

/// Whether all numbers lie in [0, end), those that a mask leaves out apart.
template <typename T> bool allWithin(const char *data, const char *mask, int64_t count, int64_t end) {
  auto *numbers = reinterpret_cast<const T *>(data);
  bool within = true;
  if (!mask) {
    for (int64_t n = 0; n < count; ++n)
      within &= uint64_t(int64_t(numbers[n])) < uint64_t(end);
    return within;
  }
  for (int64_t n = 0; n < count; ++n)
    within &= !mask[n] || uint64_t(int64_t(numbers[n])) < uint64_t(end);
  return within;
}

} // namespace

bool Shadow::follows(const Instr &i) {
  if (s.program.extra(i).region.single && i.opcode != Opcode::Map && i.numOperands == 1)
    return false; // fold() knows it
  if (run.plan.flags[indexOf(i)] & ShadowBody)
    return true;
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (shadeOf(i, n).tainted())
      return true;
  return false;
}

TaintLanes Shadow::taintsOf(const Instr &i, unsigned n) {
  const Shade &known = shadeOf(i, n);
  TaintLanes taints(static_cast<size_t>(s.program.elements(s.operandSlot(i, n))));
  for (size_t lane = 0; lane < taints.size(); ++lane)
    taints[lane] = undefinedOnly(known.at(static_cast<int64_t>(lane)));
  return taints;
}

void Shadow::setTaints(const Instr &i, unsigned n, TaintLanes taints) {
  shade(s.resultSlot(i, n)).setLanes(std::move(taints));
}

void Shadow::enterRegion() {
  inRegion = true;
  doubt = 0;
}

void Shadow::leaveRegion() {
  inRegion = false;
  doubt = 0;
}

void Shadow::control(const Instr &i, unsigned n, const char *what) {
  if (!inRegion)
    return decides(i, n, what);
  Taint taint = shadeOf(i, n).all;
  if (doubt || !undefinedOnly(taint) || kindOf(taint) == TaintKind::NotFinite || i.opcode == Opcode::ForNext)
    return;
  doubt = taint;
  doubtEnd = meetingPoint(s.code, i);
  // A loop's results are what its passes leave in the carried slots, also if there is none.
  const Instr &last = s.code[i.target - 1];
  bool whileLoop = i.opcode == Opcode::Branch && last.opcode == Opcode::Jump && last.target <= indexOf(i);
  if (i.opcode == Opcode::ForTest || whileLoop)
    for (uint32_t at = whileLoop ? last.target : indexOf(i); at < i.target; ++at)
      if (s.code[at].opcode == Opcode::Move)
        doubtMoved(s.code[at]);
}

void Shadow::fold(const Instr &i) {
  const Shade source = shadeOf(i, 0);
  cleanResults(i);
  if (!s.program.extra(i).region.single || i.numOperands != 1)
    return; // the body tells, see follows()
  if (source.tainted())
    foldLines(i, source);
  else if (run.plan.flags[indexOf(i)] & ShadowWraps)
    findFoldWraps(i);
}

void Shadow::findFoldWraps(const Instr &i) {
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  SlotId slot = s.resultSlot(i);
  DType type = s.type(slot);
  unsigned size = byteSize(type);
  Value keep;
  const char *data = denseOperand(s, i, 0, keep);
  auto axis = static_cast<size_t>(i.attribute);
  int64_t length = shape.dims[axis], inner = 1;
  for (size_t d = axis + 1; d < shape.dims.size(); ++d)
    inner *= shape.dims[d];
  int64_t outer = shape.elements / length / inner;
  bool scans = i.opcode == Opcode::Scan, reversed = scans && s.program.extra(i).ints[0];
  __int128 half = __int128(1) << (bitWidth(type) - 1);
  TaintLanes lanes;
  auto check = [&](int64_t at, __int128 sum, int64_t terms) {
    if (sum >= -half && sum < half)
      return;
    if (lanes.empty()) {
      lanes.assign(static_cast<size_t>(s.program.elements(slot)), 0);
      births[indexOf(i)] = {"the sum of " + std::to_string(terms) + " elements does not fit " +
                                std::string(name(type)),
                            Views::none, 0};
    }
    lanes[static_cast<size_t>(at)] = makeTaint(TaintKind::Wrapped, indexOf(i));
  };
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t k = 0; k < inner; ++k) {
      __int128 sum = 0;
      for (int64_t n = 0; n < length; ++n) {
        int64_t at = (o * length + (reversed ? length - 1 - n : n)) * inner + k;
        uint64_t bits = 0;
        std::memcpy(&bits, data + at * size, size);
        sum += signedBits(bits, type);
        if (scans)
          check(at, sum, n + 1);
      }
      if (!scans)
        check(o * inner + k, sum, length);
    }
  if (!lanes.empty())
    shade(slot).setLanes(std::move(lanes));
}

void Shadow::foldLines(const Instr &i, const Shade &source) {
  const Extra &extra = s.program.extra(i);
  Shade &result = shade(s.resultSlot(i));
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

void Shadow::count(const Instr &i) {
  const Shade input = shadeOf(i, 0);
  cleanResults(i);
  Shade &result = shade(s.resultSlot(i));
  SlotId slot = s.operandSlot(i, 0);
  int64_t elements = s.program.elements(slot), bins = s.program.elements(s.resultSlot(i));
  DType type = s.type(slot);
  Value keep[2];
  const char *data = denseOperand(s, i, 0, keep[0]);
  const char *mask = s.has(i, 1) ? denseOperand(s, i, 1, keep[1]) : nullptr;
  if (!input.tainted() && type == DType::I32 && allWithin<int32_t>(data, mask, elements, bins))
    return;
  for (int64_t n = 0; n < elements; ++n) {
    if (mask && !mask[n])
      continue;
    uint64_t bits = 0;
    std::memcpy(&bits, data + n * byteSize(type), byteSize(type));
    int64_t bin = signedBits(bits, type);
    if (Taint taint = undefinedOnly(input.at(n))) {
      result.setAll(taint);
      return;
    }
    if ((bin < 0 || bin >= bins) && has(FaultKind::UndefinedValue)) {
      births[indexOf(i)] = {"the value " + std::to_string(bin) + " lies outside " + std::to_string(bins) +
                                " bins",
                            Views::none, 0};
      result.setAll(makeTaint(TaintKind::Undefined, indexOf(i)));
      return;
    }
  }
}

} // namespace trisect::interp
