//===- Executable.h - a kernel that is ready to run -----------------------------------------------------===//
//
// What: the one interface between whoever launches (jit, Python, tests) and whatever runs a kernel (tier 0,
// the code that a device has loaded, a callback). Why: launch path, cross-check and tests are written once
// and work with every tier. Limits: launches of one executable may come from many threads at once.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_EXECUTABLE_H
#define TRISECT_CORE_SUPPORT_EXECUTABLE_H

#include "core/support/Launch.h"
#include "core/support/NumericProfile.h"

namespace trisect {

class Executable {
public:
  virtual ~Executable() = default;
  /// Runs the programs that the request names, the whole grid by default. Returns when they are done, or, on
  /// a device with streams, when they are in the request's stream. Throws KernelFault, Unsupported,
  /// InvalidInput or EngineError.
  virtual void launch(const LaunchRequest &request) = 0;
  /// Whether launch() looks at LaunchRequest::tensors; they cost time to collect.
  virtual bool wantsTensors() const { return true; }
  /// Launches if launch() does not look at LaunchRequest::tensors, which then need not be there; else false,
  /// and nothing has run.
  virtual bool launchWithoutTensors(const LaunchRequest &request) {
    if (wantsTensors())
      return false;
    launch(request);
    return true;
  }
  /// Whether launch() runs long enough to be worth giving up a lock of the caller's language.
  virtual bool releasesGil() const { return true; }
  /// Whether LaunchRequest::atomics makes a difference.
  virtual bool hasPlainAtomics() const { return false; }
  virtual NumericProfile numerics() const { return NumericProfile::Ieee; }
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_EXECUTABLE_H
