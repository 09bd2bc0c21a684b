//===- Lanes.h - running a region's body over many lanes ------------------------------------------------===//
//
// What: hands blocks of elements to the arguments of a region and takes its results back, all lanes at once
// where the body is straight elementwise code, else lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_LANES_H
#define TRISECT_INTERP_OPS_LANES_H

#include "interp/exec/Instance.h"
#include "interp/exec/Rider.h"

namespace trisect::interp {

class RegionRunner {
public:
  RegionRunner(Instance &instance, const Instr &instr);

  /// results[r] = body(args...), `lanes` elements each. Results are fresh blocks.
  void run(const std::vector<Value> &args, int64_t lanes, std::vector<Value> &results);
  /// Element type of argument or result `n`.
  DType argType(size_t n) const { return s.type(region.args[n]); }

  const RegionInfo &region;

  /// What rides along with the lanes; null if nobody looks at the body's operations.
  const std::unique_ptr<LaneRider> rider;

private:
  void runLane(const std::vector<Value> &args, int64_t lane, std::vector<Value> &results);

  Instance &s;
  uint32_t begin;
};

/// Operand `n` of an instruction along an axis as [length][rest]: the axis first, then all other dimensions.
Value axisFirst(Instance &instance, const Instr &instr, unsigned n, int axis, bool reversed);
/// A Dense value over part of the elements of another.
Value part(const Value &dense, int64_t bytes);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_LANES_H
