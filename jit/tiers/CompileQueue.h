//===- CompileQueue.h - compiles in the background ------------------------------------------------------===//
//
// What: one thread that works through jobs in order.
// Limits: jobs must not throw. Jobs that wait when the process ends are dropped.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_COMPILEQUEUE_H
#define TRISECT_JIT_TIERS_COMPILEQUEUE_H

#include <functional>

namespace trisect::jit {

void compileInBackground(std::function<void()> job);
/// Waits until every job that was given before has run.
void waitForCompiles();

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_COMPILEQUEUE_H
