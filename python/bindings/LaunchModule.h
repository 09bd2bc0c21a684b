//===- LaunchModule.h - trisect._C.launch ---------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_LAUNCHMODULE_H
#define TRISECT_PYTHON_BINDINGS_LAUNCHMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindLaunch(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_LAUNCHMODULE_H
