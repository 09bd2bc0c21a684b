//===- FormsModule.h - trisect._C.forms -----------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FORMSMODULE_H
#define TRISECT_PYTHON_BINDINGS_FORMSMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindForms(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_FORMSMODULE_H
