//===- CudaModule.h - trisect._C.cuda -------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_CUDAMODULE_H
#define TRISECT_PYTHON_BINDINGS_CUDAMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindCuda(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_CUDAMODULE_H
