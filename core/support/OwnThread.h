//===- OwnThread.h - threads of ours, or word that there is none ----------------------------------------===//
//
// What: starts a detached thread that takes no signals of the host, or says that there is no room for one:
// for its stack, or for its thread-local variables. Why: the loader ends the process when a thread finds no
// memory for them, so that a thread must have them before it begins. Limits: nobody waits for their end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OWNTHREAD_H
#define TRISECT_CORE_SUPPORT_OWNTHREAD_H

#include <functional>

namespace trisect {

/// Whether the limits of the process leave room for so many more threads.
bool roomForThreads(int count);

/// Runs `serve` on a thread of its own; false if the system gives none. Of signals the thread takes those
/// that its own instructions raise and those of the launch watch.
bool startThread(std::function<void()> serve);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OWNTHREAD_H
