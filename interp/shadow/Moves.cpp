//===- Moves.cpp - taints through moves and shape operations --------------------------------------------===//
//
// A shape operation moves the taint of each element with it: result element r has the taint of the source
// element that strides name. Clean sources, nearly all, cost nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Strided.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

/// The taints of the results' elements.
std::vector<TaintLanes> moved(const Travel &travel, const Instr &i, const Taints &source,
                              const Taints &second) {
  const Instance &s = travel.s;
  const Shape &from = s.shape(s.operandSlot(i, 0));
  const Shape &to = s.shape(s.resultSlot(i));
  auto count = static_cast<size_t>(to.elements);
  std::vector<TaintLanes> results(i.numResults, TaintLanes(count, 0));
  auto put = [&](int64_t at, Taint taint) { results[0][static_cast<size_t>(at)] = taint; };
  switch (i.opcode) {
  case Opcode::Broadcast: {
    std::vector<int64_t> strides = elementStrides(from);
    for (size_t d = 0; d < strides.size(); ++d)
      if (from.dims[d] == 1)
        strides[d] = 0;
    strided(to.dims, strides, [&](int64_t at, int64_t element) { put(at, source.at(element)); });
    break;
  }
  case Opcode::Transpose: {
    std::vector<int64_t> own = elementStrides(from), strides(own.size());
    for (size_t d = 0; d < own.size(); ++d)
      strides[d] = own[static_cast<size_t>(s.program.extra(i).ints[d])];
    strided(to.dims, strides, [&](int64_t at, int64_t element) { put(at, source.at(element)); });
    break;
  }
  case Opcode::Cat:
    for (int64_t n = 0; n < from.elements; ++n) {
      put(n, source.at(n));
      put(from.elements + n, second.at(n));
    }
    break;
  case Opcode::Join:
    for (int64_t n = 0; n < from.elements; ++n) {
      put(2 * n, source.at(n));
      put(2 * n + 1, second.at(n));
    }
    break;
  case Opcode::Split:
    for (int64_t n = 0; n < to.elements; ++n) {
      put(n, source.at(2 * n));
      results[1][static_cast<size_t>(n)] = source.at(2 * n + 1);
    }
    break;
  default: // the same elements in the same order
    for (int64_t n = 0; n < to.elements; ++n)
      put(n, source.at(from.elements == 1 ? 0 : n));
  }
  return results;
}

} // namespace

void travelElements(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  const Taints source = travel.operand(i, 0);
  Taints second;
  bool pair = i.opcode == Opcode::Cat || i.opcode == Opcode::Join;
  if (pair)
    second = travel.operand(i, 1);
  int32_t tensor = !pair || source.tensor == second.tensor ? source.tensor : Taints::unknown;
  for (unsigned n = 0; n < i.numResults; ++n) {
    Taints &result = travel.of(s.resultSlot(i, n));
    result.tensor = tensor;
    result.lanes.reset();
    result.all = source.all;
  }
  bool uniform = !source.lanes && (!pair || (!second.lanes && second.all == source.all));
  if (uniform)
    return;
  std::vector<TaintLanes> lanes = moved(travel, i, source, second);
  for (unsigned n = 0; n < i.numResults; ++n)
    travel.of(s.resultSlot(i, n)).setLanes(std::move(lanes[n]));
}

} // namespace trisect::interp
