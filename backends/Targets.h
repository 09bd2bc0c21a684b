//===- Targets.h - the targets that this build carries --------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGETS_H
#define TRISECT_BACKENDS_TARGETS_H

namespace trisect {

/// Puts the targets of Targets.def into the registry; cheap after the first time.
void registerTargets();

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGETS_H
