//===- Vectorcall.h - objects that Python calls without packing arguments -------------------------------===//
//
// What: the type of an object of C++ that is called through the vectorcall protocol. Why: pybind11's
// functions build a tuple and a dict for every call, which costs more than a small launch. Limits: Object
// begins with `PyObject_HEAD vectorcallfunc call;` and its maker fills `call`.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_VECTORCALL_H
#define TRISECT_PYTHON_BINDINGS_VECTORCALL_H

#include <cstddef>
#include <pybind11/pybind11.h>

namespace trisect::python {

template <class Object>
PyTypeObject vectorcallType(const char *name, const char *doc, void (*deallocate)(PyObject *)) {
  PyTypeObject made{};
  Py_SET_REFCNT(&made, 1);
  made.tp_name = name;
  made.tp_doc = doc;
  made.tp_basicsize = sizeof(Object);
  made.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  made.tp_vectorcall_offset = offsetof(Object, call);
  made.tp_call = PyVectorcall_Call;
  made.tp_dealloc = deallocate;
  return made;
}

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_VECTORCALL_H
