//===- RuntimeModule.h - trisect._C.runtime -------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_RUNTIMEMODULE_H
#define TRISECT_PYTHON_BINDINGS_RUNTIMEMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

/// After bindLaunch(): a kernel is an Executable.
void bindRuntime(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_RUNTIMEMODULE_H
