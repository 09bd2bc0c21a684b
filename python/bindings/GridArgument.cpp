//===- GridArgument.cpp - the grid of a launch ----------------------------------------------------------===//
#include "python/bindings/GridArgument.h"
#include "python/bindings/ShortInt.h"
#include <string>

namespace py = pybind11;

namespace trisect::python {

int32_t gridSize(PyObject *size) {
  if (int64_t value = 0; PyLong_CheckExact(size) && readShort(size, value) && value >= 0)
    return int32_t(value);
  py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(size));
  if (!number) {
    PyErr_Clear();
    throw py::type_error("a grid dimension must be an integer, not '" + std::string(Py_TYPE(size)->tp_name) +
                         "'");
  }
  int overflow = 0;
  long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow || value < 0 || value > INT32_MAX)
    throw py::value_error("a grid dimension must lie between 0 and 2**31 - 1, not " +
                          std::string(py::str(number)));
  return int32_t(value);
}

Grid readGrid(PyObject *grid) {
  Grid result;
  if (!PyTuple_Check(grid) && !PyList_Check(grid)) {
    result.x = gridSize(grid);
    return result;
  }
  Py_ssize_t rank = PySequence_Fast_GET_SIZE(grid);
  if (rank < 1 || rank > 3)
    throw py::value_error("a grid has one to three dimensions, not " + std::to_string(rank));
  int32_t *sizes[] = {&result.x, &result.y, &result.z};
  for (Py_ssize_t index = 0; index < rank; ++index)
    *sizes[index] = gridSize(PySequence_Fast_GET_ITEM(grid, index));
  return result;
}

bool readShortGrid(PyObject *grid, Grid &result) {
  if (!PyTuple_CheckExact(grid))
    return false;
  int32_t *sizes[] = {&result.x, &result.y, &result.z};
  Py_ssize_t rank = PyTuple_GET_SIZE(grid);
  if (rank < 1 || rank > 3)
    return false;
  for (Py_ssize_t index = 0; index < rank; ++index) {
    PyObject *size = PyTuple_GET_ITEM(grid, index);
    int64_t value = 0;
    if (!PyLong_CheckExact(size) || !readShort(size, value) || value < 0)
      return false;
    *sizes[index] = int32_t(value);
  }
  return true;
}

} // namespace trisect::python
