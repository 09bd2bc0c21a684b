//===- CpuTarget.h - tier 1 as a target -----------------------------------------------------------------===//
//
// What: registers the target `cpu`: vector code for this processor, run on all cores.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CPUTARGET_H
#define TRISECT_BACKENDS_CPU_CPUTARGET_H

namespace trisect::cpu {

/// Idempotent.
void registerTarget();

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CPUTARGET_H
