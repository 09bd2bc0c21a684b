//===- TensorLayout.cpp - torch's tensors, read where they lie ------------------------------------------===//
#include "python/bindings/TensorLayout.h"
#include "python/bindings/ElementTypes.h"
#include "python/bindings/LayoutLearner.h"
#include "python/bindings/facade/Support.h"

namespace py = pybind11;

namespace trisect::python {

/// Shapes of more dimensions lie elsewhere.
static constexpr uint64_t mostDimensions = 5;

uint64_t factsOf(const ElementType &element, DeviceId device, bool writable) {
  uint64_t place = uint64_t(device.kind) << 8 | uint64_t(device.index & 0xff);
  return place << 16 | uint64_t(element.number) << 1 | uint64_t(writable);
}

bool TensorLayout::isFor(PyTypeObject *type) {
  PyObject *modules = PyImport_GetModuleDict(), *torch = PyDict_GetItemString(modules, "torch");
  if (!torch)
    return false;
  py::object own = py::getattr(torch, "Tensor", py::none()),
             parameter = py::getattr(py::getattr(torch, "nn", py::none()), "Parameter", py::none());
  auto *asked = reinterpret_cast<PyObject *>(type);
  return asked == own.ptr() || asked == parameter.ptr();
}

TensorLayout *TensorLayout::learned() {
  // Threads may come here together: torch gives up the lock of Python while it makes samples.
  static TensorLayout *found = nullptr;
  std::unique_ptr<TensorLayout> mine = found ? nullptr : LayoutLearner::learn();
  if (!found)
    found = mine.release();
  return found;
}

const TensorLayout::Known *TensorLayout::search(const Parts &parts) {
  for (const Known &each : known)
    if (isKnownAs(parts, each))
      return latest = &each;
  return nullptr;
}

void TensorLayout::met(PyObject *object, uint64_t address, const ElementType *element, DeviceId device) {
  Parts parts = partsOf(object);
  if (!parts.tensor || find(parts))
    return;
  Known one;
  for (size_t n = 0; n < mostSpots; ++n) {
    one.tensor[n] = parts.tensor[tensorSpots[n].word];
    one.storage[n] = parts.storage[storageSpots[n].word];
  }
  bool isNegated = (parts.tensor[negativeBit.word] & negativeBit.mask) != 0;
  one.kind = {element, facade::byteSize(element->type), device, isNegated, factsOf(*element, device, true)};
  // What another thread has changed since, or what lies elsewhere than where the samples had it.
  if (addressOf(parts, one.kind) != address)
    return;
  if (known.size() == mostKinds)
    known.clear();
  known.reserve(mostKinds);
  known.push_back(one);
  latest = &known.back();
}

TensorLayout::Extents TensorLayout::extents(PyObject *object) const {
  Parts parts = partsOf(object);
  if (!parts.tensor || parts.tensor[rank] > mostDimensions)
    return {};
  return {parts.tensor[rank], reinterpret_cast<const int64_t *>(parts.tensor + shape),
          reinterpret_cast<const int64_t *>(parts.tensor + strides)};
}

std::optional<bool> TensorLayout::negated(PyObject *object) const {
  const uint64_t *tensor = reinterpret_cast<uint64_t *const *>(object)[holder];
  if (!tensor)
    return std::nullopt;
  return (tensor[negativeBit.word] & negativeBit.mask) != 0;
}

} // namespace trisect::python
