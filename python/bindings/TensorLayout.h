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

/// What tensors of a kind have in common.
struct TensorKind {
  const ElementType *element = nullptr;
  uint64_t elementBytes = 0;
  DeviceId device;
  bool negated = false;
  uint64_t facts = 0; ///< factsOf() the above
};

/// Element type, place and the right to write in one number, for keys.
uint64_t factsOf(const ElementType &element, DeviceId device, bool writable);

class TensorLayout {
public:
  /// Whether instances of a class may have it.
  static bool isFor(PyTypeObject *type);
  /// The one of this process. Null where samples did not agree, or could not be made in the mode that torch
  /// is in now: then it is worth asking again.
  static TensorLayout *learned();

  /// The kind of a tensor, and its address; null for one that was not met(), or that is no plain tensor.
  [[gnu::always_inline]] const TensorKind *read(PyObject *object, uint64_t &address) {
    Parts parts = partsOf(object);
    const Known *known = parts.tensor ? find(parts) : nullptr;
    if (!known)
      return nullptr;
    address = addressOf(parts, known->kind);
    return &known->kind;
  }
  /// Reads tensors one after the other; quick for those whose words are those of the one that was read last
  /// before.
  class Alike;
  /// torch's functions have said so of a tensor that read() did not know.
  void met(PyObject *object, uint64_t address, const ElementType *element, DeviceId device);
  /// Shape and strides, in elements, of a tensor that read() knows; null if they lie elsewhere.
  struct Extents {
    size_t rank = 0;
    const int64_t *shape = nullptr, *strides = nullptr;
  };
  Extents extents(PyObject *object) const;
  /// The negative bit; nothing for an object that holds no tensor.
  std::optional<bool> negated(PyObject *object) const;

private:
  friend class LayoutLearner;
  /// Bits of a word by which kinds are told apart.
  struct Spot {
    uint32_t word = 0;
    uint64_t mask = 0;
  };
  static constexpr size_t mostSpots = 3, mostKinds = 64;
  /// Those of a tensor or of a storage; one that is not needed has no bits.
  using Spots = std::array<Spot, mostSpots>;
  using SpotWords = std::array<uint64_t, mostSpots>;
  struct Known {
    SpotWords tensor{}, storage{};
    TensorKind kind;
  };

  /// The words of the tensor within an object, and of its storage; nulls for what is no plain tensor.
  struct Parts {
    const uint64_t *tensor = nullptr, *storage = nullptr;
  };
  Parts partsOf(PyObject *object) const {
    const uint64_t *tensor = reinterpret_cast<uint64_t *const *>(object)[holder];
    if (!tensor || tensor[0] != tensorClass)
      return {};
    auto *stored = reinterpret_cast<const uint64_t *>(tensor[storage]);
    if (!stored || stored[0] != storageClass || !tensor[count])
      return {};
    return {tensor, stored};
  }
  uint64_t addressOf(const Parts &parts, const TensorKind &kind) const {
    return parts.storage[data] + parts.tensor[offset] * kind.elementBytes;
  }
  static uint64_t difference(const Spots &spots, const uint64_t *words, const SpotWords &known) {
    static_assert(mostSpots == 3, "a loop takes longer");
    uint64_t found = (words[spots[0].word] ^ known[0]) & spots[0].mask;
    if (spots[1].mask) {
      found |= (words[spots[1].word] ^ known[1]) & spots[1].mask;
      if (spots[2].mask)
        found |= (words[spots[2].word] ^ known[2]) & spots[2].mask;
    }
    return found;
  }
  bool isKnownAs(const Parts &parts, const Known &known) const {
    return (difference(tensorSpots, parts.tensor, known.tensor) |
            difference(storageSpots, parts.storage, known.storage)) == 0;
  }
  [[gnu::always_inline]] const Known *find(const Parts &parts) {
    // Tensors of a launch are mostly alike.
    return latest && isKnownAs(parts, *latest) ? latest : search(parts);
  }
  const Known *search(const Parts &parts);

  uint32_t holder = 0; ///< the word of an object that points to its tensor
  // Words of a tensor. The first of it and of its storage say of which class of torch's they are.
  uint32_t storage = 0, offset = 0, count = 0, rank = 0, shape = 0, strides = 0;
  uint32_t data = 0; ///< the word of a storage that points to its memory
  uint64_t tensorClass = 0, storageClass = 0;
  Spot negativeBit; ///< in a tensor
  Spots tensorSpots{}, storageSpots{};
  std::vector<Known> known;      ///< never more than there was room for at first: they stay where they are
  const Known *latest = nullptr; ///< that was found
};

/// No tensor has them.
constexpr uint64_t noFacts = ~uint64_t(0);

class TensorLayout::Alike {
public:
  /// Without a layout nothing may be read.
  explicit Alike(TensorLayout *layout) : layout(layout), known(layout ? layout->latest : nullptr) {
    if (known) {
      facts = known->kind.negated ? noFacts : known->kind.facts;
      elementBytes = known->kind.elementBytes;
    }
  }
  /// factsOf() a tensor, and its address; noFacts for one that read() does not know or that is negated.
  [[gnu::always_inline]] uint64_t read(PyObject *object, uint64_t &address) {
    Parts parts = layout->partsOf(object);
    if (!parts.tensor)
      return noFacts;
    if (known && layout->isKnownAs(parts, *known)) {
      address = parts.storage[layout->data] + parts.tensor[layout->offset] * elementBytes;
      return facts;
    }
    return readOther(object, address);
  }

private:
  [[gnu::noinline]] uint64_t readOther(PyObject *object, uint64_t &address) {
    const TensorKind *kind = layout->read(object, address);
    return kind && !kind->negated ? kind->facts : noFacts;
  }

  TensorLayout *layout;
  const Known *known;
  uint64_t facts = noFacts, elementBytes = 0;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_TENSORLAYOUT_H
