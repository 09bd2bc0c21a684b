//===- Capabilities.h - the GPUs that code is made for --------------------------------------------------===//
//
// What: the compute capabilities that Optimize.cpp has a processor or a version of PTX for, by their number.
// Why: a tool that is given another one must say which there are. Limits: a device may be newer; its own
// capability is not looked up here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_CAPABILITIES_H
#define TRISECT_BACKENDS_CUDA_CAPABILITIES_H

#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include <string>
#include <vector>

namespace trisect::cuda {

/// As in sm_90: 90.
inline constexpr unsigned knownCapabilities[] = {80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121};

/// Throws InvalidInput.
inline unsigned parseCapability(const std::string &text) {
  std::vector<std::string> known;
  for (unsigned each : knownCapabilities) {
    if (parseInteger(text) == each)
      return each;
    known.push_back(std::to_string(each));
  }
  throw InvalidInput("--capability is one of " + listed(known) + ", not '" + text + "'");
}

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_CAPABILITIES_H
