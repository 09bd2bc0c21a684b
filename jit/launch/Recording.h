//===- Recording.h - launches written down while somebody asks for it -----------------------------------===//
//
// What: between start() and stop() every launch runs in tier 0 under a recorder, whatever tier is due. Why: a
// picture of a script needs no change in it. Limits: for the whole process; launches of other threads are
// recorded too, in the order in which they end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LAUNCH_RECORDING_H
#define TRISECT_JIT_LAUNCH_RECORDING_H

#include "core/support/LaunchRecord.h"

namespace trisect::jit::recording {

/// Begins to record; what an earlier recording left is dropped.
void start();
/// Ends it and hands out the launches.
std::vector<LaunchRecord> stop();
bool active();
void add(LaunchRecord record);

} // namespace trisect::jit::recording

#endif // TRISECT_JIT_LAUNCH_RECORDING_H
