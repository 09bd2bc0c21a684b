//===- ArgumentPattern.cpp - the arguments of the launch before, compared in place ---------------------===//
#include "python/bindings/ArgumentPattern.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/ShortInt.h"
#include "python/bindings/TensorLayout.h"
#include <algorithm>

namespace trisect::python {

namespace {
bool isFloat(SlotKind kind) {
  return kind == SlotKind::F16 || kind == SlotKind::BF16 || kind == SlotKind::F32 || kind == SlotKind::F64;
}
} // namespace

// What these objects are never changes; the key takes equal ones as alike or, too, tells them by identity.
bool ArgumentPattern::addConstant(const Given &given) {
  PyObject *value = given.value;
  Constant part{{given.argument}, value};
  part.isShort = PyLong_CheckExact(value) && readShort(value, part.number);
  // A default that nobody passes is what it was, if it cannot change.
  if (given.argument != byDefault)
    constants.push_back(part);
  return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
         argumentKind(value) == ArgumentKind::Identity;
}

bool ArgumentPattern::add(const Given &given, Slot slot, uint16_t place) {
  bool taken = slot.kind != SlotKind::None, passed = given.argument != byDefault;
  bool asksAlignment = given.rules.specializeValue && given.rules.specializeAlignment;
  Part part{given.argument, place};
  uint64_t address = 0;
  int64_t number = 0;
  if (const TensorKind *kind = readKnownTensor(given.value, address)) {
    part.asked = asksAlignment ? Aligned : 0;
    part.traits = traitsOf(address) & part.asked; // Aligned alone
    tensors.push_back({part, kind->facts, taken});
    return passed && !kind->negated && (!taken || slot.kind == SlotKind::Pointer);
  }
  if (PyLong_CheckExact(given.value) && readShort(given.value, number)) {
    part.asked = (asksAlignment ? Aligned : 0) | (given.rules.specializeValue ? One : 0);
    part.traits = traitsOf(uint64_t(number)) & part.asked;
    integers.push_back({part, taken ? ~uint64_t(0) >> (64 - slot.bits) : 0});
    // A number of one digit fits 32 bits; whether it fits fewer is asked with the key.
    return passed && (!taken || (slot.kind == SlotKind::Int && slot.bits >= 32));
  }
  if (PyFloat_CheckExact(given.value)) {
    floats.push_back({part, slot});
    return passed && (!taken || isFloat(slot.kind));
  }
  if (PyBool_Check(given.value)) {
    bools.push_back({part});
    return passed && (!taken || slot.kind == SlotKind::Bool);
  }
  return given.value == Py_None && !taken && addConstant(given);
}

ArgumentPattern ArgumentPattern::of(const CallShape &shape, std::span<const Given> given,
                                    std::span<const Slot> slots, std::vector<PyObject *> &held) {
  if (shape.positional + shape.keywords() >= byDefault)
    return {};
  ArgumentPattern pattern;
  pattern.positional = shape.positional;
  auto isTaken = [](Slot slot) { return slot.kind != SlotKind::None; };
  auto behind = uint16_t(std::ranges::count_if(slots, isTaken));
  uint16_t place = 0;
  size_t leaf = 0;
  for (const Given &each : given) {
    if (each.rules.isConstexpr) {
      if (!pattern.addConstant(each))
        return {};
      continue;
    }
    if (leaf == slots.size())
      return {};
    Slot slot = slots[leaf++];
    if (!pattern.add(each, slot, isTaken(slot) ? place++ : behind))
      return {};
  }
  if (leaf != slots.size())
    return {};
  for (Py_ssize_t index = 0; index < shape.keywords(); ++index)
    pattern.names.push_back(PyTuple_GET_ITEM(shape.names, index));
  for (PyObject *name : pattern.names)
    held.push_back(Py_NewRef(name));
  for (const Constant &part : pattern.constants)
    held.push_back(Py_NewRef(part.object));
  pattern.taught = true;
  return pattern;
}

bool ArgumentPattern::hasShape(const CallShape &shape) const {
  if (shape.positional != positional || shape.keywords() != Py_ssize_t(names.size()))
    return false;
  for (size_t index = 0; index < names.size(); ++index)
    if (PyTuple_GET_ITEM(shape.names, Py_ssize_t(index)) != names[index])
      return false;
  return true;
}

bool ArgumentPattern::tensorsMatch(PyObject *const *args, ArgBits *bits, PyObject **tensor) const {
  AlikeTensors alike;
  for (const Tensor &part : tensors) {
    PyObject *argument = args[part.argument];
    uint64_t address = 0;
    if (alike.read(argument, address) != part.facts ||
        (uint8_t(address % 16 == 0) & part.asked) != part.traits)
      return false;
    bits[part.place] = address;
    *tensor = argument;
  }
  return true;
}

bool ArgumentPattern::readViews(PyObject *const *args, const ArgBits *bits,
                                std::span<TensorView> views) const {
  auto view = views.begin();
  for (const Tensor &part : tensors) {
    if (!part.isTaken)
      continue;
    TensorLayout::Extents extents = laidOutTypes.layout->extents(args[part.argument]);
    if (!extents.shape)
      return false;
    view->address = bits[part.place];
    view->shape.resize(extents.rank);
    view->strides.resize(extents.rank);
    for (size_t d = 0; d < extents.rank; ++d) {
      view->shape[d] = extents.shape[d];
      view->strides[d] = extents.strides[d];
    }
    ++view;
  }
  return true;
}

bool ArgumentPattern::integersMatch(PyObject *const *args, ArgBits *bits) const {
  for (const Integer &part : integers) {
    PyObject *argument = args[part.argument];
    int64_t value = 0;
    if (!PyLong_CheckExact(argument) || !readShort(argument, value) ||
        (traitsOf(uint64_t(value)) & part.asked) != part.traits)
      return false;
    bits[part.place] = uint64_t(value) & part.mask;
  }
  return true;
}

bool ArgumentPattern::constantsMatch(PyObject *const *args) const {
  for (const Constant &part : constants) {
    PyObject *argument = args[part.argument];
    int64_t value = 0;
    if (argument != part.object && (!part.isShort || !PyLong_CheckExact(argument) ||
                                    !readShort(argument, value) || value != part.number))
      return false;
  }
  return true;
}

bool ArgumentPattern::othersMatch(PyObject *const *args, ArgBits *bits) const {
  for (const Float &part : floats) {
    PyObject *argument = args[part.argument];
    if (!PyFloat_CheckExact(argument))
      return false;
    if (part.slot.kind != SlotKind::None)
      bits[part.place] = packFloat(PyFloat_AS_DOUBLE(argument), part.slot);
  }
  for (const Bool &part : bools) {
    PyObject *argument = args[part.argument];
    if (!PyBool_Check(argument))
      return false;
    bits[part.place] = argument == Py_True;
  }
  return true;
}

bool ArgumentPattern::matches(PyObject *const *args, const CallShape &shape, ArgBits *bits,
                              PyObject **tensor) const {
  return hasShape(shape) && tensorsMatch(args, bits, tensor) && integersMatch(args, bits) &&
         constantsMatch(args) && othersMatch(args, bits);
}

} // namespace trisect::python
