//===- NegativeBit.h - where a tensor says that its values are to be negated ----------------------------===//
//
// What: the place of torch's negative bit within its tensors, learned from tensors with and without it. Why:
// every launch must know it of every tensor, for the memory of such a view holds other values than the tensor
// has; asking is_neg() takes longer than all else that a launch reads of a tensor. Limits: nothing is known
// of torch's layout; where the samples do not agree on one place, or a class is not torch's own, there is no
// bit and is_neg() is asked.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_NEGATIVEBIT_H
#define TRISECT_PYTHON_BINDINGS_NEGATIVEBIT_H

#include <cstdint>
#include <optional>
#include <pybind11/pybind11.h>

namespace trisect::python {

class NegativeBit {
public:
  /// Of the instances of a class.
  static std::optional<NegativeBit> of(PyTypeObject *type);

  /// Nothing for an object that holds no tensor.
  std::optional<bool> read(PyObject *tensor) const {
    const uint64_t *held = reinterpret_cast<uint64_t *const *>(tensor)[holder];
    if (!held)
      return std::nullopt;
    return (held[word] & mask) != 0;
  }

private:
  NegativeBit(uint32_t holder, uint32_t word, uint64_t mask) : holder(holder), word(word), mask(mask) {}
  /// The word of the object that points to what it holds, the word and the bit in there.
  uint32_t holder, word;
  uint64_t mask;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_NEGATIVEBIT_H
