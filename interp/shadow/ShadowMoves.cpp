//===- ShadowMoves.cpp - taints through moves and shape operations --------------------------------------===//
//
// A shape operation moves the taint of each element with it: result element r has the taint of the source
// element that strides name. Clean sources, nearly all, cost nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Shadow.h"
#include <array>

namespace trisect::interp {

namespace {

/// Calls visit(result element, source element) for a result whose dimension d steps through the source by
/// stride[d].
template <typename Visit>
void strided(const std::vector<int64_t> &dims, const std::vector<int64_t> &strides, Visit visit) {
  std::vector<int64_t> index(dims.size(), 0);
  int64_t from = 0, at = 0, total = 1;
  for (int64_t extent : dims)
    total *= extent;
  while (at < total) {
    visit(at++, from);
    for (size_t d = dims.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < dims[d])
        break;
      from -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
}

std::vector<int64_t> elementStrides(const Shape &shape) {
  std::vector<int64_t> strides(shape.dims.size());
  rowMajor(shape, 1, strides.data());
  return strides;
}

} // namespace

void Shadow::doubtMoved(const Instr &i) {
  for (unsigned n = 0; n < i.numResults; ++n)
    if (Shade &result = shade(s.resultSlot(i, n)); !result.tainted())
      result.setAll(doubt);
}

void Shadow::move(const Instr &i) {
  if (i.numResults == 1) {
    shade(s.resultSlot(i)) = Shade(shadeOf(i, 0));
    if (doubt)
      doubtMoved(i);
    return;
  }
  std::vector<Shade> kept(i.numResults);
  for (unsigned n = 0; n < i.numResults; ++n)
    kept[n] = shadeOf(i, n);
  for (unsigned n = 0; n < i.numResults; ++n)
    shade(s.resultSlot(i, n)) = std::move(kept[n]);
  if (doubt)
    doubtMoved(i);
}

void Shadow::moveElements(const Instr &i) {
  const Shade source = shadeOf(i, 0);
  Shade second;
  bool pair = i.opcode == Opcode::Cat || i.opcode == Opcode::Join;
  if (pair)
    second = shadeOf(i, 1);
  int32_t tensor = !pair || source.tensor == second.tensor ? source.tensor : Shade::unknown;
  for (unsigned n = 0; n < i.numResults; ++n) {
    Shade &result = shade(s.resultSlot(i, n));
    result.tensor = tensor;
    result.lanes.reset();
    result.all = source.all;
  }
  bool uniform = !source.lanes && (!pair || (!second.lanes && second.all == source.all));
  if (uniform)
    return;
  const Shape &from = s.shape(s.operandSlot(i, 0));
  const Shape &to = s.shape(s.resultSlot(i));
  auto count = static_cast<size_t>(to.elements);
  TaintLanes lanes(count, 0);
  auto put = [&](int64_t at, Taint taint) { lanes[static_cast<size_t>(at)] = taint; };
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
  case Opcode::Split: {
    TaintLanes other(count, 0);
    for (int64_t n = 0; n < to.elements; ++n) {
      put(n, source.at(2 * n));
      other[static_cast<size_t>(n)] = source.at(2 * n + 1);
    }
    shade(s.resultSlot(i, 1)).setLanes(std::move(other));
    break;
  }
  default: // the same elements in the same order
    for (int64_t n = 0; n < to.elements; ++n)
      put(n, source.at(from.elements == 1 ? 0 : n));
  }
  shade(s.resultSlot(i)).setLanes(std::move(lanes));
}

void Shadow::gatherElements(const Instr &i) {
  decides(i, 1, "the index of a gather", true);
  SlotId slot = s.resultSlot(i);
  const Shade source = shadeOf(i, 0), index = shadeOf(i, 1);
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
      if (has(FaultKind::UndefinedValue)) {
        taint = makeTaint(TaintKind::Undefined, indexOf(i));
        births[indexOf(i)] = {"the index " + std::to_string(number) + " lies outside an extent of " +
                                  std::to_string(reach),
                              Views::none, 0};
      }
    } else if (!taint) {
      taint = source.at(element + number * step);
    }
    lanes[static_cast<size_t>(at)] = taint;
    any |= taint != 0;
  });
  Shade &result = shade(slot);
  result.tensor = source.tensor;
  if (any)
    result.setLanes(std::move(lanes));
  else
    result.clean();
}

} // namespace trisect::interp
