//===- DebuggerModule.cpp - trisect._C.debugger: launches that stop and go back -------------------------===//
//
// What: Kernel(source, name, options, drive), an Executable whose launch calls `drive(Launch)` and ends when
// that returns. Why: whoever debugs (a terminal, an editor, a notebook) is Python; the launch path does not
// know of it. Limits: the GIL is given up while programs run and taken now and then, so that Ctrl-C arrives.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/DebuggerModule.h"
#include "python/bindings/Executable.h"
#include "python/bindings/Gil.h"
#include "python/bindings/facade/Debugger.h"
#include "python/bindings/facade/Ir.h"
#include "python/bindings/facade/Support.h"
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

using debugger::Block;
using debugger::Event;
using debugger::Launch;

class DebuggedExecutable final : public Executable {
public:
  DebuggedExecutable(debugger::Kernel kernel, py::object drive)
      : kernel(std::move(kernel)), drive(std::move(drive)) {}
  bool wantsTensors() const override { return true; }
  bool releasesGil() const override { return false; }
  void launch(const LaunchRequest &request) override {
    auto print = [](std::string_view line) {
      WithGil hold;
      py::print(py::str(line.data(), line.size()));
    };
    drive(py::cast(this, py::return_value_policy::reference), Launch(kernel, request, print));
  }

  debugger::Kernel kernel;
  py::object drive;
};

std::unique_ptr<DebuggedExecutable> makeKernel(const py::object &source, const std::string &name,
                                               const py::dict &options, py::object drive) {
  std::string code = py::isinstance<ir::Module>(source) ? source.cast<const ir::Module &>().bytecode()
                                                        : source.cast<std::string>();
  std::map<std::string, std::string> settings;
  for (auto [key, value] : options)
    settings[py::str(key)] = py::str(value);
  return std::make_unique<DebuggedExecutable>(debugger::Kernel::create(code, name, settings),
                                              std::move(drive));
}

/// Runs until there is something to tell; Ctrl-C becomes a stop at the next statement.
template <typename First> Event runOn(Launch &launch, First first) {
  auto without = [](auto run) {
    WithoutGil release;
    return run();
  };
  Event event = without(first);
  while (event.reason == "slice") {
    if (PyErr_CheckSignals()) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        throw py::error_already_set();
      PyErr_Clear();
      launch.pause();
    }
    event = without([&] { return launch.proceed(); });
  }
  return event;
}

py::dtype dtypeOf(DType type) {
  switch (type) {
  case DType::I1:
    return py::dtype("?");
  case DType::I4:
  case DType::I8:
    return py::dtype("i1");
  case DType::I16:
    return py::dtype("i2");
  case DType::I32:
    return py::dtype("i4");
  case DType::I64:
    return py::dtype("i8");
  case DType::F16:
    return py::dtype("f2");
  case DType::F64:
    return py::dtype("f8");
  case DType::Ptr:
    return py::dtype("u8");
  default:
    return py::dtype("f4");
  }
}

py::array arrayOf(const Block &block) {
  py::array array(dtypeOf(block.type), block.shape);
  if (!block.data.empty())
    std::memcpy(array.mutable_data(), block.data.data(), block.data.size());
  return array;
}

py::object readSlot(const Launch &launch, uint32_t slot) {
  std::optional<Block> block = launch.read(slot);
  return block ? py::object(arrayOf(*block)) : py::none();
}

py::tuple positionOf(const SourcePosition &position) {
  return py::make_tuple(position.file, position.line, position.column);
}

void bindPlain(py::module_ &module) {
  py::class_<debugger::Variable>(module, "Variable", "A variable at a statement: where its value lies.")
      .def_readonly("name", &debugger::Variable::name)
      .def_readonly("type", &debugger::Variable::type)
      .def_readonly("slot", &debugger::Variable::slot)
      .def_readonly("mask", &debugger::Variable::mask)
      .def_readonly("undefined", &debugger::Variable::undefined);
  py::class_<debugger::Statement>(module, "Statement", "A place where a launch can stop.")
      .def_readonly("kind", &debugger::Statement::kind)
      .def_readonly("function", &debugger::Statement::function)
      .def_property_readonly("file", [](const debugger::Statement &self) { return self.position.file; })
      .def_property_readonly("line", [](const debugger::Statement &self) { return self.position.line; })
      .def_readonly("caller", &debugger::Statement::caller)
      .def_readonly("depth", &debugger::Statement::depth)
      .def_readonly("variables", &debugger::Statement::variables)
      .def_readonly("constants", &debugger::Statement::constants);
  py::class_<Event>(module, "Event", "Why a launch stopped.")
      .def_readonly("reason", &Event::reason)
      .def_readonly("breakpoints", &Event::breakpoints)
      .def_readonly("step_done", &Event::stepDone)
      .def_readonly("watch", &Event::watch)
      .def_readonly("before", &Event::before)
      .def_readonly("after", &Event::after);
}

void bindLaunchClass(py::module_ &module) {
  py::class_<Launch>(module, "Launch", "A launch under way; see trisect.debugger.session.")
      .def("start", [](Launch &self,
                       const std::string &motion) { return runOn(self, [&] { return self.start(motion); }); })
      .def("proceed", [](Launch &self) { return runOn(self, [&] { return self.proceed(); }); })
      .def("start_again",
           [](Launch &self, uint64_t clock, bool stopping) {
             return runOn(self, [&] { return self.startAgain(clock, stopping); });
           })
      .def("choose", &Launch::choose)
      .def("before", &Launch::before)
      .def("last_of", &Launch::lastOf)
      .def("pause", &Launch::pause)
      .def("commit", &Launch::commit)
      .def("set_breakpoints",
           [](Launch &self,
              const std::vector<std::tuple<int, std::optional<uint32_t>, std::optional<int64_t>>> &all,
              bool calls) {
             std::vector<debugger::Breakpoint> plain;
             for (auto &[id, statement, program] : all)
               plain.push_back({id, statement, program});
             self.setBreakpoints(plain, calls);
           })
      .def("set_watches",
           [](Launch &self, const std::vector<std::tuple<int, uint64_t, unsigned>> &all) {
             std::vector<debugger::Watch> plain;
             for (auto &[id, address, size] : all)
               plain.push_back({id, address, size});
             self.setWatches(plain);
           })
      .def("raise_fault", &Launch::raiseFault)
      .def("read", readSlot, "The elements of a slot, None before it is written.")
      .def("tensor", [](const Launch &self, size_t index) { return arrayOf(self.tensor(index)); })
      .def("element", [](const Launch &self, size_t tensor,
                         uint64_t bits) { return arrayOf(self.element(tensor, bits)); })
      .def("live_programs", &Launch::livePrograms)
      .def("has_started", &Launch::hasStarted)
      .def_property_readonly("ended_programs", &Launch::endedPrograms)
      .def_property_readonly("grid",
                             [](const Launch &self) {
                               Grid grid = self.grid();
                               return py::make_tuple(grid.x, grid.y, grid.z);
                             })
      .def_property_readonly("clock", &Launch::clock)
      .def_property_readonly("program", &Launch::program)
      .def_property_readonly("statement", &Launch::statement)
      .def_property_readonly("within", &Launch::within)
      .def_property_readonly("position", [](const Launch &self) { return positionOf(self.position()); })
      .def_property_readonly("tensors", [](const Launch &self) {
        py::list all;
        for (const TensorView &view : self.tensors())
          all.append(
              py::make_tuple(view.name, view.address, facade::byteSize(view.type), view.shape, view.strides));
        return all;
      });
}

} // namespace

void bindDebugger(py::module_ &module) {
  bindPlain(module);
  bindLaunchClass(module);
  py::class_<DebuggedExecutable, Executable>(module, "Kernel", "A kernel whose launches are debugged.")
      .def(py::init(&makeKernel), py::arg("source"), py::arg("name"), py::arg("options"), py::arg("drive"),
           "A launch calls drive(kernel, launch).")
      .def_property_readonly("name", [](const DebuggedExecutable &self) { return self.kernel.name(); })
      .def_property_readonly("statements",
                             [](const DebuggedExecutable &self) { return self.kernel.statements(); });
}

} // namespace trisect::python
