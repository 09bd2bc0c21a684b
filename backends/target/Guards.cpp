//===- Guards.cpp - whether a launch is one that compiled code was made for -----------------------------===//
#include "backends/target/Guards.h"
#include <algorithm>
#include <array>

namespace trisect {

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

bool areDisjoint(const std::vector<uint32_t> &arguments, const LaunchRequest &request) {
  // Each launch asks: few tensors take no memory.
  std::array<Range, 16> few;
  std::vector<Range> many(arguments.size() > few.size() ? arguments.size() : 0);
  Range *ranges = many.empty() ? few.data() : many.data(), *end = ranges;
  auto view = request.tensors.begin(); // mostly as arguments are, one after the other
  for (uint32_t argument : arguments) {
    auto isOfArgument = [&](const TensorView &candidate) { return candidate.argument == argument; };
    view = std::find_if(view, request.tensors.end(), isOfArgument);
    if (view == request.tensors.end())
      view = std::find_if(request.tensors.begin(), request.tensors.end(), isOfArgument);
    if (view == request.tensors.end())
      return false;
    Range range = rangeOf(*view);
    if (range.begin >= range.end)
      continue;
    if (std::any_of(ranges, end,
                    [&](Range other) { return range.begin < other.end && other.begin < range.end; }))
      return false;
    *end++ = range;
  }
  return true;
}
} // namespace

bool holds(const Guard &guard, const LaunchRequest &request) {
  switch (guard.kind) {
  case Guard::Kind::Disjoint:
    return areDisjoint(guard.arguments, request);
  }
  return false;
}

bool holds(const Artifact &artifact, const LaunchRequest &request) {
  return std::all_of(artifact.guards.begin(), artifact.guards.end(),
                     [&](const Guard &guard) { return holds(guard, request); });
}

} // namespace trisect
