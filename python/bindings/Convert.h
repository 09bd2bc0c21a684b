//===- Convert.h - Python objects to and from the facade's values ---------------------------------------===//
//
// What: attributes from plain Python values, and the translation of outcomes into Python exceptions.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_CONVERT_H
#define TRISECT_PYTHON_BINDINGS_CONVERT_H

#include "python/bindings/facade/Ir.h"
#include <pybind11/pybind11.h>

namespace trisect::python {

/// bool → BoolAttr, int → i32, float → f64, str → StringAttr, a list or tuple of int → array<i32>, None →
/// unit, Type → TypeAttr, dict → DictionaryAttr, Attribute → itself.
ir::Attribute toAttribute(const ir::Context &context, pybind11::handle value);

/// Named attributes of a dict; the names live as long as the dict.
std::vector<ir::NamedAttribute> toAttributes(const ir::Context &context, pybind11::handle dict);

pybind11::object toPython(const ir::PlainValue &value);

/// Makes the classes of trisect.errors the Python form of core/support/Outcome.h.
void registerOutcomes();

/// Sets the Python error for the exception in flight; for code that pybind11 does not wrap.
void setPythonError();

/// Drops the traceback of the Python error that is set if it speaks of a kernel: what the user must see is
/// the launch, not the compiler that stands between.
void hideOwnFrames();

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_CONVERT_H
