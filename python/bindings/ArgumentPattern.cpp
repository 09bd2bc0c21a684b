//===- ArgumentPattern.cpp - the arguments of the launch before, compared in place ---------------------===//
#include "python/bindings/ArgumentPattern.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/ShortInt.h"
#include "python/bindings/TensorLayout.h"

namespace trisect::python {

namespace {
bool isFloat(SlotKind kind) {
  return kind == SlotKind::F16 || kind == SlotKind::BF16 || kind == SlotKind::F32 || kind == SlotKind::F64;
}
} // namespace

// What these objects are never changes; the key takes equal ones as alike or, too, tells them by identity.
bool ArgumentPattern::describeConstant(Part &part, PyObject *value) {
  part.kind =
      PyLong_CheckExact(value) && readShort(value, part.number) ? Kind::ShortConstant : Kind::Constant;
  part.word = reinterpret_cast<uintptr_t>(value);
  return value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
         argumentKind(value) == ArgumentKind::Identity;
}

bool ArgumentPattern::describe(Part &part, const Given &given, Slot slot) {
  part.slot = slot;
  part.taken = slot.kind != SlotKind::None;
  bool asksAlignment = given.rules.specializeValue && given.rules.specializeAlignment;
  uint64_t address = 0;
  int64_t number = 0;
  if (const TensorKind *kind = readKnownTensor(given.value, address)) {
    part.kind = Kind::Tensor;
    part.word = kind->facts;
    part.asked = asksAlignment ? Aligned : 0;
    part.traits = traitsOf(address) & part.asked; // Aligned alone
    return !kind->negated && (!part.taken || slot.kind == SlotKind::Pointer);
  }
  if (PyLong_CheckExact(given.value) && readShort(given.value, number)) {
    part.kind = Kind::Integer;
    part.asked = (asksAlignment ? Aligned : 0) | (given.rules.specializeValue ? One : 0);
    part.traits = traitsOf(uint64_t(number)) & part.asked;
    part.word = part.taken ? ~uint64_t(0) >> (64 - slot.bits) : 0;
    return !part.taken || slot.kind == SlotKind::Int;
  }
  if (PyFloat_CheckExact(given.value)) {
    part.kind = Kind::Float;
    return !part.taken || isFloat(slot.kind);
  }
  if (PyBool_Check(given.value)) {
    part.kind = Kind::Bool;
    return !part.taken || slot.kind == SlotKind::Bool;
  }
  return given.value == Py_None && !part.taken && describeConstant(part, given.value);
}

ArgumentPattern ArgumentPattern::of(const CallShape &shape, std::span<const Given> given,
                                    std::span<const Slot> slots, std::vector<PyObject *> &held) {
  if (shape.positional + shape.keywords() >= byDefault)
    return {};
  ArgumentPattern pattern;
  pattern.positional = shape.positional;
  size_t leaf = 0;
  for (const Given &each : given) {
    Part part;
    part.argument = each.argument;
    if (!each.rules.isConstexpr && leaf == slots.size())
      return {};
    bool known =
        each.rules.isConstexpr ? describeConstant(part, each.value) : describe(part, each, slots[leaf++]);
    // A default that nobody passes is what it was, if it cannot change.
    bool passed = each.argument != byDefault;
    if (!known || (!passed && !isConstant(part.kind)))
      return {};
    if (passed)
      pattern.parts.push_back(part);
  }
  if (leaf != slots.size())
    return {};
  for (Py_ssize_t index = 0; index < shape.keywords(); ++index)
    pattern.names.push_back(PyTuple_GET_ITEM(shape.names, index));
  for (PyObject *name : pattern.names)
    held.push_back(Py_NewRef(name));
  for (const Part &part : pattern.parts)
    if (isConstant(part.kind))
      held.push_back(Py_NewRef(reinterpret_cast<PyObject *>(part.word)));
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

bool ArgumentPattern::matches(PyObject *const *args, const CallShape &shape, ArgBits *bits,
                              PyObject **tensor) const {
  if (!hasShape(shape))
    return false;
  for (const Part &part : parts) {
    PyObject *argument = args[part.argument];
    switch (part.kind) {
    case Kind::Tensor: {
      uint64_t address = 0;
      const TensorKind *kind = readKnownTensor(argument, address);
      if (!kind || kind->facts != part.word || kind->negated ||
          (uint8_t(address % 16 == 0) & part.asked) != part.traits)
        return false;
      *bits = address;
      *tensor = argument;
      break;
    }
    case Kind::Integer: {
      int64_t value = 0;
      if (!PyLong_CheckExact(argument) || !readShort(argument, value) ||
          (traitsOf(uint64_t(value)) & part.asked) != part.traits)
        return false;
      *bits = uint64_t(value) & part.word;
      break;
    }
    case Kind::Float:
      if (!PyFloat_CheckExact(argument))
        return false;
      if (part.taken)
        *bits = packFloat(PyFloat_AS_DOUBLE(argument), part.slot);
      break;
    case Kind::Bool:
      if (!PyBool_Check(argument))
        return false;
      *bits = argument == Py_True;
      break;
    case Kind::ShortConstant:
      if (int64_t value = 0;
          reinterpret_cast<uintptr_t>(argument) != part.word &&
          (!PyLong_CheckExact(argument) || !readShort(argument, value) || value != part.number))
        return false;
      break;
    case Kind::Constant:
      if (reinterpret_cast<uintptr_t>(argument) != part.word)
        return false;
      break;
    }
    bits += part.taken;
  }
  return true;
}

} // namespace trisect::python
