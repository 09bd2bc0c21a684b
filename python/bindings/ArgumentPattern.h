//===- ArgumentPattern.h - the arguments of the launch before, compared in place -----------------------===//
//
// What: what the arguments of a call must be for it to be a launch of a kernel that is known: how they are
// passed, and of each its kind, alignment or value. matches() compares and gives the kernel's arguments in
// one walk. Why: most launches are like the one before; a key need not be made and compared for them. Limits:
// as strict as the key, and only calls whose arguments are tensors of torch that were met, short ints,
// floats, bools, None and constants; all else has no pattern and goes by its key.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_ARGUMENTPATTERN_H
#define TRISECT_PYTHON_BINDINGS_ARGUMENTPATTERN_H

#include "core/support/Launch.h"
#include "python/bindings/ElementTypes.h"
#include "python/bindings/Specialize.h"
#include <span>
#include <vector>

namespace trisect::python {

/// How a call passes its arguments: by place and then by name.
struct CallShape {
  Py_ssize_t positional = 0;
  PyObject *names = nullptr; ///< of the others; null: there are none

  Py_ssize_t keywords() const { return names ? PyTuple_GET_SIZE(names) : 0; }
};

class ArgumentPattern {
public:
  static constexpr uint16_t byDefault = UINT16_MAX;
  /// What a parameter, or an option of the call, was given.
  struct Given {
    PyObject *value;
    uint16_t argument; ///< which of the call's; byDefault: none
    ParameterRules rules;
  };
  /// Of a call of this shape; `slots` are those of the leaves. What it compares by identity is added to
  /// `held`, with a reference of its own, and must live as long. Empty if the call is not of those that have
  /// a pattern.
  static ArgumentPattern of(const CallShape &shape, std::span<const Given> given, std::span<const Slot> slots,
                            std::vector<PyObject *> &held);

  bool empty() const { return !taught; }
  /// Whether this call is like that one; then `bits` are the kernel's arguments and `tensor` is one of them.
  /// There must be room for one more than the kernel takes.
  bool matches(PyObject *const *args, const CallShape &shape, ArgBits *bits, PyObject **tensor) const;
  /// After matches() of a call: its tensors' addresses, shapes and strides. `views` are those of the tensors
  /// that the kernel takes, which otherwise are as they were when the pattern was made. False if some shape
  /// lies elsewhere.
  bool readViews(PyObject *const *args, const ArgBits *bits, std::span<TensorView> views) const;

private:
  enum Trait : uint8_t { Aligned = 1, One = 2 };
  /// What all parts have; small, so that few lines of memory are walked.
  struct Part {
    uint16_t argument = 0; ///< which of the call's
    uint16_t place = 0;    ///< which of the kernel's; that behind all of them for one that it does not take
    uint8_t asked = 0;     ///< traits that make a difference
    uint8_t traits = 0;    ///< of those
  };
  struct Tensor : Part {
    uint64_t facts = 0; ///< factsOf()
    bool isTaken = false;
  };
  struct Integer : Part {
    uint64_t mask = 0; ///< the bits that are taken
  };
  struct Float : Part {
    Slot slot;
  };
  struct Bool : Part {};
  struct Constant : Part {
    PyObject *object = nullptr;
    bool isShort = false; ///< an int with this value is as good
    int64_t number = 0;
  };
  bool add(const Given &given, Slot slot, uint16_t place);
  bool addConstant(const Given &given);
  bool hasShape(const CallShape &shape) const;
  bool tensorsMatch(PyObject *const *args, ArgBits *bits, PyObject **tensor) const;
  bool integersMatch(PyObject *const *args, ArgBits *bits) const;
  bool constantsMatch(PyObject *const *args) const;
  bool othersMatch(PyObject *const *args, ArgBits *bits) const;
  static uint8_t traitsOf(uint64_t bits) { return uint8_t((bits % 16 == 0) | (bits == 1) << 1); }

  bool taught = false;
  Py_ssize_t positional = 0;
  std::vector<PyObject *> names;
  // Kind by kind: a walk over one kind has no choice to make.
  std::vector<Tensor> tensors;
  std::vector<Integer> integers;
  std::vector<Constant> constants;
  std::vector<Float> floats;
  std::vector<Bool> bools;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_ARGUMENTPATTERN_H
