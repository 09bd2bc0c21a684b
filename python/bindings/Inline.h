//===- Inline.h - a vector on the stack, as long as it is short -----------------------------------------===//
//
// What: Inline<T, N> holds its first N elements itself and takes memory of the heap for more. Why: a launch
// collects some dozens of small values, and taking memory for them costs more than they do. Limits: elements
// are plain values.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_INLINE_H
#define TRISECT_PYTHON_BINDINGS_INLINE_H

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace trisect::python {

template <class T, size_t N> class Inline {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
  Inline() = default;
  Inline(const Inline &) = delete;
  Inline &operator=(const Inline &) = delete;

  void push_back(const T &value) {
    if (used == most)
      grow();
    add(value);
  }
  /// Makes room for so many more, for add().
  void reserve(size_t more) {
    while (most - used < more)
      grow();
  }
  /// Where so many more may be written one by one; endAt() then says how far they went.
  T *room(size_t more) {
    reserve(more);
    return first + used;
  }
  void endAt(T *end) { used = size_t(end - first); }
  /// push_back() where there is room.
  void add(const T &value) { std::construct_at(first + used++, value); }
  /// So many times the same.
  void assign(size_t count, const T &value) {
    used = 0;
    reserve(count);
    std::uninitialized_fill_n(first, count, value);
    used = count;
  }
  void clear() { used = 0; }

  T &operator[](size_t index) { return first[index]; }
  const T &operator[](size_t index) const { return first[index]; }
  const T *begin() const { return first; }
  const T *end() const { return first + used; }
  size_t size() const { return used; }

private:
  /// Memory of an element that may not have begun to live.
  union Cell {
    Cell() {} // NOLINT(modernize-use-equals-default): leaves the memory as it is
    T value;
  };

  [[gnu::noinline]] void grow() {
    std::unique_ptr<Cell[]> larger(new Cell[2 * most]);
    std::uninitialized_copy_n(first, used, &larger[0].value);
    first = &larger[0].value;
    onHeap = std::move(larger);
    most *= 2;
  }

  std::array<Cell, N> here;
  std::unique_ptr<Cell[]> onHeap;
  T *first = &here[0].value;
  size_t used = 0, most = N;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_INLINE_H
