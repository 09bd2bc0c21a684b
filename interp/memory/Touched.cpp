//===- Touched.cpp - marks by place ---------------------------------------------------------------------===//
#include "interp/memory/Touched.h"
#include <algorithm>

namespace trisect::interp {

namespace {

constexpr int64_t mostElements = 65536, mostSlots = 4 * mostElements;

int64_t elementsOf(const TensorView &view) {
  int64_t count = 1;
  for (int64_t extent : view.shape)
    if (extent <= 0 || (count *= extent) > mostElements)
      return 0;
  return count;
}

} // namespace

Touched::Touched(const Views &views) : views(views), planes(views.size()) {
  for (size_t n = 0; n < planes.size(); ++n) {
    const RegisteredView &registered = views[static_cast<int32_t>(n)];
    Plane &plane = planes[n];
    plane.low = registered.extent.low();
    plane.size = byteSize(registered.view.type);
    uint64_t span = (registered.extent.high() - plane.low) / uint64_t(plane.size);
    if (elementsOf(registered.view) && span <= uint64_t(mostSlots))
      plane.slots = static_cast<int64_t>(span);
  }
}

void Touched::put(Plane &plane, uint64_t address, int64_t step, unsigned size, int64_t count, uint8_t marks) {
  if (plane.marks.empty())
    plane.marks.resize(static_cast<size_t>(plane.slots));
  uint8_t *bytes = plane.marks.data(); // kept out of the loops, whose stores could change any byte
  auto offset = static_cast<int64_t>(address - plane.low);
  if (step == plane.size && size == plane.size && offset % plane.size == 0) {
    int64_t from = std::clamp<int64_t>(offset / plane.size, 0, plane.slots);
    int64_t to = std::clamp<int64_t>(offset / plane.size + count, from, plane.slots);
    for (int64_t at = from; at < to; ++at)
      bytes[at] |= marks;
    return;
  }
  for (int64_t n = 0; n < (step ? count : 1); ++n, offset += step) {
    if (offset < 0)
      continue;
    int64_t to = std::min((offset + int64_t(size) - 1) / plane.size + 1, plane.slots);
    for (int64_t at = offset / plane.size; at < to; ++at)
      bytes[at] |= marks;
  }
}

std::vector<uint8_t> Touched::of(int32_t view) const {
  const Plane &plane = planes[static_cast<size_t>(view)];
  const TensorView &tensor = views[view].view;
  if (!plane.slots)
    return {};
  std::vector<uint8_t> found(static_cast<size_t>(elementsOf(tensor)), 0);
  if (plane.marks.empty())
    return found;
  std::vector<int64_t> index(tensor.shape.size(), 0);
  int64_t slot = static_cast<int64_t>(tensor.address - plane.low) / plane.size;
  for (uint8_t &mark : found) {
    mark = plane.marks[static_cast<size_t>(slot)];
    for (size_t d = index.size(); d-- > 0;) {
      slot += tensor.strides[d];
      if (++index[d] < tensor.shape[d])
        break;
      slot -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
  return found;
}

} // namespace trisect::interp
