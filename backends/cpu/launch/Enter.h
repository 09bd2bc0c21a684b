//===- Enter.h - a call of compiled code ----------------------------------------------------------------===//
//
// What: what the programs of one launch share, and how some of them are called.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_ENTER_H
#define TRISECT_BACKENDS_CPU_LAUNCH_ENTER_H

#include "backends/cpu/launch/Failure.h"
#include "backends/cpu/orc/Loader.h"

namespace trisect::cpu {

/// What all programs of a launch are called with.
struct LaunchedCode {
  const Artifact &artifact;
  EntryPoint entry;
  const LaunchRequest &request;
  int32_t grid[3];

  LaunchedCode(const Artifact &artifact, EntryPoint entry, const LaunchRequest &request)
      : artifact(artifact), entry(entry), request(request),
        grid{request.grid.x, request.grid.y, request.grid.z} {}
  int64_t scratchBytes() const { return artifact.resources.scratchBytes; }
};

/// UBSan looks for a type in front of a function that is called; compiled kernels have none there.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
inline void
enter(const LaunchedCode &code, int64_t begin, int64_t end, void *scratch) {
  code.entry(code.request.args.data(), code.grid, begin, end, scratch);
}

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_ENTER_H
