//===- GridArgument.h - the grid of a launch ------------------------------------------------------------===//
//
// What: reads what Python gives as a grid: one size, or a tuple or list of one to three. Limits: what a
// function of the kernel's arguments says is the caller's to ask.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_GRIDARGUMENT_H
#define TRISECT_PYTHON_BINDINGS_GRIDARGUMENT_H

#include "core/support/Launch.h"
#include <pybind11/pybind11.h>

namespace trisect::python {

/// One dimension of a grid; throws TypeError or ValueError.
int32_t gridSize(PyObject *size);
/// Throws likewise.
Grid readGrid(PyObject *grid);
/// Of a tuple of short ints; false for anything else.
bool readShortGrid(PyObject *grid, Grid &result);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_GRIDARGUMENT_H
