//===- LaneTaints.h - taints beside the elements of a region's lanes ------------------------------------===//
//
// What: in shadow mode the taints of what a reduce, scan or map hands to its body, in the order of its lanes,
// and the way back to its results. Why: the body's own operations decide which elements of its arguments a
// result depends on. Limits: exists only where an operand is tainted or the body may make a taint.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_LANETAINTS_H
#define TRISECT_INTERP_SHADOW_LANETAINTS_H

#include "interp/exec/Rider.h"
#include "interp/shadow/Travel.h"

namespace trisect::interp {

class LaneTaints final : public LaneRider {
public:
  LaneTaints(Travel &travel, const Instr &instr);

  void takeAxisFirst(int axis, bool reversed) override;
  void combine(int64_t left, int64_t right, int64_t lanes) override;
  void replace() override;
  void put(int64_t at) override;
  void give() override;
  void giveAxisFirst(int axis, bool reversed) override;
  void takePacked(int64_t pack) override;
  void givePacked(int64_t pack) override;
  void begin(int64_t lanes) override;
  void enter(int64_t lane) override;
  void leave(int64_t lane, int64_t lanes) override;

private:
  void setTaints(unsigned n, TaintLanes taints) { travel.of(s.resultSlot(i, n)).setLanes(std::move(taints)); }

  Travel &travel;
  Instance &s;
  const Instr &i;
  const RegionInfo &region;
  std::vector<TaintLanes> lists;              ///< by operand
  std::vector<TaintLanes> arguments, results; ///< of the present run of the body
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_LANETAINTS_H
