//===- Gil.h - giving up and taking Python's lock -------------------------------------------------------===//
//
// What: WithoutGil and WithGil, as pybind11's, but cheaper, and for threads that outlive the interpreter;
// what runs without the lock is this package's own and computes in the language's float environment. Why:
// when the interpreter ends, Python ends every other thread that asks for its lock by unwinding its stack,
// which runs into destructors, noexcept functions and compiled kernels and ends the process in an abort. Such
// a thread stops here instead, for the moments that the process still has.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_GIL_H
#define TRISECT_PYTHON_BINDINGS_GIL_H

#include "core/support/FloatEnvironment.h"
#include <cxxabi.h>
#include <new>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace trisect::python {

/// Calls `ask`, which may ask for the lock, as all of Python's code does now and then, and has no objects of
/// its own to be destroyed.
template <typename Ask> void askOrStay(Ask ask) noexcept {
  try {
    ask();
  } catch (abi::__forced_unwind &) {
    while (true) // to leave this handler would end the process
      pause();
  }
}

/// callable(*arguments, **keywords); `keywords` may be null.
inline pybind11::object callPython(pybind11::handle callable, pybind11::handle arguments,
                                   pybind11::handle keywords = {}) {
  PyObject *result = nullptr;
  askOrStay([&] { result = PyObject_Call(callable.ptr(), arguments.ptr(), keywords.ptr()); });
  if (!result)
    throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

class WithoutGil {
public:
  WithoutGil() : state(PyEval_SaveThread()) {}
  ~WithoutGil() {
    askOrStay([this] { PyEval_RestoreThread(state); });
  }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  FloatEnvironment arithmetic;
  PyThreadState *state;
};

/// Throws std::bad_alloc where a thread that Python does not know finds no room for its state.
class WithGil {
public:
  WithGil() : state(PyGILState_GetThisThreadState()), held(state && PyGILState_Check()), own(!state) {
    if (own)
      state = PyThreadState_New(PyInterpreterState_Main());
    if (!state)
      throw std::bad_alloc();
    if (!held)
      askOrStay([this] { PyEval_RestoreThread(state); });
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
