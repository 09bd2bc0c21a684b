//===- BundleModule.cpp - trisect._C.bundles: differences that were kept --------------------------------===//
//
// What: replay, shrink and bisect of a bundle's directory; each new bundle gets its page (trisect.bundle).
// Limits: a page is drawn in the thread whose launch was compared; what that raises is written to standard
// error and reaches no launch.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/BundleModule.h"
#include "python/bindings/Gil.h"
#include "python/bindings/facade/Bundles.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {
/// The page of a new bundle.
void draw(const char *directory) {
  if (!Py_IsInitialized())
    return;
  WithGil held;
  try {
    py::module_::import("trisect.bundle").attr("draw")(directory);
  } catch (py::error_already_set &error) {
    error.discard_as_unraisable("the page of a bundle");
  }
}

template <class Work> bundles::Answer aside(Work work) {
  WithoutGil release;
  return work();
}
} // namespace

void bindBundles(py::module_ &module) {
  using bundles::Answer;
  py::class_<Answer>(module, "Answer", "What a command found.")
      .def_readonly("good", &Answer::good)
      .def_readonly("taken", &Answer::taken)
      .def_readonly("text", &Answer::text)
      .def_readonly("name", &Answer::name);
  module.def(
      "replay",
      [](const std::string &directory) { return aside([&] { return bundles::replay(directory); }); },
      py::arg("directory"), "Runs a bundle again; good if both tiers leave what is stored.");
  module.def(
      "shrink",
      [](const std::string &directory, const std::string &into, double seconds) {
        return aside([&] { return bundles::shrink(directory, into, seconds); });
      },
      py::arg("directory"), py::arg("into"), py::arg("seconds") = 60.0, "Writes a smaller bundle.");
  module.def(
      "bisect",
      [](const std::string &directory) { return aside([&] { return bundles::bisect(directory); }); },
      py::arg("directory"), "Finds the pass after which tier 0 gives something else.");
  bundles::onBundle(draw);
}

} // namespace trisect::python
