//===- LaneTaints.h - taints beside the elements of a region's lanes ------------------------------------===//
//
// What: in shadow mode the taints of what a reduce, scan or map hands to its body, in the order of its lanes,
// and the way back to its results. Why: the body's own operations decide which elements of its arguments a
// result depends on. Limits: exists only where an operand is tainted or the body may make a taint; otherwise
// every call returns at once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_LANETAINTS_H
#define TRISECT_INTERP_OPS_LANETAINTS_H

#include "interp/ops/Lanes.h"

namespace trisect::interp {

class LaneTaints {
public:
  LaneTaints(Instance &instance, const Instr &instr, RegionRunner &runner);

  /// Takes the operands with an axis first, as axisFirst() does.
  void takeAxisFirst(int axis, bool reversed);
  /// The body's arguments are the `lanes` elements from `left` on, and those from `right` on.
  void combine(int64_t left, int64_t right, int64_t lanes);
  /// The results of the body stand for all elements (reduce), or for those from `right` on (scan).
  void replace();
  void put(int64_t right);
  /// Hands the elements to the results of the instruction: as they are, or out of axis-first order.
  void give();
  void giveAxisFirst(int axis, bool reversed);

  /// Groups of `pack` neighbours of each operand as arguments, and back.
  void takePacked(int64_t pack);
  void givePacked(int64_t pack);

private:
  Instance &s;
  const Instr &i;
  RegionRunner &runner;
  std::vector<TaintLanes> lists; ///< by operand
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_LANETAINTS_H
