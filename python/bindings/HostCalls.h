//===- HostCalls.h - functions of compile-time values, called on the host -------------------------------===//
//
// What: `__call__` of the class of such functions. Why: grids are computed with them at every launch
// (`triton.cdiv`), and a class's own `__call__` in Python takes longer than the function. What that one makes
// of small ints is worked out here. Limits: numbers, texts and None by position; anything else goes the way
// that the class says.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_HOSTCALLS_H
#define TRISECT_PYTHON_BINDINGS_HOSTCALLS_H

#include <pybind11/pybind11.h>

namespace trisect::python {

/// The method for a class whose objects hold a function as `fn`; `fallback` is called with the object first.
pybind11::object makeHostCall(const pybind11::type &type, const pybind11::object &fallback);

/// Says which function divides and rounds up, where it is the `fn` of such an object.
void setCeilingDivision(const pybind11::object &function);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_HOSTCALLS_H
