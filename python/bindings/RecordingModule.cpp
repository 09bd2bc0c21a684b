//===- RecordingModule.cpp - trisect._C.recording: launches written down ----------------------------===//
//---------------------------------===//
//
// What: start() and stop(), which hands out each launch since as a dictionary; counts by granule are bytes of
// uint32. Limits: see jit/launch/Recording.h.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/RecordingModule.h"
#include "python/bindings/facade/Runtime.h"
#include "python/bindings/facade/Support.h"
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace pybind11::literals;

namespace trisect::python {

namespace {

py::tuple place(const SourcePosition &position) {
  return py::make_tuple(position.file, position.line, position.column);
}

py::bytes words(const std::vector<uint32_t> &counts) {
  return {reinterpret_cast<const char *>(counts.data()), counts.size() * sizeof(uint32_t)};
}

py::dict plain(const OperationRecord &operation);
py::dict plain(const TensorRecord &tensor);
py::dict plain(const AccessRecord &access);
py::tuple plain(const TimelineEvent &event);
py::dict plain(const LaunchRecord &launch);

template <typename T> py::list listOf(const std::vector<T> &items) {
  py::list result;
  for (const T &item : items)
    result.append(plain(item));
  return result;
}

py::dict plain(const OperationRecord &operation) {
  py::list callers;
  for (const SourcePosition &caller : operation.callers)
    callers.append(place(caller));
  return py::dict("position"_a = place(operation.position), "callers"_a = callers,
                  "mnemonic"_a = operation.mnemonic, "result"_a = operation.result,
                  "executions"_a = operation.executions, "elements"_a = operation.elements,
                  "nanoseconds"_a = operation.nanoseconds, "sectors"_a = operation.sectors,
                  "active_lanes"_a = operation.activeLanes, "strides"_a = operation.strides,
                  "regular"_a = operation.regular);
}

py::dict plain(const TensorRecord &tensor) {
  return py::dict("argument"_a = tensor.view.argument, "name"_a = tensor.view.name,
                  "type"_a = facade::typeName(tensor.view.type), "shape"_a = tensor.view.shape,
                  "strides"_a = tensor.view.strides, "granule"_a = tensor.granule);
}

py::dict plain(const AccessRecord &access) {
  return py::dict("operation"_a = access.operation, "tensor"_a = access.tensor, "reads"_a = access.reads,
                  "writes"_a = access.writes, "bytes"_a = access.bytes, "touches"_a = words(access.touches),
                  "programs"_a = words(access.programs));
}

py::tuple plain(const TimelineEvent &event) {
  return py::make_tuple(event.operation, event.program, event.start, event.duration);
}

py::dict plain(const LaunchRecord &launch) {
  return py::dict("kernel"_a = launch.kernel,
                  "grid"_a = py::make_tuple(launch.grid.x, launch.grid.y, launch.grid.z),
                  "nanoseconds"_a = launch.nanoseconds, "operations"_a = listOf(launch.operations),
                  "tensors"_a = listOf(launch.tensors), "accesses"_a = listOf(launch.accesses),
                  "timeline"_a = listOf(launch.timeline), "events_left_out"_a = launch.eventsLeftOut);
}

} // namespace

void bindRecording(py::module_ &module) {
  module.def("start", &runtime::startRecording,
             "From here on launches run in tier 0 and are written down; drops what was recorded before.");
  module.def(
      "stop", [] { return listOf(runtime::stopRecording()); }, "Ends it; the launches as dictionaries.");
}

} // namespace trisect::python
