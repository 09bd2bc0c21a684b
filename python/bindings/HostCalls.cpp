//===- HostCalls.cpp - functions of compile-time values, called on the host -----------------------------===//
#include "python/bindings/HostCalls.h"
#include "python/bindings/ShortInt.h"
#include <algorithm>
#include <vector>

namespace py = pybind11;

namespace trisect::python {

namespace {

PyObject *hostFallback = nullptr;
PyObject *ceilingDivision = nullptr;

/// Null, without an error, for what is left to the function.
PyObject *divideUp(PyObject *x, PyObject *y) {
  int64_t dividend = 0, divisor = 0;
  if (!PyLong_CheckExact(x) || !PyLong_CheckExact(y) || !readShort(x, dividend) || !readShort(y, divisor) ||
      divisor <= 0)
    return nullptr;
  int64_t sum = dividend + divisor - 1;
  return PyLong_FromLongLong(sum / divisor - (sum % divisor < 0));
}

bool isPlain(PyObject *value) {
  PyTypeObject *type = Py_TYPE(value);
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type ||
         value == Py_None;
}

PyObject *callOnHost(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  static PyObject *const functionName = PyUnicode_InternFromString("fn");
  if (!names && std::all_of(args, args + count, isPlain)) {
    PyObject *function = PyObject_GetAttr(self, functionName);
    if (!function)
      return nullptr;
    PyObject *result = function == ceilingDivision && count == 2 ? divideUp(args[0], args[1]) : nullptr;
    if (!result)
      result = PyObject_Vectorcall(function, args, static_cast<size_t>(count), nullptr);
    Py_DECREF(function);
    return result;
  }
  std::vector<PyObject *> all{self};
  all.insert(all.end(), args, args + count + (names ? PyTuple_GET_SIZE(names) : 0));
  return PyObject_Vectorcall(hostFallback, all.data(), static_cast<size_t>(count) + 1, names);
}

} // namespace

py::object makeHostCall(const py::type &type, const py::object &fallback) {
  // METH_FASTCALL with keywords: the type that Python has for it is another one than that of the field.
  static PyMethodDef method = {"__call__",
                               reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(callOnHost)),
                               METH_FASTCALL | METH_KEYWORDS, "Calls the function on the host."};
  hostFallback = fallback.inc_ref().ptr();
  return py::reinterpret_steal<py::object>(
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject *>(type.ptr()), &method));
}

void setCeilingDivision(const py::object &function) { ceilingDivision = function.inc_ref().ptr(); }

} // namespace trisect::python
