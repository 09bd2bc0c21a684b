//===- ShortInt.h - small ints, read where they lie -----------------------------------------------------===//
//
// What: the value of an int of one digit. Why: a launch reads a dozen of them, and Python's function takes
// longer than all else that is done with each. Limits: longer ones are left to Python.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_SHORTINT_H
#define TRISECT_PYTHON_BINDINGS_SHORTINT_H

#include <Python.h>
#include <cstdint>
#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

namespace trisect::python {

/// False for a longer one; `number` is an int.
inline bool readShort(PyObject *number, int64_t &value) {
  auto *digits = reinterpret_cast<PyLongObject *>(number);
#if PY_VERSION_HEX >= 0x030C0000
  if (!PyUnstable_Long_IsCompact(digits))
    return false;
  value = PyUnstable_Long_CompactValue(digits);
#else
  Py_ssize_t count = Py_SIZE(number); // of the number's sign
  if (count < -1 || count > 1)
    return false;
  value = int64_t(count) * int64_t(digits->ob_digit[0]);
#endif
  return true;
}

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_SHORTINT_H
