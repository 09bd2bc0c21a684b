//===- LaunchModule.cpp - trisect._C.launch: specialisation, packing, launching -------------------------===//
#include "python/bindings/LaunchModule.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Executable.h"
#include "python/bindings/Launcher.h"

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
  module.def("register_type", registerTypeNamed, py::arg("type"), py::arg("kind"),
             "Says how instances of a class are read as arguments.");
}

} // namespace trisect::python
