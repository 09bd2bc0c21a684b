//===- PerThread.h - an object for each thread, or an error ---------------------------------------------===//
//
// What: PerThread<T> is one T for each thread that asks, destroyed when the thread ends, the last first. Why:
// for a `thread_local` with a destructor the C library ends the process where it finds no room to note the
// destructor; here the first use throws std::bad_alloc. claimThreadStorage() makes those that the process
// has used so far, so that a thread that begins to serve has them. Limits: those of the main thread are never
// destroyed; what outlives main() may still use them. Objects are to be small, and take memory when used.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_PERTHREAD_H
#define TRISECT_CORE_SUPPORT_PERTHREAD_H

#include <atomic>
#include <pthread.h>

namespace trisect {

/// What does not depend on the type. Objects have static storage: they are found from then on.
class PerThreadSlot {
public:
  using Make = void *(*)();
  using Destroy = void (*)(void *);
  constexpr PerThreadSlot(Make make, Destroy destroy) : make(make), destroy(destroy) {}
  PerThreadSlot(const PerThreadSlot &) = delete;
  PerThreadSlot &operator=(const PerThreadSlot &) = delete;

  /// This thread's object; throws std::bad_alloc.
  void *get() {
    int64_t known = key.load(std::memory_order_acquire);
    void *mine = known < 0 ? nullptr : pthread_getspecific(static_cast<pthread_key_t>(known));
    return mine ? mine : add();
  }

  /// Makes this thread's object of every slot that any thread has used; false if there is no room.
  static bool makeAll() noexcept;

private:
  struct Made;
  static pthread_key_t listKey();
  static void destroyAll(void *latest);
  void *add();
  pthread_key_t ownKey();

  Make make;
  Destroy destroy;
  std::atomic<int64_t> key{-1};
  PerThreadSlot *next = nullptr;
};

template <typename T> class PerThread {
public:
  constexpr PerThread() = default;
  T &get() { return *static_cast<T *>(slot.get()); }

private:
  PerThreadSlot slot{[]() -> void * { return new T; }, [](void *object) { delete static_cast<T *>(object); }};
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_PERTHREAD_H
