//===- DispatcherModule.cpp - warm launches as Python sees them -----------------------------------------===//
//
// pybind11 for what is rare, a vectorcall object for the launch itself.
//
//===----------------------------------------------------------------------------------------------------===//
#include "python/bindings/Convert.h"
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Gil.h"
#include "python/bindings/Vectorcall.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

/// `kernel[grid]`: called with the kernel's arguments.
struct BoundLaunch {
  PyObject_HEAD vectorcallfunc call;
  Dispatcher *dispatcher;
  PyObject *dispatcherOwner;
  PyObject *function;
  PyObject *grid;
};

/// function.run(*args, grid=grid, warmup=False, **keywords)
PyObject *runSlowly(BoundLaunch *self, PyObject *const *args, Py_ssize_t positional, PyObject *names) {
  py::tuple arguments(positional);
  for (Py_ssize_t index = 0; index < positional; ++index)
    arguments[size_t(index)] = py::handle(args[index]);
  py::dict keywords(py::arg("grid") = py::handle(self->grid), py::arg("warmup") = false);
  for (Py_ssize_t index = 0; names && index < PyTuple_GET_SIZE(names); ++index) {
    py::handle name = PyTuple_GET_ITEM(names, index);
    if (keywords.contains(name))
      throw py::type_error("run() got multiple values for keyword argument '" + std::string(py::str(name)) +
                           "': kernel[grid](...) gives it already");
    keywords[name] = py::handle(args[positional + index]);
  }
  py::object run = py::handle(self->function).attr("run");
  return callPython(run, arguments, keywords).release().ptr();
}

PyObject *callBoundLaunch(PyObject *object, PyObject *const *args, size_t flags, PyObject *names) {
  auto *self = reinterpret_cast<BoundLaunch *>(object);
  Py_ssize_t positional = PyVectorcall_NARGS(flags);
  try {
    py::object kernel = self->dispatcher->launch(self->grid, args, positional, names);
    return kernel ? kernel.release().ptr() : runSlowly(self, args, positional, names);
  } catch (...) {
    setPythonError();
    hideOwnFrames();
    return nullptr;
  }
}

/// One that nobody has any more: each launch makes one and drops it.
BoundLaunch *spare = nullptr;

void deallocateBoundLaunch(PyObject *object) {
  auto *self = reinterpret_cast<BoundLaunch *>(object);
  Py_XDECREF(self->dispatcherOwner);
  Py_XDECREF(self->function);
  Py_XDECREF(self->grid);
  if (spare)
    Py_TYPE(object)->tp_free(object);
  else
    spare = self;
}

PyTypeObject &boundLaunchType() {
  static PyTypeObject type = vectorcallType<BoundLaunch>(
      "trisect._C.launch.BoundLaunch", "A kernel with its grid; calling it launches.", deallocateBoundLaunch);
  return type;
}

PyTypeObject *dispatcherType = nullptr;

/// The dispatcher that an object of exactly its class holds.
Dispatcher *dispatcherIn(PyObject *object) {
  auto *instance = reinterpret_cast<py::detail::instance *>(object);
  return static_cast<Dispatcher *>(instance->get_value_and_holder().value_ptr());
}

/// `native`: what `dispatcher` holds.
PyObject *bindLaunch(PyObject *dispatcher, Dispatcher *native, PyObject *function, PyObject *grid) {
  BoundLaunch *self = std::exchange(spare, nullptr);
  if (self)
    PyObject_Init(reinterpret_cast<PyObject *>(self), &boundLaunchType());
  else if (self = PyObject_New(BoundLaunch, &boundLaunchType()); !self)
    return nullptr;
  self->call = callBoundLaunch;
  self->dispatcher = native;
  self->dispatcherOwner = Py_NewRef(dispatcher);
  self->function = Py_NewRef(function);
  self->grid = Py_NewRef(grid);
  return reinterpret_cast<PyObject *>(self);
}

/// How functions of a class are subscribed with a grid.
struct Subscript {
  PyObject *run = nullptr;      ///< the class's own
  PyObject *fallback = nullptr; ///< of functions that have another one: called with function and grid
  PyObject *runName = PyUnicode_InternFromString("run");
  PyObject *dispatcherName = PyUnicode_InternFromString("_dispatcher");
};
Subscript &subscript() {
  static Subscript only;
  return only;
}

/// Whether a function is launched as its class says: neither a subclass, nor whoever wraps launches, has put
/// another `run` in place.
bool runsPlainly(PyObject *function, PyObject *attributes) {
  return _PyType_Lookup(Py_TYPE(function), subscript().runName) == subscript().run &&
         !PyDict_GetItemWithError(attributes, subscript().runName);
}

/// The number of a dictionary's present state, which no other state of any has; 0: not known.
uint64_t versionOf(PyObject *dictionary) {
#if PY_VERSION_HEX < 0x030C0000
  return reinterpret_cast<PyDictObject *>(dictionary)->ma_version_tag;
#else
  static_cast<void>(dictionary);
  return 0;
#endif
}

/// Functions that run plainly, by the state of their attributes and of their class in which that was found.
class PlainFunctions {
public:
  struct Known {
    uint64_t attributes = 0;
    PyTypeObject *type = nullptr;
    unsigned typeVersion = 0;
    PyObject *dispatcher = nullptr; ///< borrowed from the function's attributes
    Dispatcher *native = nullptr;   ///< in it
  };
  /// Null if the function is not known.
  const Known *find(PyObject *function, PyObject *attributes) {
    const Known &known = placeOf(function);
    uint64_t version = versionOf(attributes);
    PyTypeObject *type = Py_TYPE(function);
    bool same = version && known.attributes == version && known.type == type &&
                known.typeVersion == type->tp_version_tag && (type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG);
    return same ? &known : nullptr;
  }
  void add(PyObject *function, PyObject *attributes, PyObject *dispatcher) {
    PyTypeObject *type = Py_TYPE(function);
    placeOf(function) = {versionOf(attributes), type, type->tp_version_tag, dispatcher,
                         dispatcherIn(dispatcher)};
  }

private:
  Known &placeOf(PyObject *function) {
    return places[reinterpret_cast<uintptr_t>(function) / alignof(std::max_align_t) % std::size(places)];
  }

  Known places[64];
} plainFunctions;

/// `function[grid]`, a plain C function because it is on the path of every launch.
PyObject *bindToGrid(PyObject *function, PyObject *grid) {
  PyObject *attributes = PyObject_GenericGetDict(function, nullptr);
  if (!attributes)
    return nullptr;
  if (const auto *known = plainFunctions.find(function, attributes)) {
    PyObject *bound = bindLaunch(known->dispatcher, known->native, function, grid);
    Py_DECREF(attributes);
    return bound;
  }
  bool isPlain = runsPlainly(function, attributes);
  PyObject *dispatcher = PyDict_GetItemWithError(attributes, subscript().dispatcherName);
  Py_XINCREF(dispatcher);
  if (isPlain && dispatcher && Py_TYPE(dispatcher) == dispatcherType)
    plainFunctions.add(function, attributes, dispatcher);
  Py_DECREF(attributes);
  if (isPlain && !dispatcher) // made when it is first asked for
    dispatcher = PyObject_GetAttr(function, subscript().dispatcherName);
  if (PyErr_Occurred())
    return nullptr;
  PyObject *bound = nullptr;
  if (isPlain && Py_TYPE(dispatcher) == dispatcherType)
    bound = bindLaunch(dispatcher, dispatcherIn(dispatcher), function, grid);
  else
    bound = PyObject_CallFunctionObjArgs(subscript().fallback, function, grid, nullptr);
  Py_XDECREF(dispatcher);
  return bound;
}

PyMethodDef subscriptMethod = {"__getitem__", bindToGrid, METH_O,
                               "The kernel with its grid; calling it launches."};

/// The method `__getitem__` for a class whose own `run` launches through its functions' dispatchers.
py::object makeSubscript(const py::type &type, const py::object &run, const py::object &fallback) {
  subscript().run = run.inc_ref().ptr();
  subscript().fallback = fallback.inc_ref().ptr();
  return py::reinterpret_steal<py::object>(
      PyDescr_NewMethod(reinterpret_cast<PyTypeObject *>(type.ptr()), &subscriptMethod));
}

/// Arguments of a Python call as those of a vectorcall.
struct Flattened {
  std::vector<PyObject *> values;
  py::object names;
  Py_ssize_t positional;

  Flattened(const py::tuple &args, const py::dict &keywords) : positional(Py_ssize_t(args.size())) {
    for (py::handle value : args)
      values.push_back(value.ptr());
    py::tuple all(keywords.size());
    size_t index = 0;
    for (auto [name, value] : keywords) {
      all[index++] = name;
      values.push_back(value.ptr());
    }
    names = std::move(all);
  }
};

Dispatcher makeDispatcher(const py::list &parameters, const py::list &preRunHooks, py::handle noDefault) {
  std::vector<Dispatcher::Parameter> all;
  for (py::handle item : parameters) {
    auto fields = item.cast<py::tuple>();
    PyObject *name = fields[0].cast<py::object>().release().ptr();
    PyUnicode_InternInPlace(&name);
    Dispatcher::Parameter parameter;
    parameter.name = py::reinterpret_steal<py::object>(name);
    parameter.text = py::str(parameter.name);
    parameter.rules = {fields[1].cast<bool>(), fields[2].cast<bool>(), fields[3].cast<bool>(),
                       fields[4].cast<bool>()};
    py::object defaultValue = fields[5];
    if (!defaultValue.is(noDefault))
      parameter.defaultValue = std::move(defaultValue);
    parameter.keywordOnly = fields[6].cast<bool>();
    all.push_back(std::move(parameter));
  }
  return {std::move(all), preRunHooks};
}

/// The collector may meet an object whose constructor has not run.
bool isMade(PyObject *object) {
  return reinterpret_cast<py::detail::instance *>(object)->get_value_and_holder().holder_constructed();
}

int traverseDispatcher(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  return isMade(object) ? py::cast<Dispatcher &>(py::handle(object)).traverse(visit, arg) : 0;
}

int clearDispatcher(PyObject *object) {
  if (isMade(object))
    py::cast<Dispatcher &>(py::handle(object)).clear();
  return 0;
}

/// A function owns its dispatcher, which owns kernels, which name the function.
void collectDispatchers(PyHeapTypeObject *type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = traverseDispatcher;
  type->ht_type.tp_clear = clearDispatcher;
}

} // namespace

void bindDispatcher(py::module_ &module) {
  if (PyType_Ready(&boundLaunchType()) < 0)
    throw py::error_already_set();
  py::class_<Dispatcher> type(module, "Dispatcher", "The warm launches of one jit function.",
                              py::custom_type_setup(collectDispatchers));
  dispatcherType = reinterpret_cast<PyTypeObject *>(type.ptr());
  type.def(py::init(&makeDispatcher), py::arg("parameters"), py::arg("pre_run_hooks"), py::arg("no_default"),
           "parameters: (name, is_constexpr, is_const, specialize_value, specialize_alignment, default, "
           "keyword_only) each")
      .def(
          "launch",
          [](Dispatcher &self, const py::object &grid, const py::tuple &args, const py::dict &keywords) {
            Flattened flat(args, keywords);
            py::object kernel =
                self.launch(grid.ptr(), flat.values.data(), flat.positional, flat.names.ptr());
            return kernel ? kernel : py::none();
          },
          py::arg("grid"), py::arg("args"), py::arg("kwargs"), "The kernel that was launched, or None.")
      .def(
          "remember",
          [](Dispatcher &self, const py::tuple &args, const py::dict &keywords,
             const std::vector<std::string> &slots, py::object executable, py::object kernel) {
            Flattened flat(args, keywords);
            self.remember(flat.values.data(), flat.positional, flat.names.ptr(), slots, std::move(executable),
                          std::move(kernel));
          },
          py::arg("args"), py::arg("kwargs"), py::arg("slots"), py::arg("executable"), py::arg("kernel"))
      .def(
          "watch",
          [](Dispatcher &self, const py::list &globals) {
            for (py::handle row : globals) {
              bool pair = PyTuple_Check(row.ptr()) &&
                          (PyTuple_GET_SIZE(row.ptr()) == 2 || PyTuple_GET_SIZE(row.ptr()) == 3);
              if (!pair || !PyUnicode_Check(PyTuple_GET_ITEM(row.ptr(), 1)))
                throw py::type_error("what is watched is (owner, name, value), or (owner, name) of no value");
            }
            self.watch(globals);
          },
          py::arg("globals"), "Launches go the slow way once an (owner, name, value) has changed.")
      .def("__len__", &Dispatcher::size);
  module.def(
      "subscript", makeSubscript, py::arg("type"), py::arg("run"), py::arg("fallback"),
      "`__getitem__` of a class whose `run` launches through `_dispatcher`; functions that have another\n"
      "`run` take the fallback.");
  module.def("end_generation", endGeneration, "Makes every dispatcher forget what it learned.");
  module.def("set_hook_owner", setHookOwner);
}

} // namespace trisect::python
