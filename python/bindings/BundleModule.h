//===- BundleModule.h - trisect._C.bundles --------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_BUNDLEMODULE_H
#define TRISECT_PYTHON_BINDINGS_BUNDLEMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindBundles(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_BUNDLEMODULE_H
