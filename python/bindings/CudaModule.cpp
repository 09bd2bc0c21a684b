//===- CudaModule.cpp - trisect._C.cuda: NVIDIA's driver and assembler ----------------------------------===//
//
// What: devices, memory, loaded code and ptxas. Limits: calls that wait give up the GIL.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/CudaModule.h"
#include "python/bindings/Gil.h"
#include "python/bindings/facade/Cuda.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {
namespace cuda = facade::cuda;
using NoGil = py::call_guard<WithoutGil>;

void bindLoaded(py::module_ &module) {
  py::class_<cuda::Loaded>(module, "Loaded", "Code on a device.")
      .def_property_readonly("module", &cuda::Loaded::module)
      .def_property_readonly("function", &cuda::Loaded::function)
      .def_property_readonly("n_regs", &cuda::Loaded::registers)
      .def_property_readonly("n_spills", &cuda::Loaded::spills)
      .def_property_readonly("n_max_threads", &cuda::Loaded::maxThreads)
      .def("launch", &cuda::Loaded::launch, py::arg("grid"), py::arg("parameters"), py::arg("stream") = 0,
           "Enqueues a grid; parameters are given as bits.");
  module.def("load", &cuda::Loaded::load, NoGil(), py::arg("device"), py::arg("image"), py::arg("kernel"),
             py::arg("threads") = 128, py::arg("shared") = 0, py::arg("cooperative") = false,
             py::arg("dependent") = false, "Loads a cubin or PTX.");
}
} // namespace

void bindCuda(py::module_ &module) {
  module.def("device_count", &cuda::deviceCount, "How many devices this process can use.");
  module.def("why_no_device", &cuda::whyNoDevice, "Why there is none; empty if there is one.");
  module.def("device_name", &cuda::deviceName, py::arg("device") = 0);
  module.def("device_properties", &cuda::deviceProperties, py::arg("device") = 0);
  module.def("current_device", &cuda::currentDevice, "The device that is current on this thread.");
  module.def("synchronize", &cuda::synchronize, NoGil(), py::arg("device"), py::arg("stream") = 0);
  module.def("is_capturing", &cuda::isCapturing, py::arg("device"), py::arg("stream"));
  module.def(
      "read",
      [](int device, uint64_t stream, uint64_t address, int64_t bytes) {
        std::string data;
        {
          WithoutGil release;
          data = cuda::read(device, stream, address, bytes);
        }
        return py::bytes(data);
      },
      py::arg("device"), py::arg("stream"), py::arg("address"), py::arg("bytes"),
      "Device memory, after the work of a stream.");
  module.def(
      "write",
      [](int device, uint64_t stream, uint64_t address, const py::bytes &data) {
        std::string bytes = data;
        WithoutGil release;
        cuda::write(device, stream, address, bytes);
      },
      py::arg("device"), py::arg("stream"), py::arg("address"), py::arg("data"));
  module.def("allocation_of", &cuda::allocationOf, py::arg("address"),
             "(base, bytes, device) of the allocation that an address lies in, None for other memory.");
  module.def("assembler", &cuda::assembler, "(path, version) of ptxas, None without one.");
  module.def("add_assembler_folder", &cuda::addAssemblerFolder, py::arg("folder"));
  module.def(
      "assemble",
      [](const std::string &ptx, const std::string &architecture, bool fuse, bool lineInfo, bool optimise,
         const std::string &further) {
        cuda::Assembled made;
        {
          WithoutGil release;
          made = cuda::assemble(ptx, architecture, fuse, lineInfo, optimise, further);
        }
        return py::make_tuple(py::bytes(made.cubin), made.log, made.registers, made.spillBytes);
      },
      py::arg("ptx"), py::arg("architecture"), py::arg("fuse") = true, py::arg("line_info") = true,
      py::arg("optimise") = true, py::arg("further") = "", "(cubin, log, registers, bytes of spills).");
  bindLoaded(module);
}

} // namespace trisect::python
