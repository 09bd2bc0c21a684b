//===- Extent.cpp - strides sorted, gaps found ----------------------------------------------------------===//
#include "interp/memory/Extent.h"
#include <algorithm>
#include <cstdlib>

namespace trisect::interp {

Extent::Extent(const TensorView &view)
    : from(view.address), to(view.address), size(byteSize(view.type)), run(size), rank(view.shape.size()) {
  for (size_t d = 0; d < rank; ++d) {
    if (view.shape[d] <= 0) {
      solid = true;
      return;
    }
    single &= view.shape[d] == 1;
    int64_t stride = view.strides[d] * size;
    if (view.shape[d] == 1 || stride == 0)
      continue;
    int64_t reach = (view.shape[d] - 1) * stride;
    (reach < 0 ? from : to) += uint64_t(reach);
    steps.push_back({view.shape[d], std::abs(stride), static_cast<int>(d), stride < 0});
  }
  to += uint64_t(size);
  std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) {
    return a.stride != b.stride ? a.stride > b.stride : a.dim < b.dim;
  });
  // Inner steps that continue the run without a gap belong to it.
  outer = steps.size();
  while (outer > 0 && steps[outer - 1].stride <= run) {
    const Step &step = steps[outer - 1];
    run += (step.extent - 1) * step.stride;
    --outer;
  }
  solid = outer == 0;
  // With nested steps a greedy division finds the element; otherwise views overlap themselves.
  int64_t inside = run;
  for (size_t n = outer; n-- > 0;) {
    nested &= steps[n].stride >= inside;
    inside += (steps[n].extent - 1) * steps[n].stride;
  }
}

bool Extent::contains(uint64_t address, int64_t bytes) const {
  if (address < from || address > to || uint64_t(bytes) > to - address)
    return false;
  if (solid || !nested)
    return true;
  int64_t rest = static_cast<int64_t>(address - from);
  for (size_t n = 0; n < outer; ++n) {
    int64_t at = std::min(rest / steps[n].stride, steps[n].extent - 1);
    rest -= at * steps[n].stride;
  }
  return rest + bytes <= run;
}

std::vector<int64_t> Extent::indexOf(uint64_t address) const {
  std::vector<int64_t> index(rank, 0);
  auto rest = static_cast<int64_t>(address - from);
  if (single && rank > 0)
    index.back() = rest / size - (rest % size < 0);
  for (size_t n = 0; n < steps.size(); ++n) {
    const Step &step = steps[n];
    int64_t at = rest / step.stride;
    if (rest < 0 && rest % step.stride)
      --at;
    // In a gap a dimension leaves its shape; where dimensions overlap the inner one stays inside.
    if (n > 0 && step.extent * step.stride > steps[n - 1].stride)
      at = std::min(at, step.extent - 1);
    rest -= at * step.stride;
    index[step.dim] = step.reversed ? step.extent - 1 - at : at;
  }
  return index;
}

void Extent::forRuns(const std::function<void(uint64_t, int64_t)> &visit) const {
  if (empty())
    return;
  if (!nested) {
    visit(from, static_cast<int64_t>(to - from));
    return;
  }
  std::vector<int64_t> index(outer, 0);
  uint64_t address = from;
  while (true) {
    visit(address, run);
    size_t n = outer;
    for (; n-- > 0;) {
      address += uint64_t(steps[n].stride);
      if (++index[n] < steps[n].extent)
        break;
      address -= uint64_t(steps[n].stride) * uint64_t(index[n]);
      index[n] = 0;
    }
    if (n == size_t(-1))
      return;
  }
}

} // namespace trisect::interp
