//===- Findings.h - what sanitizers found, for Python ---------------------------------------------------===//
//
// What: a Finding as a plain dictionary, and the functions of trisect._C.runtime about sanitizers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FINDINGS_H
#define TRISECT_PYTHON_BINDINGS_FINDINGS_H

#include "core/support/Finding.h"
#include <pybind11/pybind11.h>

namespace trisect::python {

pybind11::dict toPython(const Finding &finding);

void bindFindings(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_FINDINGS_H
