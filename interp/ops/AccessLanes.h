//===- AccessLanes.h - going through the lanes of an access ---------------------------------------------===//
//
// What: the pieces of rows of an access, and its active lanes as runs. Templates, so that what is done with a
// row compiles into the loop.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_ACCESSLANES_H
#define TRISECT_INTERP_OPS_ACCESSLANES_H

#include "interp/exec/Fetch.h"
#include "interp/ops/Access.h"
#include <algorithm>

namespace trisect::interp {

/// Lanes whose addresses are listed at a time.
constexpr int64_t accessChunk = 1024;

/// Calls visit(address of the row's first piece, elements before it, length, first active, one past the last
/// active), the last two counted from the piece's start.
template <typename Visit> void Access::rows(int64_t offset, int64_t count, Visit visit) const {
  int inner = rank - 1;
  int64_t index[maxSymbolicRank + 1];
  int64_t row = offset / dims[inner], column = offset % dims[inner];
  uint64_t start = base;
  for (int d = inner - 1; d >= 0; --d) {
    index[d] = row % dims[d];
    row /= dims[d];
    start += uint64_t(index[d]) * uint64_t(strides[d]);
  }
  int64_t done = 0;
  while (done < count) {
    int64_t length = std::min(dims[inner] - column, count - done);
    int64_t first = 0, last = length;
    if (boxed) {
      first = std::clamp<int64_t>(low[inner] - column, 0, length);
      last = std::clamp<int64_t>(high[inner] - column, first, length);
      for (int d = 0; d < inner; ++d)
        if (index[d] < low[d] || index[d] >= high[d])
          last = first;
    }
    visit(start + uint64_t(column) * uint64_t(strides[inner]), done, length, first, last);
    done += length;
    column = 0;
    for (int d = inner - 1; d >= 0; --d) {
      start += uint64_t(strides[d]);
      if (++index[d] < dims[d])
        break;
      start -= uint64_t(strides[d]) * uint64_t(dims[d]);
      index[d] = 0;
    }
  }
}

/// Calls visit(first, length) for each run of active lanes.
template <typename Visit> void forRuns(const uint8_t *active, int64_t count, Visit visit) {
  for (int64_t at = 0; at < count;) {
    auto *first = static_cast<const uint8_t *>(std::memchr(active + at, 1, count - at));
    if (!first)
      return;
    at = first - active;
    auto *last = static_cast<const uint8_t *>(std::memchr(first, 0, count - at));
    int64_t run = last ? last - first : count - at;
    visit(at, run);
    at += run;
  }
}

template <typename Visit> void Access::forActive(Visit visit) const {
  if (kind == Kind::None)
    return;
  int64_t count = shape->elements;
  if (kind == Kind::Uniform)
    return visit(base, int64_t(0), int64_t(0), count);
  if (kind == Kind::Rows && !mask) {
    int64_t step = strides[rank - 1];
    rows(0, count, [&](uint64_t address, int64_t at, int64_t, int64_t first, int64_t last) {
      if (first < last)
        visit(address + uint64_t(first) * uint64_t(step), step, at + first, last - first);
    });
    return;
  }
  uint64_t addresses[accessChunk];
  uint8_t lanes[accessChunk];
  for (int64_t at = 0; at < count; at += accessChunk) {
    int64_t n = std::min(accessChunk, count - at);
    const uint8_t *active = nullptr;
    if (mask) {
      Strip strip = fetch(*mask, DType::I1, *shape, at, n, lanes);
      active = static_cast<const uint8_t *>(strip.data);
      if (!std::memchr(active, 1, size_t(n)))
        continue;
    }
    if (kind == Kind::Rows) {
      int64_t step = strides[rank - 1];
      rows(at, n, [&](uint64_t address, int64_t begin, int64_t length, int64_t, int64_t) {
        forRuns(active + begin, length, [&](int64_t first, int64_t run) {
          visit(address + uint64_t(first) * uint64_t(step), step, at + begin + first, run);
        });
      });
      continue;
    }
    Strip where = fetch(*pointer, DType::Ptr, *shape, at, n, addresses);
    auto *address = static_cast<const uint64_t *>(where.data);
    for (int64_t k = 0; k < n; ++k)
      if (!active || active[k])
        visit(address[where.splat ? 0 : k], int64_t(size), at + k, int64_t(1));
  }
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_ACCESSLANES_H
