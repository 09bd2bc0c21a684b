//===- Launcher.cpp - a launch by signature -------------------------------------------------------------===//
#include "python/bindings/Launcher.h"
#include "python/bindings/Convert.h"
#include "python/bindings/Executable.h"
#include "python/bindings/Gil.h"
#include "python/bindings/GridArgument.h"
#include "python/bindings/Vectorcall.h"
#include "python/bindings/Views.h"
#include "python/bindings/facade/Cuda.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

constexpr Py_ssize_t fixedArguments = 9;

struct LauncherFields {
  std::vector<Slot> slots;
  std::vector<std::string> names;
  std::string kernel;
  DeviceKind home = DeviceKind::Host; ///< where a launch without tensors runs
  std::vector<TensorView> spareViews;
};

struct Launcher {
  PyObject_HEAD vectorcallfunc call;
  LauncherFields *fields;
};

void callHook(PyObject *hook, PyObject *metadata) {
  if (hook == Py_None)
    return;
  callPython(hook, py::make_tuple(py::handle(metadata)));
}

/// What `read` makes of one argument; an error of it names the argument, an interrupt stays one.
template <typename What, typename Read>
auto named(const LauncherFields &fields, size_t index, PyObject *type, What what, Read read) {
  try {
    return read();
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_Exception))
      throw;
    std::string text = "argument '" + fields.names[index] + "' of kernel '" + fields.kernel + "' " + what() +
                       ": " + std::string(py::str(error.value()));
    py::raise_from(error, error.matches(PyExc_OverflowError) ? PyExc_OverflowError : type, text.c_str());
    throw py::error_already_set();
  }
}

/// What there is to say of a tensor whose shape cannot be read.
const char *shapeless(PyObject *argument) {
  if (py::getattr(argument, "is_nested", py::none()).ptr() == Py_True)
    return "has no shape and strides that can be read, since it is nested; pass its values() and offsets";
  return "has no shape and strides that can be read";
}

void readViews(const LauncherFields &fields, PyObject *const *arguments, ViewList &views) {
  unsigned taken = 0;
  for (size_t index = 0; index < fields.slots.size(); ++index) {
    SlotKind kind = fields.slots[index].kind;
    auto fill = [&](TensorView &view) { return readView(view, arguments[index]); };
    if (kind == SlotKind::Pointer)
      named(
          fields, index, PyExc_ValueError, [&] { return shapeless(arguments[index]); },
          [&] { views.add(taken, fields.names[index], fill); });
    taken += kind != SlotKind::None;
  }
}

PyObject *run(LauncherFields &fields, PyObject *const *args, Py_ssize_t count) {
  if (count != fixedArguments + Py_ssize_t(fields.slots.size()))
    throw py::type_error("kernel '" + fields.kernel + "' takes " + std::to_string(fields.slots.size()) +
                         " arguments, one for each parameter (constexpr ones too); " +
                         std::to_string(count - fixedArguments) + " were given");
  auto *executable = py::handle(args[4]).cast<Executable *>();
  if (!executable)
    throw py::type_error("kernel '" + fields.kernel + "' was closed: there is nothing to launch; ask the " +
                         "kernel for `run` or a grid again");
  LaunchRequest request;
  request.grid = {gridSize(args[0]), gridSize(args[1]), gridSize(args[2])};
  if (args[3] != Py_None)
    request.stream = reinterpret_cast<void *>(PyLong_AsUnsignedLongLongMask(args[3]));
  std::vector<ArgBits> bits;
  bits.reserve(fields.slots.size());
  ViewList views(fields.spareViews);
  bool wantsTensors = executable->wantsTensors(), anyTensor = false;
  PyObject *const *arguments = args + fixedArguments;
  if (wantsTensors)
    readViews(fields, arguments, views);
  for (size_t index = 0; index < fields.slots.size(); ++index) {
    if (fields.slots[index].kind == SlotKind::None)
      continue;
    PyObject *argument = arguments[index];
    anyTensor |=
        fields.slots[index].kind == SlotKind::Pointer && argument != Py_None && !PyLong_Check(argument);
    bits.push_back(named(
        fields, index, PyExc_TypeError, [] { return "does not fit its type in the signature"; },
        [&] { return packArgument(argument, fields.slots[index], &request.device); }));
  }
  if (!anyTensor && fields.home == DeviceKind::Cuda)
    request.device = {DeviceKind::Cuda, facade::cuda::currentDevice()};
  request.args = bits;
  callHook(args[7], args[6]);
  if (wantsTensors || !launchWithoutTensors(*executable, request)) {
    if (!wantsTensors)
      readViews(fields, arguments, views);
    request.tensors = views.views();
    launch(*executable, request);
  }
  callHook(args[8], args[6]);
  Py_RETURN_NONE;
}

PyObject *callLauncher(PyObject *object, PyObject *const *args, size_t flags, PyObject *names) {
  try {
    if (names && PyTuple_GET_SIZE(names))
      throw py::type_error("a launcher takes positional arguments only");
    return run(*reinterpret_cast<Launcher *>(object)->fields, args, PyVectorcall_NARGS(flags));
  } catch (...) {
    setPythonError();
    return nullptr;
  }
}

void deallocate(PyObject *object) {
  delete reinterpret_cast<Launcher *>(object)->fields;
  Py_TYPE(object)->tp_free(object);
}

PyTypeObject &launcherType() {
  static PyTypeObject type = vectorcallType<Launcher>(
      "trisect._C.launch.Launcher", "Launches a kernel with arguments read by signature.", deallocate);
  return type;
}

py::object makeLauncher(const std::string &kernel, const std::vector<std::string> &names,
                        const std::vector<std::string> &types, bool onCuda) {
  if (names.size() != types.size())
    throw py::value_error("a launcher needs a name for each type");
  auto fields = std::make_unique<LauncherFields>();
  for (const std::string &type : types)
    fields->slots.push_back(parseSlot(type));
  fields->names = names;
  fields->kernel = kernel;
  fields->home = onCuda ? DeviceKind::Cuda : DeviceKind::Host;
  auto *self = PyObject_New(Launcher, &launcherType());
  if (!self)
    throw py::error_already_set();
  self->call = callLauncher;
  self->fields = fields.release();
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject *>(self));
}

} // namespace

void bindLauncher(py::module_ &module) {
  if (PyType_Ready(&launcherType()) < 0)
    throw py::error_already_set();
  module.def("launcher", makeLauncher, py::arg("kernel"), py::arg("names"), py::arg("types"),
             py::arg("on_cuda") = false,
             "The launcher of a kernel with these parameters; on_cuda: launches without a tensor run on the\n"
             "current device.");
}

} // namespace trisect::python
