//===- TensorLayout.h - torch's tensors, read where they lie --------------------------------------------===//
//
// What: reads address, element type, place, negative bit, shape and strides of a tensor of torch from its
// memory. Why: every launch reads them of every tensor, and torch's own functions take longer than all else
// that a launch does. Nothing is known of torch's layout. What is to be found is learned from samples: where
// a tensor keeps its number of elements, where its memory begins, and which words tell samples apart that
// differ in element type, place, sign or the right to touch their memory. A tensor whose words no other had
// before is read by torch's functions; once they have said the same address, its words stand for its kind,
// and tensors of that kind are read here. Limits: torch.Tensor and torch.nn.Parameter alone; where the
// samples do not agree, there is no layout. Empty tensors, and those that are no plain tensors within torch
// (sparse, batched, functional), are never read here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_TENSORLAYOUT_H
#define TRISECT_PYTHON_BINDINGS_TENSORLAYOUT_H

#include "core/support/Launch.h"
#include <array>
#include <cstdint>
#include <optional>
#include <pybind11/pybind11.h>
#include <vector>

namespace trisect::python {

struct ElementType;

/// What a tensor's memory says of it; shape and strides are the tensor's, null if they lie elsewhere.
struct LaidOut {
  uint64_t address = 0;
  const ElementType *element = nullptr;
  DeviceId device;
  bool negated = false;
  int64_t rank = 0;
  const int64_t *shape = nullptr, *strides = nullptr; ///< strides in elements
};

class TensorLayout {
public:
  /// That of instances of a class; null if it was not learned.
  static TensorLayout *of(PyTypeObject *type);

  /// False for a tensor of a kind that was not met, or that is no plain tensor.
  bool read(LaidOut &tensor, PyObject *object);
  /// torch's functions have said so of a tensor that read() did not know.
  void met(PyObject *object, uint64_t address, const ElementType *element, DeviceId device);
  /// The negative bit; nothing for an object that holds no tensor.
  std::optional<bool> negated(PyObject *object) const;

private:
  friend class LayoutLearner;
  /// Bits of a word by which kinds are told apart.
  struct Spot {
    uint32_t word = 0;
    uint64_t mask = 0;
  };
  static constexpr size_t mostSpots = 12, mostKinds = 64;
  struct Kind {
    std::array<uint64_t, mostSpots> words{}; ///< those of the tensor, then those of its storage
    const ElementType *element = nullptr;
    uint64_t elementBytes = 0;
    DeviceId device;
    bool negated = false;
  };

  /// The words of the tensor within an object, and of its storage; nulls for what is no plain tensor.
  struct Parts {
    const uint64_t *tensor = nullptr, *storage = nullptr;
  };
  Parts partsOf(PyObject *object) const;
  bool isOfKind(const Parts &parts, const Kind &kind) const;
  const Kind *kindOf(const Parts &parts);

  uint32_t holder = 0; ///< the word of an object that points to its tensor
  // Words of a tensor. The first of it and of its storage say of which class of torch's they are.
  uint32_t storage = 0, offset = 0, count = 0, rank = 0, shape = 0, strides = 0;
  uint32_t data = 0; ///< the word of a storage that points to its memory
  uint64_t tensorClass = 0, storageClass = 0;
  Spot negativeBit; ///< in a tensor
  std::vector<Spot> tensorSpots, storageSpots;
  std::vector<Kind> kinds;
  size_t latest = 0;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_TENSORLAYOUT_H
