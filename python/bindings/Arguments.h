//===- Arguments.h - kernel arguments as Python hands them over -----------------------------------------===//
//
// What: reads tensors of any kind, knows the types of a signature, turns Python values into argument bits.
// Why: one reading of an argument serves specialisation, the warm launch and `CompiledKernel.run`.
// Limits: failures leave a Python error set and throw pybind11::error_already_set. Arrays of NumPy are read
// through the public part of their layout, tensors through DLPack's C functions where their class has them,
// everything else through attributes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_ARGUMENTS_H
#define TRISECT_PYTHON_BINDINGS_ARGUMENTS_H

#include "core/support/Launch.h"
#include "python/bindings/ElementTypes.h"
#include "python/bindings/TensorLayout.h"
#include <vector>

namespace trisect::python {

struct TensorRead {
  uint64_t address = 0;
  const ElementType *element = nullptr;
  /// The host's unless the object says that it is elsewhere.
  DeviceId device;
  /// False only if the object says that its memory must not be written.
  bool writable = true;
  /// The elements are the negatives of what lies in memory, as a lazy negation leaves them.
  bool negated = false;
  /// Its attributes say address 0: a tensor without elements, or one that only stands for another.
  bool unbacked = false;
};

/// How objects of a Python type are read.
enum class ArgumentKind : uint8_t {
  Other,      ///< known by its value in the slow path only
  NumpyArray, ///< layout
  Pointer,    ///< data_ptr() and dtype
  Interface,  ///< DLPack or an array interface
  Descriptor, ///< a host tensor descriptor
  Integer,    ///< a NumPy integer scalar
  Floating,   ///< a NumPy float scalar
  Boolean,    ///< a NumPy bool
  Identity,   ///< immutable and compared by identity: str, types, dtypes, functions
  Constexpr,  ///< a language constexpr
};
ArgumentKind argumentKind(PyObject *argument);
/// Says how instances of a class of Python, and of its subclasses, are read.
void registerType(PyTypeObject *type, ArgumentKind kind);

/// Whether a tensor's values are those in its memory negated.
bool isNegated(PyObject *tensor);
/// Whether some elements of a tensor count as absent, which memory does not show.
bool isMasked(PyObject *argument);
/// Reads an argument of kind NumpyArray, Pointer or Interface.
TensorRead readTensor(PyObject *argument, ArgumentKind kind);
/// torch.Tensor and torch.nn.Parameter, as far as they were met, and their layout.
struct LaidOutTypes {
  PyTypeObject *types[2] = {};
  TensorLayout *layout = nullptr;
};
extern LaidOutTypes laidOutTypes;
/// Reads a tensor of torch of a kind that was read before, as most arguments are; null for all else.
[[gnu::always_inline]] inline const TensorKind *readKnownTensor(PyObject *argument, uint64_t &address) {
  PyTypeObject *type = Py_TYPE(argument);
  bool isLaidOut = type == laidOutTypes.types[0] || type == laidOutTypes.types[1];
  return isLaidOut ? laidOutTypes.layout->read(argument, address) : nullptr;
}

/// Reads tensors of which most are alike, as those of a launch are.
class AlikeTensors {
public:
  /// The facts of a tensor as readKnownTensor() reads it, and its address; noFacts for all else and for one
  /// that is negated.
  [[gnu::always_inline]] uint64_t read(PyObject *argument, uint64_t &address) {
    PyTypeObject *type = Py_TYPE(argument);
    if (type != types.types[0] && type != types.types[1])
      return noFacts;
    return alike.read(argument, address);
  }

private:
  LaidOutTypes types = laidOutTypes;
  TensorLayout::Alike alike{types.layout};
};

/// The stream into which the library of a tensor puts its work on a device now.
void *currentStream(PyObject *tensor, DeviceId device);

/// The bits of `argument` for a slot; pointers may be tensors, addresses or None. `place`, if given, becomes
/// the device of a tensor that is on one.
ArgBits packArgument(PyObject *argument, Slot slot, DeviceId *place = nullptr);
ArgBits packFloat(double value, Slot slot);

/// Fills `view` with type, address, shape and strides of a tensor that was read; false for an object without
/// a shape. Its argument and name are the caller's.
bool fillView(TensorView &view, PyObject *argument, const TensorRead &read);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_ARGUMENTS_H
