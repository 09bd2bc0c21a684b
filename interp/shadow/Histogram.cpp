//===- Histogram.cpp - taints through a histogram -------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

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

void travelHistogram(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  const Taints input = travel.operand(i, 0);
  travel.clean(i);
  Taints &result = travel.of(s.resultSlot(i));
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
    if ((bin < 0 || bin >= bins) && travel.has(FaultKind::UndefinedValue)) {
      travel.births[travel.indexOf(i)] = {"the value " + std::to_string(bin) + " lies outside " +
                                              std::to_string(bins) + " bins",
                                          Views::none, 0};
      result.setAll(makeTaint(TaintKind::Undefined, travel.indexOf(i)));
      return;
    }
  }
}

} // namespace trisect::interp
