//===- DebuggerModule.h - trisect._C.debugger -----------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_DEBUGGERMODULE_H
#define TRISECT_PYTHON_BINDINGS_DEBUGGERMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindDebugger(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_DEBUGGERMODULE_H
