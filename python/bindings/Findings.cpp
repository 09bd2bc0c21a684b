//===- Findings.cpp - dictionaries and settings ---------------------------------------------------------===//
#include "python/bindings/Findings.h"
#include "python/bindings/Views.h"
#include "python/bindings/facade/Sanitize.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

py::object place(const SourcePosition &position) {
  if (!position.known())
    return py::none();
  return py::make_tuple(position.file, position.line, position.column);
}

py::tuple program(const std::array<int32_t, 3> &id) { return py::make_tuple(id[0], id[1], id[2]); }

py::dict toPython(const FindingSite &site) {
  py::dict out;
  out["position"] = place(site.position);
  py::list callers;
  for (const SourcePosition &caller : site.callers)
    callers.append(place(caller));
  out["callers"] = callers;
  out["program_id"] = site.programId ? py::object(program(*site.programId)) : py::none();
  out["operation"] = site.operation;
  out["role"] = site.role;
  out["text"] = site.text;
  return out;
}

py::object toPython(const std::optional<FindingTensor> &tensor) {
  if (!tensor)
    return py::none();
  py::dict out;
  out["argument"] = tensor->argument;
  out["name"] = tensor->name;
  out["address"] = tensor->address;
  out["dtype"] = runtime::dtypeName(tensor->type);
  out["shape"] = tensor->shape;
  out["strides"] = tensor->strides;
  return out;
}

TensorView viewOf(const py::object &tensor) {
  TensorView view;
  if (!readView(view, tensor.ptr()))
    throw py::type_error("a tensor with shape and strides is needed, not " +
                         std::string(py::str(py::type::of(tensor))));
  return view;
}

} // namespace

py::dict toPython(const Finding &finding) {
  py::dict out;
  out["kind"] = runtime::findingKind(finding);
  out["kernel"] = finding.kernel;
  out["site"] = toPython(finding.site);
  py::list related;
  for (const FindingSite &site : finding.related)
    related.append(toPython(site));
  out["related"] = related;
  out["headline"] = finding.headline;
  out["value"] = finding.value;
  out["variable"] = finding.variable;
  out["grid"] = program(finding.grid);
  out["variables"] = finding.variables;
  out["writes"] = finding.writes;
  out["address"] = finding.address;
  out["bytes"] = finding.bytes;
  out["tensor"] = toPython(finding.tensor);
  out["index"] = finding.index;
  out["distance"] = finding.distance;
  out["lands_in"] = toPython(finding.landsIn);
  out["lands_index"] = finding.landsIndex;
  out["touched"] = py::bytes(reinterpret_cast<const char *>(finding.touched.data()), finding.touched.size());
  out["lane"] = finding.lane;
  out["block"] = finding.block;
  out["lanes"] = finding.lanes;
  out["count"] = finding.count;
  py::list programs;
  for (const auto &id : finding.programs)
    programs.append(program(id));
  out["programs"] = programs;
  return out;
}

void bindFindings(py::module_ &module) {
  module.def(
      "set_sanitize",
      [](const std::optional<std::string> &kinds, int collect) {
        runtime::setSanitize(kinds ? std::optional<std::string_view>(*kinds) : std::nullopt, collect);
      },
      py::arg("kinds"), py::arg("collect") = 0,
      "Which defects launches look for (as TRISECT_SANITIZE); None gives way to the environment. With "
      "collect=N "
      "launches go on and log up to N distinct findings each.");
  module.def("sanitizing", &runtime::sanitizing, "(kinds looked for, how many findings a launch collects).");
  module.def(
      "take_findings",
      [] {
        py::list all;
        for (const Finding &finding : runtime::takeFindings())
          all.append(toPython(finding));
        return all;
      },
      "What launches have collected since the last call, as dictionaries.");
  module.def(
      "mark_uninitialized",
      [](const py::object &tensor, int32_t cuda) {
        runtime::markUninitialized(viewOf(tensor), cuda < 0 ? DeviceId{} : DeviceId{DeviceKind::Cuda, cuda});
      },
      py::arg("tensor"), py::arg("cuda") = -1,
      "Declares the elements of a tensor as written by nobody, and fills them with a pattern.");
  module.def("forget_uninitialized", &runtime::forgetUninitialized, py::arg("address"), py::arg("bytes"),
             "Takes back every mark on memory that overlaps the bytes.");
}

} // namespace trisect::python
