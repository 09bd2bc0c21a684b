//===- Touched.h - which elements of a tensor a launch has accessed -------------------------------------===//
//
// What: for each small tensor of the launch, element by element, whether it was read and whether it was
// written so far. Why: a report draws the plane of the tensor with what was touched and what was missed.
// Limits: tensors of more than 65,536 elements, and those that stretch over four times as many, are left out;
// an access counts where it lies in the view.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_TOUCHED_H
#define TRISECT_INTERP_MEMORY_TOUCHED_H

#include "interp/memory/Views.h"

namespace trisect::interp {

class Touched {
public:
  enum Mark : uint8_t { Read = 1, Written = 2 };

  explicit Touched(const Views &views);

  bool watches(int32_t view) const { return planes[static_cast<size_t>(view)].slots != 0; }
  /// Of a view that is watched: `count` elements of `size` bytes, `step` bytes apart.
  void mark(int32_t view, uint64_t address, int64_t step, unsigned size, int64_t count, uint8_t marks) {
    put(planes[static_cast<size_t>(view)], address, step, size, count, marks);
  }
  /// One byte an element, row-major; empty for tensors that are left out.
  std::vector<uint8_t> of(int32_t view) const;

private:
  /// A byte for each place that an element of the view's type has between its lowest and highest byte.
  struct Plane {
    uint64_t low = 0;
    int64_t size = 1;
    int64_t slots = 0; ///< 0: left out
    std::vector<uint8_t> marks;
  };
  static void put(Plane &plane, uint64_t address, int64_t step, unsigned size, int64_t count, uint8_t marks);

  const Views &views;
  std::vector<Plane> planes;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_TOUCHED_H
