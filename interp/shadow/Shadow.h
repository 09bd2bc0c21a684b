//===- Shadow.h - the rider of shadow mode --------------------------------------------------------------===//
//
// What: around each instruction of a program instance taints travel, accesses are checked before they happen,
// defects are reported. Why: one step loop and one set of handlers serve every mode; the handlers never see a
// taint.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_SHADOW_H
#define TRISECT_INTERP_SHADOW_SHADOW_H

#include "interp/exec/Rider.h"
#include "interp/shadow/Checker.h"
#include "interp/shadow/Travel.h"

namespace trisect::interp {

class Shadow final : public Rider {
public:
  Shadow(ShadowRun &run, Instance &instance);

  void restart() override;
  void before(const Instr &i) override;
  void after(const Instr &i) override;
  bool tells(FaultKind kind) const override { return travel.has(kind); }
  std::unique_ptr<LaneRider> lanesOf(const Instr &i) override;

private:
  /// Whether the operations of a body must be looked at, one by one.
  bool follows(const Instr &i);

  Travel travel;
  std::vector<std::unique_ptr<Checker>> checkers;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_SHADOW_H
