//===- CpuTarget.h - tier 1 as a target -----------------------------------------------------------------===//
//
// What: registers the target `cpu`: vector code for this processor, run on all cores.
// Limits: a kernel is compiled for disjoint arguments first and once more when a launch passes memory that
// overlaps.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CPUTARGET_H
#define TRISECT_BACKENDS_CPU_CPUTARGET_H

namespace trisect::cpu {

/// Idempotent.
void registerCpuTarget();

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CPUTARGET_H
