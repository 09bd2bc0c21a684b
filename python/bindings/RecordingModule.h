//===- RecordingModule.h - trisect._C.recording ---------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_RECORDINGMODULE_H
#define TRISECT_PYTHON_BINDINGS_RECORDINGMODULE_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindRecording(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_RECORDINGMODULE_H
