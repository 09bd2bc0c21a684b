//===- IrModule.h - trisect._C.ir -----------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_IRMODULE_H
#define TRISECT_PYTHON_BINDINGS_IRMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindIr(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_IRMODULE_H
