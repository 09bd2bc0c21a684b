//===- Dlpack.h - tensors through DLPack's table of C functions -----------------------------------------===//
//
// What: reads address, element type, place and layout of a tensor, and the current stream of its library, in
// one C call each, where its class offers
// `__dlpack_c_exchange_api__`. Why: five attributes read through Python cost more than the rest of a launch.
// Limits: version 1 of the table. Whatever it cannot describe is left to the reading by attributes, which
// also finds the words for an error.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_DLPACK_H
#define TRISECT_PYTHON_BINDINGS_DLPACK_H

#include "core/support/Launch.h"
#include "python/bindings/ElementTypes.h"

namespace trisect::python {

/// A tensor as its library describes it; the layout is the library's and lives until Python runs again.
struct ExportedTensor {
  uint64_t address = 0;
  const ElementType *element = nullptr;
  DeviceId device;
  int rank = 0;
  const int64_t *shape = nullptr, *strides = nullptr; ///< strides in elements
};

/// Fills a description (a DLTensor) of a tensor object; not 0: failed, with a Python error set.
using TensorExport = int (*)(void *object, void *description);

/// Gives the stream into which a library puts its work on a device now; not 0: failed.
using StreamQuestion = int (*)(int32_t deviceType, int32_t deviceIndex, void **stream);

/// The functions for instances of a type; null if it has none, or if it overrides how its tensors behave.
struct TensorFunctions {
  TensorExport describe = nullptr;
  StreamQuestion stream = nullptr;
};
TensorFunctions tensorFunctionsOf(PyTypeObject *type);

/// False, without a Python error, if the tensor cannot be read this way.
bool readExported(ExportedTensor &tensor, TensorExport function, PyObject *object);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_DLPACK_H
