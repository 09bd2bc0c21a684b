//===- Overlap.cpp - whether a launch passes overlapping memory -----------------------------------------===//
#include "backends/cpu/Overlap.h"
#include <algorithm>

namespace trisect::cpu {

namespace {
struct Range {
  uint64_t begin, end;
};

Range rangeOf(const TensorView &view) {
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] == 0)
      return {view.address, view.address};
    int64_t reach = (view.shape[d] - 1) * view.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  uint64_t size = byteSize(view.type);
  return {view.address + low * size, view.address + (high + 1) * size};
}
} // namespace

bool argumentsAreDisjoint(const LaunchRequest &request, std::span<const unsigned> pointers) {
  std::vector<Range> ranges;
  for (unsigned argument : pointers) {
    auto view = std::find_if(request.tensors.begin(), request.tensors.end(),
                             [&](const TensorView &candidate) { return candidate.argument == argument; });
    if (view == request.tensors.end())
      return false;
    ranges.push_back(rangeOf(*view));
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end)
      return false;
  return true;
}

} // namespace trisect::cpu
