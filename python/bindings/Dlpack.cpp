//===- Dlpack.cpp - tensors through DLPack's table of C functions ---------------------------------------===//
#include "python/bindings/Dlpack.h"
#include <array>
#include <bit>

namespace py = pybind11;

namespace trisect::python {

namespace {

// The parts of DLPack's stable C layout that are read here.
struct Device {
  int32_t type, index;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Description {
  void *data;
  Device device;
  int32_t rank;
  DataType type;
  int64_t *shape, *strides;
  uint64_t byteOffset;
};
struct ExchangeTable {
  uint32_t majorVersion, minorVersion;
  ExchangeTable *older;
  void *allocate, *toManaged, *fromManaged;
  TensorExport describe;
  StreamQuestion currentStream;
};

/// Where the memory of a device type is, for a kernel. Managed memory is the device's, pinned memory the
/// host's.
DeviceId placeOf(Device device) {
  constexpr int32_t cuda = 2, rocm = 10, managed = 13, pinned = 3, pinnedRocm = 11, cpu = 1;
  switch (device.type) {
  case cpu:
  case pinned:
  case pinnedRocm:
    return {};
  case cuda:
  case managed:
    return {DeviceKind::Cuda, device.index};
  case rocm:
    return {DeviceKind::Rocm, device.index};
  default:
    return {DeviceKind::Extension, device.index};
  }
}

/// The spelling of a type code with a number of bits; empty for what no kernel takes.
std::string_view spellingOf(DataType type) {
  static constexpr std::string_view integers[] = {"i8", "i16", "i32", "i64"};
  static constexpr std::string_view naturals[] = {"u8", "u16", "u32", "u64"};
  static constexpr std::string_view floats[] = {"", "fp16", "fp32", "fp64"};
  if (type.lanes != 1 || !std::has_single_bit(type.bits) || type.bits < 8 || type.bits > 64)
    return {};
  int size = std::countr_zero(type.bits) - 3;
  switch (type.code) {
  case 0:
    return integers[size];
  case 1:
    return naturals[size];
  case 2:
    return floats[size];
  case 4:
    return size == 1 ? "bf16" : "";
  case 6:
    return size == 0 ? "u1" : "";
  case 10:
    return "fp8e4nv";
  case 11:
    return "fp8e4b8";
  case 12:
    return "fp8e5";
  case 13:
    return "fp8e5b16";
  default:
    return {};
  }
}

const ElementType *elementOf(DataType type) {
  static std::array<std::array<const ElementType *, 65>, 16> known{};
  if (type.code >= known.size() || type.bits >= known[0].size() || type.lanes != 1)
    return nullptr;
  const ElementType *&element = known[type.code][type.bits];
  if (!element)
    if (std::string_view spelling = spellingOf(type); !spelling.empty())
      element = elementTypeNamed(spelling);
  return element;
}

py::object attributeOf(py::handle type, const char *name) { return py::getattr(type, name, py::none()); }

} // namespace

TensorFunctions tensorFunctionsOf(PyTypeObject *type) {
  constexpr const char *attribute = "__dlpack_c_exchange_api__", *capsule = "dlpack_exchange_api";
  PyObject *owner = nullptr, *order = type->tp_mro;
  for (Py_ssize_t index = 0; order && !owner && index < PyTuple_GET_SIZE(order); ++index) {
    PyObject *base = PyTuple_GET_ITEM(order, index);
    if (PyDict_GetItemString(reinterpret_cast<PyTypeObject *>(base)->tp_dict, attribute))
      owner = base;
  }
  if (!owner)
    return {};
  // A subclass may be no tensor in memory at all: then it says what becomes of its operations.
  for (const char *name : {"__torch_dispatch__", "data_ptr"})
    if (!attributeOf(reinterpret_cast<PyObject *>(type), name).is(attributeOf(owner, name)))
      return {};
  py::object held = attributeOf(owner, attribute);
  if (!PyCapsule_IsValid(held.ptr(), capsule))
    return {};
  auto *table = static_cast<ExchangeTable *>(PyCapsule_GetPointer(held.ptr(), capsule));
  while (table && table->majorVersion != 1)
    table = table->older;
  return table ? TensorFunctions{table->describe, table->currentStream} : TensorFunctions{};
}

bool readExported(ExportedTensor &tensor, TensorExport function, PyObject *object) {
  Description description{};
  if (function(object, &description) != 0) {
    PyErr_Clear();
    return false;
  }
  tensor.address = reinterpret_cast<uintptr_t>(description.data) + description.byteOffset;
  tensor.element = elementOf(description.type);
  tensor.device = placeOf(description.device);
  tensor.rank = description.rank;
  tensor.shape = description.shape;
  tensor.strides = description.strides;
  return tensor.element && (tensor.rank == 0 || tensor.strides);
}

} // namespace trisect::python
