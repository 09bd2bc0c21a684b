//===- Extent.h - the bytes that a view can reach -------------------------------------------------------===//
//
// What: the lowest and highest byte of a strided view, whether it has gaps, whether an address is one of its
// bytes, and the index of an address by dimension. Why: bounds are those of the view that was passed, not of
// its allocation. Limits: overlapping views (strides of zero, windows) give one of the possible indices.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_EXTENT_H
#define TRISECT_INTERP_MEMORY_EXTENT_H

#include "core/support/Launch.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace trisect::interp {

class Extent {
public:
  explicit Extent(const TensorView &view);

  bool empty() const { return from == to; }
  uint64_t low() const { return from; }
  uint64_t high() const { return to; } ///< one past the last byte
  /// True if every byte between low and high belongs to an element.
  bool dense() const { return solid; }
  /// Whether all bytes [address, address + bytes) belong to elements.
  bool contains(uint64_t address, int64_t bytes) const;
  /// The index of the element at or before an address, also of one outside the view: there the outermost
  /// dimension leaves its shape, in a gap an inner one.
  std::vector<int64_t> indexOf(uint64_t address) const;
  /// Calls visit(address, bytes) for each run of neighbouring elements, in ascending order.
  void forRuns(const std::function<void(uint64_t, int64_t)> &visit) const;

private:
  struct Step {
    int64_t extent, stride; ///< the stride in bytes, positive
    int dim;                ///< of the view
    bool reversed;
  };

  uint64_t from, to;
  int64_t size, run; ///< bytes of an element, of a run without gaps
  size_t rank;
  bool single = true; ///< one element: the last dimension leaves the shape
  bool solid = true, nested = true;
  std::vector<Step> steps; ///< by descending stride, without unit dimensions and those of stride zero
  size_t outer = 0;        ///< steps that lie around a run
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_EXTENT_H
