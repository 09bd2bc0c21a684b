//===- TensorLayout.cpp - torch's tensors, read where they lie ------------------------------------------===//
#include "python/bindings/TensorLayout.h"
#include "python/bindings/ElementTypes.h"
#include "python/bindings/LayoutLearner.h"
#include "python/bindings/facade/Support.h"

namespace py = pybind11;

namespace trisect::python {

/// Shapes of more dimensions lie elsewhere.
static constexpr uint64_t mostDimensions = 5;

TensorLayout::Parts TensorLayout::partsOf(PyObject *object) const {
  const uint64_t *tensor = reinterpret_cast<uint64_t *const *>(object)[holder];
  if (!tensor || tensor[0] != tensorClass)
    return {};
  auto *stored = reinterpret_cast<const uint64_t *>(tensor[storage]);
  if (!stored || stored[0] != storageClass || !tensor[count])
    return {};
  return {tensor, stored};
}

bool TensorLayout::isOfKind(const Parts &parts, const Kind &kind) const {
  const uint64_t *expected = kind.words.data();
  uint64_t differs = 0;
  for (const Spot &spot : tensorSpots)
    differs |= (parts.tensor[spot.word] ^ *expected++) & spot.mask;
  for (const Spot &spot : storageSpots)
    differs |= (parts.storage[spot.word] ^ *expected++) & spot.mask;
  return differs == 0;
}

const TensorLayout::Kind *TensorLayout::kindOf(const Parts &parts) {
  // Tensors of a launch are mostly alike.
  if (latest < kinds.size() && isOfKind(parts, kinds[latest]))
    return &kinds[latest];
  for (size_t n = 0; n < kinds.size(); ++n)
    if (isOfKind(parts, kinds[n])) {
      latest = n;
      return &kinds[n];
    }
  return nullptr;
}

TensorLayout *TensorLayout::of(PyTypeObject *type) {
  PyObject *modules = PyImport_GetModuleDict(), *torch = PyDict_GetItemString(modules, "torch");
  if (!torch)
    return nullptr;
  py::object own = py::getattr(torch, "Tensor", py::none()),
             parameter = py::getattr(py::getattr(torch, "nn", py::none()), "Parameter", py::none());
  auto *asked = reinterpret_cast<PyObject *>(type);
  if (asked != own.ptr() && asked != parameter.ptr())
    return nullptr;
  // Threads may come here together: torch gives up the lock of Python while it makes samples.
  static bool isLearned = false;
  static TensorLayout *learned = nullptr;
  std::unique_ptr<TensorLayout> mine = isLearned ? nullptr : LayoutLearner::learn();
  if (!isLearned) {
    learned = mine.release();
    isLearned = true;
  }
  return learned;
}

bool TensorLayout::read(LaidOut &tensor, PyObject *object) {
  Parts parts = partsOf(object);
  if (!parts.tensor)
    return false;
  const Kind *kind = kindOf(parts);
  if (!kind)
    return false;
  tensor.address = parts.storage[data] + parts.tensor[offset] * kind->elementBytes;
  tensor.element = kind->element;
  tensor.device = kind->device;
  tensor.negated = kind->negated;
  bool here = parts.tensor[rank] <= mostDimensions;
  tensor.rank = static_cast<int64_t>(parts.tensor[rank]);
  tensor.shape = here ? reinterpret_cast<const int64_t *>(parts.tensor + shape) : nullptr;
  tensor.strides = here ? reinterpret_cast<const int64_t *>(parts.tensor + strides) : nullptr;
  return true;
}

void TensorLayout::met(PyObject *object, uint64_t address, const ElementType *element, DeviceId device) {
  Parts parts = partsOf(object);
  if (!parts.tensor || kindOf(parts))
    return;
  Kind kind{.element = element, .elementBytes = facade::byteSize(element->type), .device = device};
  // What another thread has changed since, or what lies elsewhere than where the samples had it.
  if (parts.storage[data] + parts.tensor[offset] * kind.elementBytes != address)
    return;
  uint64_t *word = kind.words.data();
  for (const Spot &spot : tensorSpots)
    *word++ = parts.tensor[spot.word];
  for (const Spot &spot : storageSpots)
    *word++ = parts.storage[spot.word];
  kind.negated = (parts.tensor[negativeBit.word] & negativeBit.mask) != 0;
  if (kinds.size() == mostKinds)
    kinds.clear();
  latest = kinds.size();
  kinds.push_back(kind);
}

std::optional<bool> TensorLayout::negated(PyObject *object) const {
  const uint64_t *tensor = reinterpret_cast<uint64_t *const *>(object)[holder];
  if (!tensor)
    return std::nullopt;
  return (tensor[negativeBit.word] & negativeBit.mask) != 0;
}

} // namespace trisect::python
