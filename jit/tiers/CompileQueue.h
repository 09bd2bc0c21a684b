//===- CompileQueue.h - compiles in the background ------------------------------------------------------===//
//
// What: a few threads that take jobs in their order.
// Limits: jobs must not throw. Jobs that wait when the process ends are dropped. A forked child inherits the
// jobs that wait and runs them once it asks for a compile, waits, or resumes; a fork waits for those that
// run.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_COMPILEQUEUE_H
#define TRISECT_JIT_TIERS_COMPILEQUEUE_H

#include <functional>

namespace trisect::jit {

void compileInBackground(std::function<void()> job);
/// Goes on with jobs that a forked child inherited; else nothing.
void resumeCompiles();
/// Waits until every job that was given before has run.
void waitForCompiles();

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_COMPILEQUEUE_H
