//===- Executable.cpp - executables without a tier ------------------------------------------------------===//
#include "python/bindings/Executable.h"
#include "core/support/GridSize.h"
#include "python/bindings/Gil.h"
#include "python/bindings/facade/Support.h"

namespace py = pybind11;

namespace trisect::python {

void CallbackExecutable::launch(const LaunchRequest &request) {
  py::list arguments;
  for (ArgBits bits : request.args)
    arguments.append(py::int_(bits));
  callable(py::make_tuple(request.grid.x, request.grid.y, request.grid.z), arguments,
           reinterpret_cast<uintptr_t>(request.stream));
}

template <typename Run> static auto runIn(Executable &executable, Run run) {
  if (!executable.releasesGil())
    return run();
  auto result = [&] {
    WithoutGil release;
    return run();
  }();
  if (PyErr_Occurred()) // the handler of a signal raised when the last program had nothing left to do
    throw py::error_already_set();
  return result;
}

void launch(Executable &executable, const LaunchRequest &request) {
  if (countPrograms(request.grid) != 0)
    runIn(executable, [&] { return executable.launch(request), true; });
}

bool launchWithoutTensors(Executable &executable, const LaunchRequest &request) {
  return countPrograms(request.grid) == 0 ||
         runIn(executable, [&] { return executable.launchWithoutTensors(request); });
}

/// Runs Python's signal handlers, on the main thread only; true if one raised. What it raised stays set until
/// the launch is over: handlers do not run over it.
static bool signalRaised() {
  WithGil gil;
  return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

/// To sys.stdout, as print() writes there.
static void printToPython(std::string_view text) {
  WithGil gil;
  py::error_scope raisedByHandler; // no code of Python's runs over an error that is set
  PyObject *out = PySys_GetObject("stdout");
  if (!out || out == Py_None)
    return;
  PyObject *string = PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace");
  if (!string || PyFile_WriteObject(string, out, Py_PRINT_RAW) < 0) {
    // A launch ends by Ctrl-C wherever it arrives.
    bool interrupted = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    interrupted ? PyErr_Clear() : PyErr_WriteUnraisable(out);
    if (interrupted)
      PyErr_SetInterrupt();
  }
  Py_XDECREF(string);
}

void bindExecutables(py::module_ &module) {
  facade::setStopQuestion(signalRaised);
  facade::setPrintSink(printToPython);
  py::class_<Executable> base(module, "Executable", "What a launch ends in.");
  py::class_<CallbackExecutable, Executable>(module, "CallbackExecutable",
                                             "Calls callable((x, y, z), [argument bits], stream).")
      .def(py::init<py::object>(), py::arg("callable"));
  py::class_<EmptyExecutable, Executable>(module, "EmptyExecutable",
                                          "Does nothing, to measure the cost of launching.")
      .def(py::init<>());
}

} // namespace trisect::python
