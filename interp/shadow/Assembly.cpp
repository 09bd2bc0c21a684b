//===- Assembly.cpp - taints through inline assembly ----------------------------------------------------===//
//
// The text runs again with other bits in its tainted elements: a result that differs depends on them,
// whatever the instructions are. Limits: a dependence that none of the trials shows goes unnoticed;
// so does all that goes through a text that reads a clock, which differs by itself.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ptx/AsmText.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/AsmBlock.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

constexpr int trials = 6;

/// Bits for a tainted element: all clear, all set, then mixed ones.
uint64_t trialBits(int trial, int64_t element) {
  if (trial < 2)
    return trial ? ~uint64_t(0) : 0;
  uint64_t bits = (uint64_t(trial) << 32 ^ uint64_t(element)) * 0x9e3779b97f4a7c15u;
  return (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
}

} // namespace

void travelAssembly(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  std::vector<Taints> known(i.numOperands);
  bool any = false;
  for (unsigned n = 0; n < i.numOperands; ++n) {
    known[n] = travel.operand(i, n);
    any |= known[n].tainted();
  }
  travel.clean(i);
  if (!any || static_cast<const AsmProgram *>(s.program.extra(i).owner.get())->readsClock)
    return;
  int64_t elements = s.elements(i, s.resultSlot(i)), pack = static_cast<int64_t>(i.attribute);
  auto count = static_cast<size_t>(elements);
  TaintLanes groups(static_cast<size_t>((elements + pack - 1) / pack), 0);
  std::vector<std::vector<char>> data(i.numOperands), first(i.numResults), now(i.numResults);
  std::vector<const char *> inputs;
  std::vector<char *> outputs;
  for (unsigned n = 0; n < i.numOperands; ++n) {
    Value keep;
    const char *from = denseOperand(s, i, n, keep);
    data[n].assign(from, from + elements * byteSize(s.type(s.operandSlot(i, n))));
    inputs.push_back(data[n].data());
  }
  for (unsigned n = 0; n < i.numResults; ++n) {
    now[n].resize(count * byteSize(s.type(s.resultSlot(i, n))));
    outputs.push_back(now[n].data());
  }
  std::vector<TaintLanes> lanes(i.numResults, TaintLanes(count, 0));
  for (int trial = 0; trial < trials; ++trial) {
    for (unsigned n = 0; n < i.numOperands; ++n) {
      unsigned size = byteSize(s.type(s.operandSlot(i, n)));
      for (int64_t at = 0; known[n].tainted() && at < elements; ++at) {
        Taint taint = known[n].at(at);
        if (!taint || mattersAsAddress(taint))
          continue;
        if (Taint &group = groups[static_cast<size_t>(at / pack)]; !group)
          group = taint;
        uint64_t bits = trialBits(trial, at);
        std::memcpy(data[n].data() + at * size, &bits, size);
      }
    }
    runAsm(s, i, inputs, outputs);
    for (unsigned n = 0; n < i.numResults; ++n) {
      unsigned size = byteSize(s.type(s.resultSlot(i, n)));
      for (size_t at = 0; trial && at < count; ++at)
        if (std::memcmp(first[n].data() + at * size, now[n].data() + at * size, size) != 0)
          lanes[n][at] = groups[at / static_cast<size_t>(pack)];
      if (!trial)
        first[n] = now[n];
    }
  }
  for (unsigned n = 0; n < i.numResults; ++n)
    travel.of(s.resultSlot(i, n)).setLanes(std::move(lanes[n]));
}

} // namespace trisect::interp
