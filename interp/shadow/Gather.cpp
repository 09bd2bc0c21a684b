//===- Gather.cpp - taints through a gather along an axis -----------------------------------------------===//
#include "interp/shadow/Decide.h"
#include "interp/shadow/Strided.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

void travelGather(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  decides(travel, i, 1, "the index of a gather", true);
  SlotId slot = s.resultSlot(i);
  const Taints source = travel.operand(i, 0), index = travel.operand(i, 1);
  const Shape &from = s.shape(s.operandSlot(i, 0)), &to = s.shape(slot);
  DType type = s.type(s.operandSlot(i, 1));
  auto axis = static_cast<size_t>(i.attribute);
  int64_t reach = from.dims[axis];
  Value keep;
  const char *indices = denseOperand(s, i, 1, keep);
  std::vector<int64_t> strides = elementStrides(from);
  int64_t step = strides[axis];
  strides[axis] = 0;
  TaintLanes lanes(static_cast<size_t>(to.elements), 0);
  bool any = false;
  strided(to.dims, strides, [&](int64_t at, int64_t element) {
    uint64_t bits = 0;
    std::memcpy(&bits, indices + at * byteSize(type), byteSize(type));
    int64_t number = signedBits(bits, type);
    Taint taint = mattersAsAddress(index.at(at)) ? 0 : index.at(at);
    if (!taint && (number < 0 || number >= reach)) {
      if (travel.has(FaultKind::UndefinedValue)) {
        taint = makeTaint(TaintKind::Undefined, travel.indexOf(i));
        travel.births[travel.indexOf(i)] = {"the index " + std::to_string(number) +
                                                " lies outside an extent of " + std::to_string(reach),
                                            Views::none, 0};
      }
    } else if (!taint) {
      taint = source.at(element + number * step);
    }
    lanes[static_cast<size_t>(at)] = taint;
    any |= taint != 0;
  });
  Taints &result = travel.of(slot);
  result.tensor = source.tensor;
  if (any)
    result.setLanes(std::move(lanes));
  else
    result.clean();
}

} // namespace trisect::interp
