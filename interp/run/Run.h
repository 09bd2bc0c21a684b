//===- Run.h - running a program over a grid ------------------------------------------------------------===//
//
// What: the entry to tier 0: all programs of a grid (or some) over threads, in memory in place or through an
// overlay.
// Limits: the caller's memory must stay valid; nothing here knows Python or its lock.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_RUN_RUN_H
#define TRISECT_INTERP_RUN_RUN_H

#include "core/support/Launch.h"
#include "interp/exec/RunOptions.h"
#include "interp/program/Program.h"

namespace trisect::interp {

/// Throws KernelFault (the first by linear id), Interrupted, or InvalidInput if the arguments do not fit.
void run(const Program &program, const LaunchRequest &request, const RunOptions &options = {});

} // namespace trisect::interp

#endif // TRISECT_INTERP_RUN_RUN_H
