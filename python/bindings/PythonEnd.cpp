//===- PythonEnd.cpp - a count that the end waits for ---------------------------------------------------===//
//
// The dictionary of an interpreter goes after the modules and before the states of its threads; an object in
// it is told.
//
// An unwinder asks each frame's personality what is to be done there. That of this extension is ours: it
// stays where Python ends the thread, before any destructor has run; else it is the C++ library's.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/PythonEnd.h"
#include "python/bindings/facade/Support.h"
#include <atomic>
#include <pthread.h>
#include <pybind11/pybind11.h>
#include <thread>
#include <unistd.h>
#include <unwind.h>

namespace py = pybind11;

namespace trisect::python {

// -Wl,--wrap puts the one in the place of the other.
extern "C" {
using Personality = _Unwind_Reason_Code(int, _Unwind_Action, _Unwind_Exception_Class, _Unwind_Exception *,
                                        _Unwind_Context *);
Personality standardPersonality asm("__real___gxx_personality_v0");
Personality stayingPersonality asm("__wrap___gxx_personality_v0");
}

namespace {
std::atomic<int> present{0};
std::atomic<bool> ended{false};

void end() {
  ended = true;
  while (present != 0)
    std::this_thread::yield();
  facade::endForkSections();
}

[[noreturn]] void stay() {
  while (true)
    pause();
}

bool endsThreads() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

// Threads of the parent are not there.
void forgetOthers() { present = 0; }
} // namespace

_Unwind_Reason_Code stayingPersonality(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                       _Unwind_Exception *exception, _Unwind_Context *frame) {
  if ((actions & _UA_FORCE_UNWIND) && endsThreads())
    stay();
  return standardPersonality(version, actions, kind, exception, frame);
}

PythonThere::PythonThere() noexcept {
  present.fetch_add(1);
  if (!ended)
    return;
  present.fetch_sub(1);
  stay();
}

PythonThere::~PythonThere() { present.fetch_sub(1); }

void watchPythonEnd() {
  static const bool forks = pthread_atfork(nullptr, nullptr, forgetOthers) == 0;
  static_cast<void>(forks);
  PyObject *state = PyInterpreterState_GetDict(PyInterpreterState_Main());
  if (!state)
    throw py::error_already_set();
  py::reinterpret_borrow<py::dict>(state)["trisect._C.end"] = py::capsule(end);
  ended = false;
}

} // namespace trisect::python
