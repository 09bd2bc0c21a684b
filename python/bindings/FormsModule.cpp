//===- FormsModule.cpp - trisect._C.forms: compiled forms that are kept ---------------------------------===//
//
// What: what the file of a form holds; shelves on which kernels keep theirs.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/FormsModule.h"
#include "core/support/Shelf.h"
#include "python/bindings/facade/Forms.h"
#include "python/bindings/facade/Runtime.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

void bindForms(py::module_ &module) {
  using forms::Form;
  py::class_<Form>(module, "Form", "What a file holds.")
      .def_readonly("kernel", &Form::kernel)
      .def_readonly("tier", &Form::tier)
      .def_readonly("isa", &Form::isa)
      .def_readonly("key", &Form::key)
      .def_readonly("object", &Form::object, "SHA-256 of the code.")
      .def_readonly("may_overlap", &Form::mayOverlap)
      .def_readonly("withdrawn", &Form::withdrawn)
      .def_readonly("compared", &Form::compared)
      .def_readonly("parameters", &Form::parameters)
      .def_readonly("asserts", &Form::asserts)
      .def_readonly("paths", &Form::paths)
      .def_readonly("verdicts", &Form::verdicts)
      .def_readonly("code_bytes", &Form::codeBytes);
  module.def(
      "read", [](const py::bytes &content) { return forms::read(std::string_view(content)); },
      py::arg("content"), "What the bytes of a form hold; InvalidInput if they are no whole one.");
  module.def(
      "joined",
      [](const py::bytes &content, const py::bytes &other) {
        return py::bytes(forms::joined(std::string_view(content), std::string_view(other)));
      },
      py::arg("content"), py::arg("other"), "A form with what another one knows of the same code.");
  module.def("compiles_anew", forms::compilesAnew,
             "Whether what is cached is not used: a variable shows the compiler at work, or says so.");
  py::class_<Shelf, std::shared_ptr<Shelf>> shelf(module, "Shelf",
                                                  "Where the compiled forms of one kernel are kept.");
  module.def("folder_shelf", &runtime::folderShelf, py::arg("folder"), "A folder that processes share.");
}

} // namespace trisect::python
