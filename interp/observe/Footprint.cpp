//===- Footprint.cpp - from addresses to indices --------------------------------------------------------===//
#include "interp/observe/Footprint.h"
#include <algorithm>
#include <cstdlib>

namespace trisect::interp {

TensorMap::TensorMap(const TensorView &view) : size(std::max(1u, byteSize(view.type))) {
  low = view.address;
  for (size_t d = view.shape.size(); d-- > 0;) {
    int64_t extent = view.shape[d], stride = view.strides[d];
    if (extent > 1 && stride != 0)
      axes.push_back({extent, std::abs(stride), elements, stride < 0});
    if (stride < 0 && extent > 1)
      low -= static_cast<uint64_t>(-stride * (extent - 1) * size);
    elements *= extent;
  }
  std::ranges::sort(axes, [](const Axis &a, const Axis &b) { return a.stride > b.stride; });
  for (const Axis &axis : axes)
    span += axis.stride * (axis.extent - 1);
  if (elements == 0)
    span = 0;
  high = low + static_cast<uint64_t>(span * size);
  while (elements > granuleSize * mostGranules)
    granuleSize *= 2;
}

TensorMap::Place TensorMap::locate(int64_t offset) const {
  Place place{0, 1, 1};
  for (const Axis &axis : axes) {
    int64_t at = std::min(offset / axis.stride, axis.extent - 1);
    offset -= at * axis.stride;
    place.index += (axis.backward ? axis.extent - 1 - at : at) * axis.weight;
    if (axis.stride == 1 && !axis.backward)
      place = {place.index, axis.weight, axis.extent - at};
  }
  return place;
}

TensorMaps::TensorMaps(std::span<const TensorView> views) {
  for (const TensorView &view : views)
    maps.emplace_back(view);
}

int TensorMaps::find(uint64_t address) const {
  if (last < static_cast<int>(maps.size()) && maps[last].holds(address))
    return last;
  for (int number = 0; number < static_cast<int>(maps.size()); ++number)
    if (maps[number].holds(address))
      return last = number;
  return -1;
}

} // namespace trisect::interp
