//===- Gil.h - giving up and taking Python's lock -------------------------------------------------------===//
//
// What: WithoutGil and WithGil, as pybind11's, but cheaper, and for threads that outlive the interpreter
// (PythonEnd.h); what runs without the lock is this package's own and computes in the language's float
// environment.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_GIL_H
#define TRISECT_PYTHON_BINDINGS_GIL_H

#include "core/support/FloatEnvironment.h"
#include "python/bindings/PythonEnd.h"
#include <new>
#include <pybind11/pybind11.h>

namespace trisect::python {

/// noexcept: the unwinder asks what is to be done here.
inline void takeLock(PyThreadState *state) noexcept { PyEval_RestoreThread(state); }

/// callable(*arguments, **keywords); `keywords` may be null.
inline pybind11::object callPython(pybind11::handle callable, pybind11::handle arguments,
                                   pybind11::handle keywords = {}) {
  PyObject *result = PyObject_Call(callable.ptr(), arguments.ptr(), keywords.ptr());
  if (!result)
    throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

class WithoutGil {
public:
  WithoutGil() : state(PyEval_SaveThread()) {}
  ~WithoutGil() { takeLock(state); }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  FloatEnvironment arithmetic;
  PyThreadState *state;
};

/// Throws std::bad_alloc where a thread that Python does not know finds no room for its state.
class WithGil {
public:
  WithGil() {
    {
      PythonThere whole;
      state = PyGILState_GetThisThreadState();
      held = state && PyGILState_Check();
      own = !state;
      if (own)
        state = PyThreadState_New(PyInterpreterState_Main());
    }
    if (!state)
      throw std::bad_alloc();
    if (!held)
      takeLock(state);
  }
  ~WithGil() {
    if (own) {
      PyThreadState_Clear(state);
      PyThreadState_DeleteCurrent();
    } else if (!held) {
      PyEval_SaveThread();
    }
  }
  WithGil(const WithGil &) = delete;
  WithGil &operator=(const WithGil &) = delete;

private:
  PyThreadState *state;
  bool held, own;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_GIL_H
