//===- Counted.h - shared ownership under Python's lock -------------------------------------------------===//
//
// What: a pointer that counts in `T::users` who holds the object, and deletes it after the last. Why: a
// std::shared_ptr counts atomically, twice a launch. Limits: whoever copies or drops one holds Python's lock.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_COUNTED_H
#define TRISECT_PYTHON_BINDINGS_COUNTED_H

#include <utility>

namespace trisect::python {

template <class T> class Counted {
public:
  Counted() = default;
  explicit Counted(T *given) : object(given) { ++object->users; }
  Counted(const Counted &other) : object(other.object) {
    if (object)
      ++object->users;
  }
  Counted(Counted &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Counted &operator=(Counted other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Counted() {
    if (object && --object->users == 0)
      delete object;
  }

  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object; }
  bool operator==(const Counted &other) const { return object == other.object; }

private:
  T *object = nullptr;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_COUNTED_H
