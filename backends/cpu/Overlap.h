//===- Overlap.h - whether a launch passes overlapping memory -------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_OVERLAP_H
#define TRISECT_BACKENDS_CPU_OVERLAP_H

#include "core/support/Launch.h"
#include <span>

namespace trisect::cpu {

/// True if the views behind the pointer arguments `pointers` are all known and no two of them overlap.
bool argumentsAreDisjoint(const LaunchRequest &request, std::span<const unsigned> pointers);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_OVERLAP_H
