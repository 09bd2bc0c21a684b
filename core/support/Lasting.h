//===- Lasting.h - an object that is never destroyed ----------------------------------------------------===//
//
// What: Lasting<T> makes a T where it stands. Why: threads of the host may be in a launch while the process
// ends, and what they look up must not be destroyed under them. Limits: for objects of static storage; its
// memory goes with the process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_LASTING_H
#define TRISECT_CORE_SUPPORT_LASTING_H

#include <cstddef>
#include <new>
#include <utility>

namespace trisect {

template <typename T> class Lasting {
public:
  template <typename... From> explicit Lasting(From &&...from) {
    new (memory) T(std::forward<From>(from)...);
  }
  Lasting(const Lasting &) = delete;
  Lasting &operator=(const Lasting &) = delete;

  T &operator*() { return *std::launder(reinterpret_cast<T *>(memory)); }
  const T &operator*() const { return *std::launder(reinterpret_cast<const T *>(memory)); }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

private:
  alignas(T) std::byte memory[sizeof(T)];
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_LASTING_H
