//===- Specialize.h - what of an argument decides which code runs ---------------------------------------===//
//
// What: the specialisation of one argument, in two forms that agree: (type, key) for the compiler, and words
// of a key for the warm launch. Limits: a word key holds some objects by address; whoever keeps it keeps
// them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_SPECIALIZE_H
#define TRISECT_PYTHON_BINDINGS_SPECIALIZE_H

#include "core/support/Launch.h"
#include "python/bindings/Inline.h"
#include <pybind11/pybind11.h>
#include <span>
#include <vector>

namespace trisect::python {

struct ElementType;

/// How a parameter wants its arguments looked at.
struct ParameterRules {
  bool isConstexpr = false;
  bool isConst = false;
  bool specializeValue = true;
  bool specializeAlignment = true;
};

/// (type, key) as the compiler takes them: ("*fp32", "D"), ("i32", ""), ("constexpr", 1); tuples of those for
/// a tuple. Throws TypeError for an object that no kernel can take.
pybind11::object specialize(pybind11::handle argument, const ParameterRules &rules);

/// The raw value of an argument the kernel may be given: address, integer, or the bits of a double.
using Leaf = uint64_t;
/// What leaves of one key have in common.
struct LeafFacts {
  const ElementType *element = nullptr; ///< of a tensor
  bool isDouble = false;
};

/// A key under construction.
struct WarmKey {
  Inline<uint64_t, 96> words;
  /// One for each leaf of each parameter that is not constexpr.
  Inline<Leaf, 48> leaves;
  /// Theirs, if somebody wants to know.
  std::vector<LeafFacts> *facts = nullptr;
  /// Objects that `words` holds by address, each with a reference of its own.
  Inline<PyObject *, 8> held;
  /// A tensor on a device, borrowed, and its device; null if all are the host's.
  PyObject *onDevice = nullptr;
  DeviceId device;
  bool hasHostTensor = false;

  void addLeaf(Leaf bits, LeafFacts about = {}) {
    leaves.push_back(bits);
    if (facts)
      facts->push_back(about);
  }

  WarmKey() = default;
  WarmKey(const WarmKey &) = delete;
  ~WarmKey() {
    for (PyObject *object : held)
      Py_DECREF(object);
  }
};

/// Appends an argument for each of some parameters; false if the warm launch cannot take one and the slow
/// path must.
bool appendToKey(WarmKey &key, PyObject *const *arguments, std::span<const ParameterRules> rules);
/// The same for the value of an option.
bool appendConstexprToKey(WarmKey &key, PyObject *value);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_SPECIALIZE_H
