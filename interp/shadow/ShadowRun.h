//===- ShadowRun.h - shadow mode for one launch ---------------------------------------------------------===//
//
// What: what all programs of a launch in shadow mode share: the settings, the plan, the tensors, who touched
// which byte, and the findings. Limits: one thread at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_SHADOWRUN_H
#define TRISECT_INTERP_SHADOW_SHADOWRUN_H

#include "core/support/Finding.h"
#include "core/support/Launch.h"
#include "interp/exec/Rider.h"
#include "interp/memory/Races.h"
#include "interp/memory/Touched.h"
#include "interp/memory/Views.h"
#include "interp/shadow/ShadowPlan.h"
#include <map>
#include <memory>

namespace trisect::interp {

class ShadowRun final : public Riders {
public:
  /// `memory`: that of the run; null for the process's own.
  ShadowRun(const Program &program, const LaunchRequest &request, const SanitizeOptions &options,
            MemoryPolicy *memory = nullptr);

  /// Throws the finding as a KernelFault, or counts it and comes back.
  void report(Finding finding, uint32_t location);
  /// Whether nothing of this kind was collected at this place.
  bool isNew(FaultKind kind, uint32_t location) const { return !known.contains(keyOf(kind, location)); }
  std::unique_ptr<Rider> along(Instance &instance) override;
  std::vector<Finding> take() override;

  const Program &program;
  const LaunchRequest &request;
  const SanitizeOptions options;
  const ShadowPlan plan;
  const Views views;
  Touched touched;
  std::unique_ptr<Races> races; ///< null if nothing asks for it

private:
  using Key = std::pair<int, std::string>;
  Key keyOf(FaultKind kind, uint32_t location) const;

  std::map<Key, size_t> known; ///< kind and place → index into `collected`
  std::vector<Finding> collected;
};

/// Makes a ShadowRun for each run of a launch; empty if nothing is looked for.
RidersOf shadowing(const SanitizeOptions &options);

/// The text of a fault for a finding: headline, place, program, related sites.
std::string faultText(const Finding &finding);
/// As an exception.
KernelFault faultOf(Finding finding);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_SHADOWRUN_H
