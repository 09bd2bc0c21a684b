//===- LaunchModule.cpp - trisect._C.launch: specialisation, packing, launching -------------------------===//
#include "python/bindings/LaunchModule.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Executable.h"
#include "python/bindings/HostCalls.h"
#include "python/bindings/Launcher.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

static void registerTypeNamed(const py::type &type, const std::string &kind) {
  static const std::pair<std::string_view, ArgumentKind> kinds[] = {
      {"identity", ArgumentKind::Identity},
      {"constexpr", ArgumentKind::Constexpr},
      {"pointer", ArgumentKind::Pointer},
      {"descriptor", ArgumentKind::Descriptor},
  };
  for (auto [name, value] : kinds)
    if (name == kind)
      return registerType(reinterpret_cast<PyTypeObject *>(type.ptr()), value);
  throw py::value_error("no kind of argument is called '" + kind +
                        "'; the kinds are identity, constexpr, pointer and descriptor");
}

static py::dict readTensorOf(py::handle tensor) {
  uint64_t address = 0;
  bool inMemory = readKnownTensor(tensor.ptr(), address) != nullptr;
  TensorRead read = readTensor(tensor.ptr(), argumentKind(tensor.ptr()));
  TensorView view;
  fillView(view, tensor.ptr(), read);
  return py::dict(py::arg("address") = read.address, py::arg("element") = read.element->spelling,
                  py::arg("place") = static_cast<int32_t>(read.device.kind),
                  py::arg("index") = read.device.index, py::arg("negated") = read.negated,
                  py::arg("shape") = view.shape, py::arg("strides") = view.strides,
                  py::arg("in_memory") = inMemory);
}

void bindLaunch(py::module_ &module) {
  bindExecutables(module);
  bindDispatcher(module);
  bindLauncher(module);
  module.def(
      "specialize",
      [](py::handle argument, bool isConst, bool specializeValue, bool align) {
        return specialize(argument, {false, isConst, specializeValue, align});
      },
      py::arg("argument"), py::arg("is_const") = false, py::arg("specialize_value") = true,
      py::arg("align") = true, "(type, key) of an argument.");
  module.def(
      "element_type", [](py::handle dtype) { return elementType(dtype.ptr()).spelling; }, py::arg("dtype"),
      "The spelling of a dtype in signatures.");
  module.def(
      "is_negated", [](py::handle tensor) { return isNegated(tensor.ptr()); }, py::arg("tensor"),
      "Whether a tensor's values are those in its memory negated.");
  module.def(
      "read_tensor", readTensorOf, py::arg("tensor"),
      "What a launch reads of a tensor: address, element type, kind of place, index, whether it is\n"
      "negated, shape and strides if these lie in it; and whether it was found in the tensor's memory.");
  module.def("host_call", makeHostCall, py::arg("type"), py::arg("fallback"),
             "`__call__` of a class of functions (`fn`) of compile-time values.");
  module.def("set_ceiling_division", setCeilingDivision, py::arg("function"),
             "Says which `fn` of that class's objects divides and rounds up.");
  module.def("register_type", registerTypeNamed, py::arg("type"), py::arg("kind"),
             "Says how instances of a class are read as arguments.");
}

} // namespace trisect::python
