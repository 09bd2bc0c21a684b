//===- Strided.h - steps through a block ----------------------------------------------------------------===//
//
// What: pairs of result and source elements where each dimension of a result steps through its source.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_STRIDED_H
#define TRISECT_INTERP_SHADOW_STRIDED_H

#include "interp/exec/Fetch.h"

namespace trisect::interp {

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

/// In elements.
inline std::vector<int64_t> elementStrides(const Shape &shape) {
  std::vector<int64_t> strides(shape.dims.size());
  rowMajor(shape, 1, strides.data());
  return strides;
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_STRIDED_H
