//===- Specialize.cpp - types, values and alignment of arguments ----------------------------------------===//
#include "python/bindings/Specialize.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/ShortInt.h"
#include <bit>

namespace py = pybind11;

namespace trisect::python {

namespace {

constexpr uint64_t alignment = 16;

enum class IntegerType : uint8_t { I32, I64, U64 };
constexpr const char *integerNames[] = {"i32", "i64", "u64"};

struct Integer {
  IntegerType type;
  uint64_t bits;
  bool isOne;
};

/// One that fits no i64.
Integer readWideInteger(PyObject *number, int overflow) {
  if (overflow > 0) {
    unsigned long long wide = PyLong_AsUnsignedLongLong(number);
    if (wide == static_cast<unsigned long long>(-1) && PyErr_Occurred()) {
      PyErr_SetString(PyExc_OverflowError, "an integer argument of 2**64 or more fits no type");
      throw py::error_already_set();
    }
    return {IntegerType::U64, wide, false};
  }
  PyErr_SetString(PyExc_OverflowError, "an integer argument below -2**63 fits no type");
  throw py::error_already_set();
}

/// i32 if the value fits, else i64, else u64; throws OverflowError beyond that.
[[gnu::always_inline]] inline Integer readInteger(PyObject *number) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow)
    return readWideInteger(number, overflow);
  if (value == -1 && PyErr_Occurred())
    throw py::error_already_set();
  bool isShort = value == int32_t(value);
  return {isShort ? IntegerType::I32 : IntegerType::I64, uint64_t(value), value == 1};
}

py::object pair(const std::string &type, const py::object &key) { return py::make_tuple(type, key); }

py::object alignmentKey(uint64_t bits, const ParameterRules &rules) {
  if (!rules.specializeValue)
    return py::none();
  return py::str(rules.specializeAlignment && bits % alignment == 0 ? "D" : "");
}

py::object specializeTuple(py::handle argument, const ParameterRules &rules) {
  py::list types, keys;
  for (py::handle item : argument) {
    py::tuple one = specialize(item, rules);
    types.append(one[0]);
    keys.append(one[1]);
  }
  // A named tuple keeps its class, which names the fields.
  py::object cls = py::type::of(argument);
  if (py::hasattr(cls, "_fields"))
    return py::make_tuple(cls(*py::tuple(types)), cls(*py::tuple(keys)));
  return py::make_tuple(py::tuple(types), py::tuple(keys));
}

enum Tag : uint64_t {
  TagNone,
  TagOne,
  TagInteger,
  TagBool,
  TagFloat,
  TagPointer,
  TagTuple,
  TagConstantInteger,
  TagConstantFloat,
  TagConstantBool,
  TagObject,
  TagDescriptor,
};

constexpr uint64_t tagged(Tag tag, uint64_t rest = 0) { return uint64_t(tag) | rest << 8; }

void hold(WarmKey &key, PyObject *object) {
  key.words.push_back(reinterpret_cast<uintptr_t>(object));
  Py_INCREF(object);
  key.held.push_back(object);
}

bool appendConstant(WarmKey &key, PyObject *value) {
  if (value == Py_None) {
    key.words.push_back(tagged(TagNone));
    return true;
  }
  if (PyBool_Check(value)) {
    key.words.push_back(tagged(TagConstantBool, value == Py_True));
    return true;
  }
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow)
      return false;
    key.words.push_back(tagged(TagConstantInteger));
    key.words.push_back(uint64_t(number));
    return true;
  }
  if (PyFloat_CheckExact(value)) {
    key.words.push_back(tagged(TagConstantFloat));
    key.words.push_back(std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(value)));
    return true;
  }
  if (PyTuple_CheckExact(value)) {
    key.words.push_back(tagged(TagTuple, uint64_t(PyTuple_GET_SIZE(value))));
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(value); ++index)
      if (!appendConstant(key, PyTuple_GET_ITEM(value, index)))
        return false;
    return true;
  }
  switch (argumentKind(value)) {
  case ArgumentKind::Identity:
    key.words.push_back(tagged(TagObject));
    hold(key, value);
    return true;
  case ArgumentKind::Constexpr: {
    PyObject *inner = PyObject_GetAttrString(value, "value");
    if (!inner)
      throw py::error_already_set();
    bool done = appendConstant(key, inner);
    Py_DECREF(inner);
    return done;
  }
  default:
    return false;
  }
}

/// False if tensors of one launch lie in several places: whether that goes, the slow path finds out.
bool notePlace(WarmKey &key, PyObject *tensor, DeviceId device) {
  if (device.kind == DeviceKind::Host) {
    key.hasHostTensor = true;
  } else if (!key.onDevice) {
    key.onDevice = tensor;
    key.device = device;
  }
  return !key.onDevice || (!key.hasHostTensor && device == key.device);
}

py::object attributeOf(PyObject *object, const char *name) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (!value)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(value);
}

/// Appends integers of a list or tuple as leaves or words; false if it holds anything else.
template <class Append> bool forIntegers(const py::object &sequence, Append append) {
  PyObject *items = sequence.ptr();
  if (!PyTuple_Check(items) && !PyList_Check(items))
    return false;
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(items); ++index) {
    PyObject *item = PySequence_Fast_GET_ITEM(items, index);
    int overflow = 0;
    if (!PyLong_CheckExact(item))
      return false;
    long long value = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow)
      return false;
    append(uint64_t(value));
  }
  return true;
}

/// A host descriptor: what it is made of, in the order of flatten_descriptor().
bool appendDescriptor(WarmKey &key, PyObject *descriptor) {
  py::object base = attributeOf(descriptor, "base");
  ArgumentKind kind = argumentKind(base.ptr());
  if (kind != ArgumentKind::NumpyArray && kind != ArgumentKind::Pointer && kind != ArgumentKind::Interface)
    return false;
  TensorRead tensor = readTensor(base.ptr(), kind);
  if (tensor.negated || tensor.unbacked)
    return false;
  py::object padding = py::getattr(descriptor, "padding", py::none());
  bool isNan = PyUnicode_Check(padding.ptr()) && PyUnicode_CompareWithASCIIString(padding.ptr(), "nan") == 0;
  if (!notePlace(key, base.ptr(), tensor.device))
    return false;
  key.words.push_back(
      tagged(TagDescriptor, factsOf(*tensor.element, tensor.device, tensor.writable) << 1 | isNan));
  key.addLeaf(tensor.address, {tensor.element});
  auto leaf = [&](uint64_t value) { key.addLeaf(value); };
  auto word = [&](uint64_t value) { key.words.push_back(value); };
  size_t before = key.leaves.size();
  if (!forIntegers(attributeOf(descriptor, "shape"), leaf))
    return false;
  key.words.push_back(key.leaves.size() - before);
  return forIntegers(attributeOf(descriptor, "strides"), leaf) &&
         forIntegers(attributeOf(descriptor, "block_shape"), word);
}

inline bool isAligned(uint64_t bits, const ParameterRules &rules) {
  return rules.specializeValue & rules.specializeAlignment & (bits % alignment == 0);
}

/// `facts`: as factsOf() has them.
inline uint64_t tensorWord(uint64_t address, uint64_t facts, const ParameterRules &rules) {
  return tagged(TagPointer, facts << 1 | isAligned(address, rules));
}

inline uint64_t integerWord(IntegerType type, uint64_t bits, bool isOne, const ParameterRules &rules) {
  return (isOne & rules.specializeValue) ? tagged(TagOne)
                                         : tagged(TagInteger, uint64_t(type) << 1 | isAligned(bits, rules));
}

bool addTensor(WarmKey &key, PyObject *argument, const TensorRead &tensor, const ParameterRules &rules) {
  if (tensor.negated || tensor.unbacked || !notePlace(key, argument, tensor.device))
    return false;
  key.words.push_back(
      tensorWord(tensor.address, factsOf(*tensor.element, tensor.device, tensor.writable), rules));
  key.addLeaf(tensor.address, {tensor.element});
  return true;
}

void addInteger(WarmKey &key, PyObject *argument, const ParameterRules &rules) {
  auto [type, bits, isOne] = readInteger(argument);
  key.words.push_back(integerWord(type, bits, isOne, rules));
  key.addLeaf(bits);
}

bool appendOther(WarmKey &key, PyObject *argument, const ParameterRules &rules) {
  if (argument == Py_None) {
    key.words.push_back(tagged(TagNone));
    key.addLeaf(0);
    return true;
  }
  if (PyBool_Check(argument)) {
    key.words.push_back(tagged(TagBool));
    key.addLeaf(argument == Py_True);
    return true;
  }
  if (PyLong_Check(argument)) {
    addInteger(key, argument, rules);
    return true;
  }
  if (PyFloat_Check(argument)) {
    key.words.push_back(tagged(TagFloat));
    key.addLeaf(std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(argument)), {.isDouble = true});
    return true;
  }
  if (PyTuple_Check(argument)) {
    key.words.push_back(tagged(TagTuple, uint64_t(PyTuple_GET_SIZE(argument))));
    hold(key, reinterpret_cast<PyObject *>(Py_TYPE(argument)));
    std::vector<ParameterRules> each(size_t(PyTuple_GET_SIZE(argument)), rules);
    return appendToKey(key, &PyTuple_GET_ITEM(argument, 0), each);
  }
  ArgumentKind kind = argumentKind(argument);
  if (kind == ArgumentKind::NumpyArray || kind == ArgumentKind::Pointer || kind == ArgumentKind::Interface) {
    TensorRead tensor = readTensor(argument, kind);
    return addTensor(key, argument, tensor, rules);
  }
  if (kind == ArgumentKind::Descriptor)
    return appendDescriptor(key, argument);
  if (PyUnicode_Check(argument) || (kind != ArgumentKind::Identity && kind != ArgumentKind::Constexpr))
    return false;
  key.addLeaf(0);
  return appendConstant(key, argument);
}

} // namespace

py::object specialize(py::handle argument, const ParameterRules &rules) {
  PyObject *object = argument.ptr();
  if (rules.isConstexpr || object == Py_None)
    return pair("constexpr", py::reinterpret_borrow<py::object>(argument));
  if (PyBool_Check(object))
    return pair("u1", py::none());
  if (PyLong_Check(object)) {
    Integer number = readInteger(object);
    if (number.isOne && rules.specializeValue)
      return pair("constexpr", py::int_(1));
    return pair(integerNames[size_t(number.type)], alignmentKey(number.bits, rules));
  }
  if (PyFloat_Check(object))
    return pair("fp32", py::none());
  if (PyTuple_Check(object))
    return specializeTuple(argument, rules);
  ArgumentKind kind = argumentKind(object);
  switch (kind) {
  case ArgumentKind::NumpyArray:
  case ArgumentKind::Pointer:
  case ArgumentKind::Interface: {
    TensorRead tensor = readTensor(object, kind);
    if (tensor.negated)
      throw py::value_error(
          "the tensor's elements are the negatives of its memory (its negative bit is set); "
          "pass tensor.resolve_neg()");
    return pair((rules.isConst ? "*k" : "*") + tensor.element->spelling, alignmentKey(tensor.address, rules));
  }
  case ArgumentKind::Integer: {
    py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (!number)
      throw py::error_already_set();
    return specialize(number, rules);
  }
  case ArgumentKind::Boolean:
    return pair("u1", py::none());
  case ArgumentKind::Floating:
    return pair("fp32", py::none());
  case ArgumentKind::Descriptor:
    return py::module_::import("trisect.runtime._tensors").attr("specialize_descriptor")(argument);
  case ArgumentKind::Identity:
  case ArgumentKind::Constexpr:
    if (!PyUnicode_Check(object))
      return pair("constexpr", py::reinterpret_borrow<py::object>(argument));
    break;
  case ArgumentKind::Other:
    break;
  }
  if (isMasked(object))
    throw py::type_error("no kernel sees the mask of a '" + std::string(Py_TYPE(object)->tp_name) +
                         "'; pass its data and its mask as two tensors, or .filled(value)");
  throw py::type_error(
      "no kernel can take an object of type '" + std::string(Py_TYPE(object)->tp_name) +
      "'; pass a tensor, a number, a bool, None or a tuple of those, or declare the parameter "
      "tl.constexpr");
}

bool appendToKey(WarmKey &key, PyObject *const *arguments, std::span<const ParameterRules> rules) {
  // Most arguments are a word and a leaf, which are written in line; what is more goes through the key.
  uint64_t *word = key.words.room(rules.size());
  Leaf *leaf = key.leaves.room(rules.size());
  const TensorKind *placed = nullptr; ///< tensors of this kind were noted
  for (size_t n = 0; n < rules.size(); ++n) {
    PyObject *argument = arguments[n];
    const ParameterRules &each = rules[n];
    uint64_t address = 0;
    if (!each.isConstexpr) {
      if (const TensorKind *kind = readKnownTensor(argument, address)) {
        if (kind != placed && (kind->negated || !notePlace(key, argument, kind->device)))
          return false;
        placed = kind;
        *word++ = tensorWord(address, kind->facts, each);
        *leaf++ = address;
        if (key.facts)
          key.facts->push_back({kind->element});
        continue;
      }
      if (int64_t number = 0; PyLong_CheckExact(argument) && readShort(argument, number)) {
        *word++ = integerWord(IntegerType::I32, uint64_t(number), number == 1, each);
        *leaf++ = uint64_t(number);
        if (key.facts)
          key.facts->emplace_back();
        continue;
      }
    }
    key.words.endAt(word);
    key.leaves.endAt(leaf);
    if (each.isConstexpr ? !appendConstant(key, argument) : !appendOther(key, argument, each))
      return false;
    word = key.words.room(rules.size() - n);
    leaf = key.leaves.room(rules.size() - n);
  }
  key.words.endAt(word);
  key.leaves.endAt(leaf);
  return true;
}

bool appendConstexprToKey(WarmKey &key, PyObject *value) { return appendConstant(key, value); }

} // namespace trisect::python
