//===- RuntimeModule.cpp - trisect._C.runtime: kernels that run on tiers --------------------------------===//
//
// What: Kernel(module or text, name, options), an Executable of the launch path; `launch` for callers without
// one. Limits: the GIL is given up while a kernel is read, compiled and run.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/RuntimeModule.h"
#include "python/bindings/Executable.h"
#include "python/bindings/Findings.h"
#include "python/bindings/Gil.h"
#include "python/bindings/Views.h"
#include "python/bindings/facade/Ir.h"
#include "python/bindings/facade/Runtime.h"
#include "python/bindings/facade/Support.h"
#include <bit>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

class TieredExecutable final : public Executable {
public:
  explicit TieredExecutable(runtime::Kernel kernel) : kernel(std::move(kernel)) {}
  bool wantsTensors() const override { return kernel.wantsTensors(); }
  void launch(const LaunchRequest &request) override { kernel.launch(request); }
  bool launchWithoutTensors(const LaunchRequest &request) override {
    return kernel.launchWithoutTensors(request);
  }

  runtime::Kernel kernel;
};

/// The text of an option as backends/target/TargetOptions.h has it.
std::string optionText(py::handle value) {
  if (py::isinstance<py::bool_>(value))
    return value.cast<bool>() ? "1" : "0";
  if (py::isinstance<py::bytes>(value))
    return value.cast<std::string>();
  bool pairs = py::isinstance<py::dict>(value);
  if (!pairs && !py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value))
    return py::str(value);
  std::string text;
  for (py::handle item :
       pairs ? py::list(value.attr("items")()) : py::list(py::reinterpret_borrow<py::object>(value))) {
    text += text.empty() ? "" : ",";
    // A pair is a list where options were read back from a file.
    if ((py::isinstance<py::tuple>(item) || py::isinstance<py::list>(item)) && py::len(item) == 2)
      text += optionText(item[py::int_(0)]) + "=" + optionText(item[py::int_(1)]);
    else
      text += optionText(item);
  }
  return text;
}

std::map<std::string, std::string> optionsFrom(const py::dict &options) {
  std::map<std::string, std::string> result;
  for (auto [key, value] : options)
    if (!value.is_none())
      result[py::str(key)] = optionText(value);
  return result;
}

/// Text or bytecode of a module.
std::string codeOf(const py::object &source) {
  if (py::isinstance<py::str>(source) || py::isinstance<py::bytes>(source))
    return source.cast<std::string>();
  if (py::isinstance<ir::Module>(source))
    return source.cast<const ir::Module &>().bytecode();
  throw py::type_error("a kernel is made from an ir.Module, TTIR text or bytecode, not " +
                       std::string(py::str(py::type::of(source))));
}

std::unique_ptr<TieredExecutable> makeKernel(const py::object &source, const std::string &name,
                                             const py::dict &options, const std::string &text,
                                             const std::string &tier, std::shared_ptr<Shelf> shelf) {
  std::string code = codeOf(source);
  auto settings = optionsFrom(options);
  runtime::KeptAs kept{text, tier, std::move(shelf)};
  WithoutGil release;
  return std::make_unique<TieredExecutable>(runtime::Kernel::create(code, name, settings, kept));
}

struct PromotionAtOnce {};

runtime::Compiled compile(const std::string &target, const py::object &source, const std::string &name,
                          const py::dict &options) {
  std::string code = codeOf(source);
  auto settings = optionsFrom(options);
  WithoutGil release;
  return runtime::compile(target, code, name, settings);
}

py::object contentOf(const runtime::Compiled::Stage &stage) {
  return stage.binary ? py::object(py::bytes(stage.content)) : py::object(py::str(stage.content));
}

py::object stageOf(const runtime::Compiled &compiled, const std::string &name) {
  for (const runtime::Compiled::Stage &stage : compiled.stages)
    if (stage.name == name)
      return contentOf(stage);
  throw py::key_error(name);
}

py::dict stages(const std::string &target, const py::object &source, const std::string &name,
                const py::dict &options) {
  std::string code = codeOf(source);
  auto settings = optionsFrom(options);
  std::vector<runtime::Compiled::Stage> made;
  {
    WithoutGil release;
    made = runtime::stages(target, code, name, settings);
  }
  py::dict result;
  for (const runtime::Compiled::Stage &stage : made)
    result[py::str(stage.name)] = contentOf(stage);
  return result;
}

void bindCompiled(py::module_ &module) {
  using runtime::Compiled;
  py::class_<Compiled>(module, "Compiled", "A kernel as a target compiled it.")
      .def(py::init([](const std::string &target, const std::string &kernel, const std::string &symbol,
                       uint32_t abi, const py::bytes &code, const py::bytes &info, int64_t shared,
                       int32_t warps) {
             Compiled made;
             made.target = target;
             made.kernel = kernel;
             made.symbol = symbol;
             made.abi = abi;
             made.code = code;
             made.info = info;
             made.sharedBytes = shared;
             made.warps = warps;
             return made;
           }),
           py::kw_only(), py::arg("target"), py::arg("kernel"), py::arg("symbol"), py::arg("abi"),
           py::arg("code"), py::arg("info"), py::arg("shared"), py::arg("warps"))
      .def("stage", stageOf, py::arg("name"), "The text or bytes of a stage; KeyError without it.")
      .def_property_readonly("code", [](const Compiled &self) { return py::bytes(self.code); })
      .def_property_readonly("info", [](const Compiled &self) { return py::bytes(self.info); })
      .def_readonly("symbol", &Compiled::symbol)
      .def_readonly("abi", &Compiled::abi)
      .def_readonly("shared", &Compiled::sharedBytes)
      .def_readonly("registers", &Compiled::registers)
      .def_readonly("spills", &Compiled::spills)
      .def(
          "serialized", [](const Compiled &self) { return py::bytes(self.serialized()); },
          "Bytes for the option `artifact` of a Kernel, whose launches then need no compiler.");
  module.def("compile", compile, py::arg("target"), py::arg("source"), py::arg("name"),
             py::arg("options") = py::dict(), "Compiles one kernel for a target.");
  module.def("stages", stages, py::arg("target"), py::arg("source"), py::arg("name"), py::arg("options"),
             "The stages of a kernel that a compiled one does not hold, by name.");
}

/// The slot of a TTIR scalar type.
Slot slotOf(const std::string &type) {
  if (type.starts_with("!tt.ptr"))
    return {SlotKind::Pointer, 64};
  if (type == "i1")
    return {SlotKind::Bool, 1};
  if (type == "f16")
    return {SlotKind::F16, 16};
  if (type == "bf16")
    return {SlotKind::BF16, 16};
  if (type == "f32")
    return {SlotKind::F32, 32};
  if (type == "f64")
    return {SlotKind::F64, 64};
  if (type.size() > 1 && type[0] == 'i')
    return {SlotKind::Int, static_cast<uint8_t>(std::stoi(type.substr(1)))};
  throw InvalidInput("an argument of type '" + type + "' cannot be passed by launch()");
}

void launchPlain(TieredExecutable &self, std::tuple<int, int, int> grid, const py::tuple &arguments) {
  std::vector<runtime::Parameter> parameters = self.kernel.parameters();
  if (arguments.size() != parameters.size())
    throw py::type_error("kernel '" + self.kernel.name() + "' takes " + std::to_string(parameters.size()) +
                         " arguments; " + std::to_string(arguments.size()) + " were given");
  std::vector<ArgBits> bits;
  std::vector<TensorView> spareViews;
  ViewList views(spareViews);
  for (size_t i = 0; i < parameters.size(); ++i) {
    Slot slot = slotOf(parameters[i].type);
    py::object argument = arguments[i];
    if (slot.kind == SlotKind::Pointer)
      views.add(static_cast<unsigned>(i), parameters[i].name,
                [&](TensorView &view) { return readView(view, argument.ptr()); });
    bits.push_back(packArgument(argument.ptr(), slot));
  }
  LaunchRequest request;
  request.grid = {std::get<0>(grid), std::get<1>(grid), std::get<2>(grid)};
  request.args = bits;
  request.tensors = views.views();
  launch(self, request);
}

/// What a kernel tells of its past.
void bindHistory(py::module_ &module) {
  py::class_<runtime::Event>(module, "Event", "Something that happened to a kernel.")
      .def_readonly("kind", &runtime::Event::kind)
      .def_readonly("tier", &runtime::Event::tier)
      .def_readonly("text", &runtime::Event::text)
      .def_readonly("verdict", &runtime::Event::verdict)
      .def_readonly("programs", &runtime::Event::programs)
      .def_readonly("bytes", &runtime::Event::bytes)
      .def_readonly("milliseconds", &runtime::Event::milliseconds)
      .def("__str__", [](const runtime::Event &self) { return self.text; })
      .def("__repr__",
           [](const runtime::Event &self) { return "<Event " + self.kind + ": " + self.text + ">"; });

  using runtime::Tally;
  py::class_<Tally>(module, "Tally", "What a kernel did so far, and what comparisons of it found.")
      .def_readonly("launches", &Tally::launches)
      .def_readonly("interpreted", &Tally::interpreted, "Launches in tier 0.")
      .def_readonly("equal", &Tally::equal)
      .def_readonly("within", &Tally::within)
      .def_readonly("different", &Tally::different)
      .def_readonly("inconclusive", &Tally::inconclusive)
      .def_readonly("bytes", &Tally::bytes)
      .def_readonly("worst", &Tally::worst, "The largest share of a bound that an element used.")
      .def_readonly("slowest", &Tally::slowestMilliseconds, "Of a comparison, in milliseconds.");
}

void bindKernel(py::module_ &module) {
  py::class_<TieredExecutable, Executable>(module, "Kernel", "A kernel that moves from tier to tier.")
      .def(py::init(&makeKernel), py::arg("source"), py::arg("name") = "", py::arg("options") = py::dict(),
           py::kw_only(), py::arg("text") = "", py::arg("tier") = "", py::arg("shelf") = nullptr)
      .def("launch", &launchPlain, py::arg("grid"), py::arg("arguments"),
           "Runs the grid (x, y, z) with one argument for each parameter and waits for it.")
      .def_property_readonly("name", [](const TieredExecutable &self) { return self.kernel.name(); })
      .def_property_readonly("parameters",
                             [](const TieredExecutable &self) {
                               std::vector<std::pair<std::string, std::string>> result;
                               for (const runtime::Parameter &parameter : self.kernel.parameters())
                                 result.emplace_back(parameter.name, parameter.type);
                               return result;
                             })
      .def_property_readonly(
          "tier", [](const TieredExecutable &self) { return self.kernel.tier(); },
          "The tier of the last launch; empty before the first.")
      .def(
          "native_object",
          [](const TieredExecutable &self) {
            runtime::NativeObject made;
            {
              WithoutGil release;
              made = self.kernel.nativeObject();
            }
            return py::make_tuple(py::bytes(made.code), made.symbol, made.scratchBytes, made.hookBytes);
          },
          "(object file, entry symbol, bytes of scratch memory, of which so many of the hook at its start) "
          "of the "
          "kernel compiled for this machine.")
      .def_property_readonly("tally", [](const TieredExecutable &self) { return self.kernel.tally(); })
      .def_property_readonly("events", [](const TieredExecutable &self) { return self.kernel.events(); });
}

void bindLaunchOptions(py::module_ &module) {
  py::class_<runtime::LaunchOption>(module, "LaunchOption", "A launch option of a target.")
      .def_readonly("name", &runtime::LaunchOption::name)
      .def_readonly("type", &runtime::LaunchOption::type)
      .def_readonly("default", &runtime::LaunchOption::defaultText)
      .def_readonly("values", &runtime::LaunchOption::values)
      .def_readonly("effect", &runtime::LaunchOption::effect)
      .def_readonly("help", &runtime::LaunchOption::help);
  module.def("launch_options", &runtime::launchOptions, py::arg("target"), "The launch options of a target.");
  module.def(
      "check_launch_options",
      [](const std::string &target, const py::dict &options) {
        runtime::checkLaunchOptions(target, optionsFrom(options));
      },
      py::arg("target"), py::arg("options"), "Refuses a value that an option may not have.");
}

} // namespace

void bindRuntime(py::module_ &module) {
  bindHistory(module);
  bindKernel(module);
  bindLaunchOptions(module);
  bindCompiled(module);
  bindFindings(module);
  py::class_<PromotionAtOnce>(module, "promotion_at_once",
                              "Inside, launches of this thread are compiled and compared before they run.")
      .def(py::init<>())
      .def("__enter__", [](const py::object &self) { return runtime::beginPromotionAtOnce(), self; })
      .def("__exit__", [](PromotionAtOnce &, const py::args &) { runtime::endPromotionAtOnce(); });
  module.def("wait_for_compiles", &runtime::waitForCompiles, py::call_guard<WithoutGil>(),
             "Waits until no compile is under way or waiting.");
  module.def("code_generators", &facade::codeGenerators,
             "The architectures that LLVM generates code for in this build.");
}

} // namespace trisect::python
