//===- Module.cpp - the extension trisect._C ------------------------------------------------------------===//
//
// What: the thin Python layer over libtrisect; its submodules mirror the facade's headers.
// Why: compiled alone, without LLVM, against whatever Python is at hand.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/BundleModule.h"
#include "python/bindings/Convert.h"
#include "python/bindings/CudaModule.h"
#include "python/bindings/DebuggerModule.h"
#include "python/bindings/FormsModule.h"
#include "python/bindings/IrModule.h"
#include "python/bindings/LaunchModule.h"
#include "python/bindings/PythonEnd.h"
#include "python/bindings/RecordingModule.h"
#include "python/bindings/RuntimeModule.h"

PYBIND11_MODULE(_C, module) {
  module.doc() = "Bindings of libtrisect.";
  // Programs under the name triton look for `triton._C.libtriton`, as an attribute and as a submodule.
  module.attr("__path__") = pybind11::list();
  module.def("__getattr__", [](const std::string &name) -> pybind11::object {
    if (name == "libtriton")
      return pybind11::module_::import("trisect._triton_c.libtriton");
    throw pybind11::attribute_error("module 'trisect._C' has no attribute '" + name + "'");
  });
  trisect::python::watchPythonEnd();
  trisect::python::registerOutcomes();
  pybind11::module_ ir = module.def_submodule("ir", "TTIR: contexts, types, modules and the builder.");
  trisect::python::bindIr(ir);
  pybind11::module_ launch = module.def_submodule("launch", "Arguments, specialisation and launching.");
  trisect::python::bindLaunch(launch);
  pybind11::module_ recording = module.def_submodule("recording", "Launches written down for pictures.");
  trisect::python::bindRecording(recording);
  pybind11::module_ forms = module.def_submodule("forms", "Compiled forms that are kept.");
  trisect::python::bindForms(forms);
  pybind11::module_ runtime = module.def_submodule("runtime", "Kernels and the tiers that run them.");
  trisect::python::bindRuntime(runtime);
  pybind11::module_ debugger = module.def_submodule("debugger", "Launches that stop and go back.");
  trisect::python::bindDebugger(debugger);
  pybind11::module_ bundles = module.def_submodule("bundles", "Differences that were kept.");
  trisect::python::bindBundles(bundles);
  pybind11::module_ cuda = module.def_submodule("cuda", "NVIDIA's driver and assembler.");
  trisect::python::bindCuda(cuda);
}
