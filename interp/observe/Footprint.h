//===- Footprint.h - where in the tensors of a launch an address lies -----------------------------------===//
//
// What: finds the tensor behind an address and counts accesses to its elements in row-major order, by granule
// and by program. Why: a footprint is drawn over the tensor as its user indexes it, whatever its strides.
// Limits: tensors whose elements overlap one another are counted at one of the indices that an address has.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_FOOTPRINT_H
#define TRISECT_INTERP_OBSERVE_FOOTPRINT_H

#include "core/support/LaunchRecord.h"
#include <span>

namespace trisect::interp {

/// One tensor of a launch as ranges of addresses.
class TensorMap {
public:
  /// Tensors of more elements than this are counted in larger granules.
  static constexpr int64_t mostGranules = 1 << 16;

  explicit TensorMap(const TensorView &view);

  bool holds(uint64_t address) const { return address >= low && address < high; }
  int64_t granule() const { return granuleSize; }
  int64_t granules() const { return (elements + granuleSize - 1) / granuleSize; }

  /// Calls visit(granule, elements) for the elements of [address, address + bytes), which begins inside.
  template <typename Visit> void forEachGranule(uint64_t address, int64_t bytes, Visit visit) const {
    int64_t count = (bytes + size - 1) / size;
    int64_t offset = static_cast<int64_t>(address - low) / size;
    while (count > 0 && offset < span) {
      auto [index, step, run] = locate(offset);
      run = run < count ? run : count;
      for (int64_t at = index, left = run; left > 0;) {
        int64_t number = at / granuleSize;
        int64_t here = step == 1 ? std::min(left, (number + 1) * granuleSize - at) : 1;
        visit(number, here);
        at += here * step;
        left -= here;
      }
      offset += run;
      count -= run;
    }
  }

private:
  struct Place {
    int64_t index; ///< row-major
    int64_t step;  ///< of the index from one element in memory to the next
    int64_t run;   ///< elements in memory for which that holds
  };
  /// `offset` counts elements from `low`.
  Place locate(int64_t offset) const;

  struct Axis {
    int64_t extent, stride, weight; ///< weight: of its index in the row-major one
    bool backward;
  };
  std::vector<Axis> axes; ///< by falling stride
  uint64_t low = 0, high = 0;
  int64_t size = 1, elements = 1, span = 1, granuleSize = 1;
};

/// The tensors of a launch.
class TensorMaps {
public:
  explicit TensorMaps(std::span<const TensorView> views);
  /// The tensor that holds an address, or -1.
  int find(uint64_t address) const;
  const TensorMap &operator[](int number) const { return maps[number]; }

private:
  std::vector<TensorMap> maps;
  mutable int last = 0;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_FOOTPRINT_H
