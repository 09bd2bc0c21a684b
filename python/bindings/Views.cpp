//===- Views.cpp - tensors of any kind ------------------------------------------------------------------===//
#include "python/bindings/Views.h"

namespace trisect::python {

bool readView(TensorView &view, PyObject *argument) {
  ArgumentKind kind = argumentKind(argument);
  bool mayHaveOne =
      kind == ArgumentKind::NumpyArray || kind == ArgumentKind::Pointer || kind == ArgumentKind::Interface;
  return mayHaveOne && fillView(view, argument, readTensor(argument, kind));
}

} // namespace trisect::python
