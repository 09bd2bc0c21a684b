//===- ForkGate.h - a forked child finds no closed lock -------------------------------------------------===//
//
// What: a fork waits until no other thread is inside a section, so that the child inherits neither a lock
// that nobody will open nor a structure that is half changed; what died with the threads of the parent is
// made anew in the child. The end of a process waits alike. Why: data loaders and multiprocessing fork in the
// middle of everything; a process that ends takes apart what its other threads use. Limits: a section must
// not wait for what the forking or ending thread may hold (Python's GIL); both wait as long as a compile
// takes. vfork() and posix_spawn() do not wait, and need not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_FORKGATE_H
#define TRISECT_CORE_SUPPORT_FORKGATE_H

#include <functional>
#include <mutex>

namespace trisect {

/// As long as it lives no other thread's fork() goes through. They nest.
class ForkSection {
public:
  ForkSection();
  ~ForkSection();
  ForkSection(const ForkSection &) = delete;
  ForkSection &operator=(const ForkSection &) = delete;
};

/// Does now, or when this thread has left the sections that it is in, what waits for something that a forking
/// thread may hold. `work` throws nothing.
void outsideForkSections(std::function<void()> work);

/// A mutex that is open in every forked child, but for what the forking thread itself holds.
class ForkMutex {
public:
  void lock();
  void unlock();

private:
  std::mutex mutex;
};

/// `renew` runs in every forked child, before fork() returns there; in the order of the calls.
void inForkedChild(void (*renew)());

/// Before the process ends: returns when no other thread is inside a section, and none will get into one;
/// libraries that sections use may be taken apart then.
void endForkSections() noexcept;

/// Whether this process is a fork of another one, without a new program since.
bool isForkedChild();

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_FORKGATE_H
