//===- Guards.h - whether a launch is one that compiled code was made for -------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_GUARDS_H
#define TRISECT_BACKENDS_TARGET_GUARDS_H

#include "backends/target/Artifact.h"
#include "core/support/Launch.h"

namespace trisect {

/// True if what `guard` says is known to hold. An argument without a view may reach any memory.
bool holds(const Guard &guard, const LaunchRequest &request);
/// True if all guards of an artifact hold.
bool holds(const Artifact &artifact, const LaunchRequest &request);

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_GUARDS_H
