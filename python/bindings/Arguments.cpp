//===- Arguments.cpp - reading tensors and scalars ------------------------------------------------------===//
#include "python/bindings/Arguments.h"
#include "core/support/FloatEnvironment.h"
#include "core/support/Lasting.h"
#include "python/bindings/Dlpack.h"
#include "python/bindings/facade/Support.h"
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace py = pybind11;

namespace trisect::python {

namespace {

[[noreturn]] void raise(PyObject *type, const std::string &text) {
  PyErr_SetString(type, text.c_str());
  throw py::error_already_set();
}

py::object call(PyObject *object, PyObject *method) {
  PyObject *result = PyObject_CallMethodNoArgs(object, method);
  if (!result)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

py::object attribute(PyObject *object, PyObject *name) {
  PyObject *result = PyObject_GetAttr(object, name);
  if (!result)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

uint64_t lowBits(PyObject *number) {
  uint64_t value = PyLong_AsUnsignedLongLongMask(number);
  if (value == uint64_t(-1) && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

uint64_t address(PyObject *number) {
  if (!PyLong_Check(number))
    raise(PyExc_TypeError, std::string("an address is an int, not '") + Py_TYPE(number)->tp_name + "'");
  uint64_t value = PyLong_AsUnsignedLongLong(number);
  if (value == uint64_t(-1) && PyErr_Occurred()) {
    PyErr_Clear();
    raise(PyExc_OverflowError, "an address is 0 to 2**64 - 1, not " + std::string(py::str(number)));
  }
  return value;
}

bool isUnsigned64(PyObject *number) {
  if (PyLong_AsUnsignedLongLong(number) != uint64_t(-1) || !PyErr_Occurred())
    return true;
  PyErr_Clear();
  return false;
}

PyObject *interned(const char *text) { return PyUnicode_InternFromString(text); }

struct Names {
  PyObject *dataPtr = interned("data_ptr");
  PyObject *dtype = interned("dtype");
  PyObject *isCpu = interned("is_cpu");
  PyObject *device = interned("device");
  PyObject *isNeg = interned("is_neg");
  PyObject *shape = interned("shape");
  PyObject *stride = interned("stride");
};
const Names &names() {
  static const Names all;
  return all;
}

/// The public head of PyArrayObject, which every compiled user of NumPy reads in line.
struct NumpyArrayHead {
  PyObject_HEAD char *data;
  int rank;
  Py_intptr_t *shape;
  Py_intptr_t *strides;
  PyObject *base;
  PyObject *descriptor;
  int flags;
};
/// NPY_ARRAY_WRITEABLE.
constexpr int numpyWritable = 0x0400;

struct TypeFacts {
  ArgumentKind kind;
  bool hasIsCpu = false;
  /// shape as an attribute and stride() as a method, as tensors of torch have them.
  bool hasStride = false;
  TensorFunctions functions = {};
  /// is_neg() as a method, as tensors of torch have it.
  bool hasIsNeg = false;
  /// Where tensors of torch keep what a launch reads of them; null: not known.
  TensorLayout *layout = nullptr;
  /// How often an instance was met whose layout is not known but may be; 0: there is none to be known.
  uint64_t metUnknown = 0;
  bool masked = false;
  /// Instances may have an array interface, which says whether their memory may be written.
  bool hasInterface = false;
};

bool has(PyTypeObject *type, const char *name) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject *>(type), name) == 1;
}

/// Kinds that Python registered for its own classes.
std::unordered_map<PyTypeObject *, ArgumentKind> &registered() {
  static Lasting<std::unordered_map<PyTypeObject *, ArgumentKind>> all;
  return *all;
}

/// Whether a base of `type` has one of these names, as C types have them with their module.
bool isSubclassOf(PyTypeObject *type, std::initializer_list<std::string_view> names) {
  PyObject *order = type->tp_mro;
  for (Py_ssize_t index = 0; order && index < PyTuple_GET_SIZE(order); ++index) {
    std::string_view base = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(order, index))->tp_name;
    for (std::string_view name : names)
      if (base == name)
        return true;
  }
  return false;
}

std::optional<ArgumentKind> registeredKind(PyTypeObject *type) {
  PyObject *order = type->tp_mro;
  for (Py_ssize_t index = 0; order && index < PyTuple_GET_SIZE(order); ++index) {
    auto found = registered().find(reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(order, index)));
    if (found != registered().end())
      return found->second;
  }
  return std::nullopt;
}

TypeFacts classify(PyTypeObject *type) {
  bool hasIsCpu = has(type, "is_cpu");
  if (std::optional<ArgumentKind> kind = registeredKind(type))
    return {.kind = *kind, .hasIsCpu = hasIsCpu};
  // NumPy's and torch's: classes made in Python are known by their name.
  if (isSubclassOf(type, {"MaskedArray", "MaskedTensor"}))
    return {.kind = ArgumentKind::Other, .masked = true};
  if (isSubclassOf(type, {"numpy.ndarray"}))
    return {.kind = ArgumentKind::NumpyArray};
  if (isSubclassOf(type, {"numpy.bool", "numpy.bool_"}))
    return {.kind = ArgumentKind::Boolean};
  if (isSubclassOf(type, {"numpy.integer"}))
    return {.kind = ArgumentKind::Integer};
  if (isSubclassOf(type, {"numpy.floating"}))
    return {.kind = ArgumentKind::Floating};
  // Libraries bring their own descriptor classes, known by name.
  if (std::string_view(type->tp_name).ends_with("TensorDescriptor"))
    return {.kind = ArgumentKind::Descriptor};
  if (has(type, "data_ptr"))
    return {.kind = ArgumentKind::Pointer, .hasIsCpu = hasIsCpu};
  if (has(type, "__array_interface__") || has(type, "__cuda_array_interface__") || has(type, "__dlpack__"))
    return {.kind = ArgumentKind::Interface, .hasIsCpu = hasIsCpu};
  if (type == &PyUnicode_Type || PyType_IsSubtype(type, &PyType_Type) || type == &PyFunction_Type ||
      type == &PyCFunction_Type || isSubclassOf(type, {"torch.dtype"}))
    return {.kind = ArgumentKind::Identity};
  return {.kind = ArgumentKind::Other};
}

std::unordered_map<PyTypeObject *, TypeFacts> &knownTypes() {
  // Types are kept, so that an address is never reused by another one.
  static Lasting<std::unordered_map<PyTypeObject *, TypeFacts>> all;
  return *all;
}

/// The type asked about last: arguments of a launch are mostly alike.
struct {
  PyTypeObject *type = nullptr;
  const TypeFacts *facts = nullptr;
} latest;

/// Tries the first time, the second, the fourth, and so on; samples may fail in a mode of torch.
bool learnLayout(PyTypeObject *type, TypeFacts &facts) {
  if (!std::has_single_bit(facts.metUnknown++))
    return false;
  TensorLayout *layout = TensorLayout::learned();
  if (layout && !facts.layout) {
    facts.layout = layout;
    facts.metUnknown = 0;
    laidOutTypes = {{type, laidOutTypes.types[0]}, layout};
  }
  return layout != nullptr;
}

const TypeFacts &factsOf(PyTypeObject *type) {
  if (type == latest.type)
    return *latest.facts;
  auto found = knownTypes().find(type);
  if (found == knownTypes().end()) {
    TypeFacts facts = classify(type);
    facts.hasStride = has(type, "shape") && has(type, "stride");
    facts.hasIsNeg = facts.kind == ArgumentKind::Pointer && has(type, "is_neg");
    facts.hasInterface = facts.kind == ArgumentKind::Pointer && has(type, "__array_interface__");
    if (facts.kind == ArgumentKind::Pointer)
      facts.functions = tensorFunctionsOf(type);
    facts.metUnknown = facts.hasIsNeg && TensorLayout::isFor(type);
    Py_INCREF(type);
    found = knownTypes().emplace(type, facts).first;
  }
  TypeFacts &facts = found->second;
  if (facts.metUnknown && !learnLayout(type, facts))
    return facts;
  latest = {type, &facts};
  return facts;
}

/// Through DLPack or an array interface, by the Python helper: slow, and rare.
TensorRead readInterface(PyObject *argument) {
  static py::handle describe =
      py::module_::import("trisect.runtime._tensors").attr("describe").cast<py::object>().release();
  py::tuple facts = describe(py::handle(argument));
  TensorRead read;
  read.address = facts[0].cast<uint64_t>();
  read.element = &elementType(py::object(facts[1]).ptr());
  read.device = {static_cast<DeviceKind>(facts[2].cast<int32_t>()), facts[3].cast<int32_t>()};
  read.writable = facts[4].cast<bool>();
  return read;
}

/// Of a tensor of a class that has an array interface besides its address.
bool isWritable(PyObject *argument) {
  static py::handle question =
      py::module_::import("trisect.runtime._tensors").attr("is_writable").cast<py::object>().release();
  return question(py::handle(argument)).cast<bool>();
}

/// Raises for a tensor at address 0 that has elements.
void refuseElements(PyObject *tensor) {
  static py::handle check =
      py::module_::import("trisect.runtime._tensors").attr("check_memory").cast<py::object>().release();
  check(py::handle(tensor));
}

/// Where a tensor is, by attributes.
DeviceId readDevice(PyObject *argument, const TypeFacts &facts) {
  if (facts.hasIsCpu && attribute(argument, names().isCpu).ptr() == Py_True)
    return {};
  static py::handle place =
      py::module_::import("trisect.runtime._tensors").attr("place").cast<py::object>().release();
  py::tuple found = place(py::handle(argument));
  return {static_cast<DeviceKind>(found[0].cast<int32_t>()), found[1].cast<int32_t>()};
}

bool isNegated(PyObject *tensor, const TypeFacts &facts) {
  if (!facts.hasIsNeg)
    return false;
  std::optional<bool> known = facts.layout ? facts.layout->negated(tensor) : std::nullopt;
  return known ? *known : call(tensor, names().isNeg).ptr() == Py_True;
}

/// Rounds to the nearest value with `mantissa` explicit bits and the given exponent range, ties to even.
uint64_t roundToFormat(double value, int mantissa, int exponentBits) {
  uint64_t sign = uint64_t(std::signbit(value)) << (mantissa + exponentBits);
  int bias = (1 << (exponentBits - 1)) - 1;
  uint64_t infinity = uint64_t((1 << exponentBits) - 1) << mantissa;
  if (std::isnan(value))
    return sign | infinity | (uint64_t(1) << (mantissa - 1));
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  if (std::isinf(magnitude))
    return sign | infinity;
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // Counts units in the last place; a carry moves into the exponent by itself.
  auto units = uint64_t(std::nearbyint(std::scalbn(magnitude, mantissa - exponent)));
  uint64_t bits = (uint64_t(exponent + bias - 1) << mantissa) + units;
  return sign | std::min(bits, infinity);
}

} // namespace

LaidOutTypes laidOutTypes;

void registerType(PyTypeObject *type, ArgumentKind kind) {
  Py_INCREF(type);
  registered()[type] = kind;
  knownTypes().clear();
  latest = {};
  laidOutTypes = {};
}

bool isNegated(PyObject *tensor) { return isNegated(tensor, factsOf(Py_TYPE(tensor))); }

bool isMasked(PyObject *argument) { return factsOf(Py_TYPE(argument)).masked; }

ArgumentKind argumentKind(PyObject *argument) {
  const TypeFacts &facts = factsOf(Py_TYPE(argument));
  ArgumentKind kind = facts.kind;
  if (kind != ArgumentKind::Other || facts.masked)
    return kind;
  // Some objects get their interface one by one.
  if (PyObject_HasAttr(argument, names().dataPtr))
    return ArgumentKind::Pointer;
  for (const char *name : {"__array_interface__", "__cuda_array_interface__"})
    if (PyObject_HasAttrString(argument, name))
      return ArgumentKind::Interface;
  return kind;
}

/// What the dtype of an object with data_ptr() says.
static const ElementType &elementTypeOf(PyObject *argument) {
  PyObject *dtype = PyObject_GetAttr(argument, names().dtype);
  if (!dtype && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear();
    raise(PyExc_TypeError, std::string("a '") + Py_TYPE(argument)->tp_name +
                               "' has data_ptr() and no dtype; a pointer argument needs both");
  }
  if (!dtype)
    throw py::error_already_set();
  return elementType(py::reinterpret_steal<py::object>(dtype).ptr());
}

/// As the functions and attributes of its class say.
static TensorRead readTensorByClass(PyObject *argument, const TypeFacts &facts) {
  TensorRead read;
  read.negated = isNegated(argument, facts);
  TensorExport describe = facts.functions.describe;
  if (ExportedTensor tensor; describe && readExported(tensor, describe, argument))
    return {tensor.address, tensor.element, tensor.device, true, read.negated};
  read.address = address(call(argument, names().dataPtr).ptr());
  read.element = &elementTypeOf(argument);
  read.device = readDevice(argument, facts);
  read.unbacked = read.address == 0;
  if (facts.hasInterface)
    read.writable = isWritable(argument);
  return read;
}

TensorRead readTensor(PyObject *argument, ArgumentKind kind) {
  if (kind == ArgumentKind::NumpyArray) {
    auto *array = reinterpret_cast<NumpyArrayHead *>(argument);
    return {reinterpret_cast<uintptr_t>(array->data),
            &elementType(array->descriptor),
            {},
            (array->flags & numpyWritable) != 0};
  }
  if (kind == ArgumentKind::Interface)
    return readInterface(argument);
  const TypeFacts &facts = factsOf(Py_TYPE(argument));
  uint64_t address = 0;
  if (const TensorKind *kind = readKnownTensor(argument, address))
    return {address, kind->element, kind->device, true, kind->negated};
  TensorRead read = readTensorByClass(argument, facts);
  if (facts.layout)
    facts.layout->met(argument, read.address, read.element, read.device);
  return read;
}

void *currentStream(PyObject *tensor, DeviceId device) {
  if (StreamQuestion ask = factsOf(Py_TYPE(tensor)).functions.stream) {
    void *stream = nullptr;
    if (ask(static_cast<int32_t>(device.kind), device.index, &stream) == 0)
      return stream;
    PyErr_Clear();
  }
  static py::handle question =
      py::module_::import("trisect.runtime._tensors").attr("current_stream").cast<py::object>().release();
  return reinterpret_cast<void *>(address(py::object(question(device.index)).ptr()));
}

ArgBits packFloat(double value, Slot slot) {
  FloatEnvironment arithmetic;
  switch (slot.kind) {
  case SlotKind::F64:
    return std::bit_cast<uint64_t>(value);
  case SlotKind::F32:
    return std::bit_cast<uint32_t>(float(value));
  case SlotKind::F16:
    return roundToFormat(value, 10, 5);
  case SlotKind::BF16:
    return roundToFormat(value, 7, 8);
  default:
    raise(PyExc_TypeError, "a float was given for an integer or pointer argument");
  }
}

ArgBits packArgument(PyObject *argument, Slot slot, DeviceId *place) {
  switch (slot.kind) {
  case SlotKind::None:
    return 0;
  case SlotKind::Bool: {
    int truth = PyObject_IsTrue(argument);
    if (truth < 0)
      throw py::error_already_set();
    return ArgBits(truth);
  }
  case SlotKind::Int: {
    py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(argument));
    if (!number)
      throw py::error_already_set();
    uint64_t bits = lowBits(number.ptr());
    int overflow = 0;
    auto value = uint64_t(PyLong_AsLongLongAndOverflow(number.ptr(), &overflow));
    bool isLarge = overflow && (slot.isSigned || !isUnsigned64(number.ptr()));
    if (isLarge || (!overflow && value + slot.below() > slot.span()))
      raise(PyExc_OverflowError, std::string(py::str(number)) + " is beyond " + (slot.isSigned ? "i" : "u") +
                                     std::to_string(slot.bits));
    return slot.bits == 64 ? bits : bits & ((uint64_t(1) << slot.bits) - 1);
  }
  case SlotKind::Pointer: {
    if (argument == Py_None)
      return 0;
    if (PyLong_Check(argument))
      return address(argument);
    ArgumentKind kind = argumentKind(argument);
    if (kind == ArgumentKind::NumpyArray || kind == ArgumentKind::Pointer ||
        kind == ArgumentKind::Interface) {
      TensorRead tensor = readTensor(argument, kind);
      if (tensor.unbacked)
        refuseElements(argument);
      if (place && tensor.device.kind != DeviceKind::Host)
        *place = tensor.device;
      return tensor.address;
    }
    raise(PyExc_TypeError, std::string("a pointer argument takes a tensor or an address, not '") +
                               Py_TYPE(argument)->tp_name + "'");
  }
  default: {
    double value = PyFloat_AsDouble(argument);
    if (value == -1.0 && PyErr_Occurred())
      throw py::error_already_set();
    return packFloat(value, slot);
  }
  }
}

/// The integers of a tuple or list; false if it is neither.
static bool readIntegers(std::vector<int64_t> &out, PyObject *sequence) {
  out.clear();
  if (!PyTuple_Check(sequence) && !PyList_Check(sequence))
    return false;
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(sequence); ++index) {
    long long value = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(sequence, index));
    if (value == -1 && PyErr_Occurred())
      throw py::error_already_set();
    out.push_back(value);
  }
  return true;
}

/// Objects may say whatever they like of themselves.
static bool requireStrides(const TensorView &view) {
  if (view.shape.size() == view.strides.size())
    return true;
  PyErr_Format(PyExc_ValueError, "it has %zu sizes in its shape and %zu strides", view.shape.size(),
               view.strides.size());
  throw py::error_already_set();
}

bool fillView(TensorView &view, PyObject *argument, const TensorRead &read) {
  view.address = read.address;
  view.type = read.element->type;
  view.isSigned = read.element->isSigned();
  const TypeFacts &facts = factsOf(Py_TYPE(argument));
  if (facts.kind == ArgumentKind::NumpyArray) {
    auto *array = reinterpret_cast<NumpyArrayHead *>(argument);
    view.shape.assign(array->shape, array->shape + array->rank);
    view.strides.clear();
    for (int dim = 0; dim < array->rank; ++dim)
      view.strides.push_back(array->strides[dim] / int64_t(facade::byteSize(view.type)));
    return true;
  }
  if (uint64_t address = 0; readKnownTensor(argument, address))
    if (TensorLayout::Extents extents = facts.layout->extents(argument); extents.shape) {
      view.shape.assign(extents.shape, extents.shape + extents.rank);
      view.strides.assign(extents.strides, extents.strides + extents.rank);
      return true;
    }
  TensorExport describe = facts.functions.describe;
  if (ExportedTensor tensor; describe && readExported(tensor, describe, argument)) {
    view.shape.assign(tensor.shape, tensor.shape + tensor.rank);
    view.strides.assign(tensor.strides, tensor.strides + tensor.rank);
    return true;
  }
  if (facts.hasStride && readIntegers(view.shape, attribute(argument, names().shape).ptr()) &&
      readIntegers(view.strides, call(argument, names().stride).ptr()))
    return requireStrides(view);
  // The helper knows every kind of object.
  static py::handle layout =
      py::module_::import("trisect.runtime._tensors").attr("layout").cast<py::object>().release();
  py::object found = layout(py::handle(argument));
  return !found.is_none() && readIntegers(view.shape, py::object(found[py::int_(0)]).ptr()) &&
         readIntegers(view.strides, py::object(found[py::int_(1)]).ptr()) && requireStrides(view);
}

} // namespace trisect::python
