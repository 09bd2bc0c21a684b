//===- Dispatcher.cpp - bind, find, pack, launch --------------------------------------------------------===//
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Convert.h"
#include "python/bindings/Gil.h"
#include "python/bindings/Launcher.h"
#include "python/bindings/Vectorcall.h"
#include <bit>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

uint64_t currentGeneration = 1;
/// Beyond this a table forgets everything: strings made anew at each call would fill it.
constexpr size_t maxEntries = 4096;

/// The runtime knobs, whose launch hooks send launches the slow way.
py::handle hookOwner;

bool isEmptyHook(PyObject *hook) {
  if (hook == Py_None)
    return true;
  static PyObject *const name = PyUnicode_InternFromString("calls");
  PyObject *calls = PyObject_GetAttr(hook, name);
  if (!calls) {
    PyErr_Clear();
    return false;
  }
  bool empty = PyList_Check(calls) && PyList_GET_SIZE(calls) == 0;
  Py_DECREF(calls);
  return empty;
}

bool hasLaunchHooks() {
  if (!hookOwner)
    return false;
  static PyObject *const names[] = {PyUnicode_InternFromString("launch_enter_hook"),
                                    PyUnicode_InternFromString("launch_exit_hook")};
  for (PyObject *name : names) {
    PyObject *hook = PyObject_GetAttr(hookOwner.ptr(), name);
    if (!hook)
      throw py::error_already_set();
    bool empty = isEmptyHook(hook);
    Py_DECREF(hook);
    if (!empty)
      return true;
  }
  return false;
}

uint64_t hashOf(const std::vector<uint64_t> &words) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (uint64_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

ArgBits packLeaf(const Leaf &leaf, Slot slot) {
  switch (slot.kind) {
  case SlotKind::Bool:
    return leaf.bits != 0;
  case SlotKind::F16:
  case SlotKind::BF16:
  case SlotKind::F32:
  case SlotKind::F64:
    return packFloat(leaf.isDouble ? std::bit_cast<double>(leaf.bits) : double(int64_t(leaf.bits)), slot);
  case SlotKind::Int:
    return slot.bits == 64 ? leaf.bits : leaf.bits & ((uint64_t(1) << slot.bits) - 1);
  default:
    return leaf.bits;
  }
}

} // namespace

void endGeneration() { ++currentGeneration; }

/// One launch's bound arguments; borrowed references.
struct Dispatcher::Call {
  WarmKey key;
  std::vector<PyObject *> values;
};

Dispatcher::Dispatcher(std::vector<Parameter> all, py::list hooks)
    : parameters(std::move(all)), preRunHooks(std::move(hooks)) {}

void Dispatcher::checkGeneration() {
  if (generation == currentGeneration && count < maxEntries)
    return;
  forget();
  generation = currentGeneration;
}

void Dispatcher::forget() {
  auto dropped = std::move(table); // destructors may come back here
  table.clear();
  last = nullptr;
  count = 0;
}

int Dispatcher::traverse(visitproc visit, void *arg) const {
  for (const Parameter &parameter : parameters)
    Py_VISIT(parameter.defaultValue.ptr());
  Py_VISIT(preRunHooks.ptr());
  Py_VISIT(watched.ptr());
  for (const auto &[hash, bucket] : table)
    for (const EntryPtr &entry : bucket) {
      if (entry.use_count() > 1 + (entry == last))
        continue; // a launch is under way
      Py_VISIT(entry->owner.ptr());
      Py_VISIT(entry->kernel.ptr());
      for (PyObject *held : entry->key.held)
        Py_VISIT(held);
    }
  return 0;
}

void Dispatcher::clear() {
  forget();
  for (Parameter &parameter : parameters)
    parameter.defaultValue = py::object();
  preRunHooks = py::list();
  watched = py::list();
}

/// The value of a name of a dictionary or of any object; a new reference, null without an error if absent.
static PyObject *valueOf(PyObject *owner, PyObject *name) {
  if (PyDict_CheckExact(owner)) {
    PyObject *value = PyDict_GetItem(owner, name);
    Py_XINCREF(value);
    return value;
  }
  PyObject *value = PyObject_GetAttr(owner, name);
  if (!value)
    PyErr_Clear();
  return value;
}

bool Dispatcher::globalsAreTheSame() const {
  for (Py_ssize_t index = 0; index < PyList_GET_SIZE(watched.ptr()); ++index) {
    PyObject *row = PyList_GET_ITEM(watched.ptr(), index);
    PyObject *expected = PyTuple_GET_SIZE(row) == 3 ? PyTuple_GET_ITEM(row, 2) : nullptr;
    PyObject *now = valueOf(PyTuple_GET_ITEM(row, 0), PyTuple_GET_ITEM(row, 1));
    Py_XDECREF(now); // the owner holds it
    if (now != expected)
      return false;
  }
  return true;
}

bool Dispatcher::bind(Call &call, PyObject *const *args, Py_ssize_t positional, PyObject *names) {
  size_t total = parameters.size();
  if (size_t(positional) > total)
    return false;
  call.values.assign(total, nullptr);
  for (Py_ssize_t index = 0; index < positional; ++index) {
    if (parameters[size_t(index)].keywordOnly)
      return false;
    call.values[size_t(index)] = args[index];
  }
  WarmKey &key = call.key;
  Py_ssize_t keywords = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t index = 0; index < keywords; ++index) {
    PyObject *name = PyTuple_GET_ITEM(names, index);
    PyObject *value = args[positional + index];
    size_t position = 0;
    // Names in calls are interned by Python's compiler; one that is not goes the slow way.
    while (position < total && parameters[position].name.ptr() != name)
      ++position;
    if (position < total) {
      if (call.values[position])
        return false;
      call.values[position] = value;
      continue;
    }
    if (!PyUnicode_CHECK_INTERNED(name))
      return false;
    key.words.push_back(reinterpret_cast<uintptr_t>(name));
    Py_INCREF(name);
    key.held.push_back(name);
    if (!appendToKey(key, value, {.isConstexpr = true}))
      return false;
  }
  for (size_t position = 0; position < total; ++position) {
    PyObject *&value = call.values[position];
    if (!value)
      value = parameters[position].defaultValue.ptr();
    if (!value || !appendToKey(key, value, parameters[position].rules))
      return false;
  }
  return true;
}

Dispatcher::EntryPtr Dispatcher::find(const WarmKey &key) {
  if (last && last->key.words == key.words)
    return last;
  auto bucket = table.find(hashOf(key.words));
  if (bucket != table.end())
    for (const EntryPtr &entry : bucket->second)
      if (entry->key.words == key.words)
        return last = entry;
  return nullptr;
}

Grid Dispatcher::readGrid(PyObject *grid, const Call &call) const {
  py::object held = py::reinterpret_borrow<py::object>(grid);
  if (PyCallable_Check(grid)) {
    py::dict meta;
    for (size_t position = 0; position < parameters.size(); ++position)
      meta[parameters[position].name] = py::handle(call.values[position]);
    held = callPython(grid, py::make_tuple(meta));
  }
  Grid result;
  if (!PyTuple_Check(held.ptr()) && !PyList_Check(held.ptr())) {
    result.x = gridSize(held.ptr());
    return result;
  }
  py::object sequence =
      py::reinterpret_steal<py::object>(PySequence_Fast(held.ptr(), "a grid is a sequence"));
  Py_ssize_t rank = PySequence_Fast_GET_SIZE(sequence.ptr());
  if (rank < 1 || rank > 3)
    throw py::value_error("a grid has one to three dimensions, not " + std::to_string(rank));
  int32_t *sizes[] = {&result.x, &result.y, &result.z};
  for (Py_ssize_t index = 0; index < rank; ++index)
    *sizes[index] = gridSize(PySequence_Fast_GET_ITEM(sequence.ptr(), index));
  return result;
}

/// Borrows the vector of the last launch, so that its memory is used again.
struct Dispatcher::Views {
  explicit Views(std::vector<TensorView> &spare) : spare(spare), all(std::move(spare)) {}
  ~Views() { spare = std::move(all); }
  std::vector<TensorView> &spare;
  std::vector<TensorView> all;
};

/// Goes through the leaves of the arguments, elements of tuples included, and fills views of those that are
/// tensors.
struct Dispatcher::ViewCollector {
  std::vector<TensorView> &views;
  const Entry &entry;
  const WarmKey &key;
  size_t count = 0, leaf = 0;
  unsigned argument = 0;

  void visit(PyObject *value, const std::string &name) {
    if (PyTuple_Check(value)) {
      for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(value); ++index)
        visit(PyTuple_GET_ITEM(value, index), name + "." + std::to_string(index));
      return;
    }
    if (entry.slots[leaf].kind == SlotKind::Pointer && argumentKind(value) == ArgumentKind::Descriptor)
      return visitDescriptor(value, name);
    const Leaf &read = key.leaves[leaf];
    SlotKind kind = entry.slots[leaf++].kind;
    if (kind == SlotKind::Pointer && read.element) {
      if (views.size() == count)
        views.emplace_back();
      TensorView &view = views[count];
      view.argument = argument;
      if (view.name != name)
        view.name = name;
      count += fillView(view, value, {read.bits, read.element, {}});
    }
    argument += kind != SlotKind::None;
  }

  /// Its tensor, and then shape and strides, which are no tensors.
  void visitDescriptor(PyObject *descriptor, const std::string &name) {
    py::object base = py::getattr(descriptor, "base");
    visit(base.ptr(), name);
    size_t rest = py::len(py::getattr(descriptor, "shape")) + py::len(py::getattr(descriptor, "strides"));
    for (; rest; --rest)
      argument += entry.slots[leaf++].kind != SlotKind::None;
  }
};

void Dispatcher::collectViews(std::vector<TensorView> &views, const Entry &entry, const Call &call) const {
  ViewCollector collector{views, entry, call.key};
  for (size_t position = 0; position < parameters.size(); ++position)
    if (!parameters[position].rules.isConstexpr)
      collector.visit(call.values[position], parameters[position].text);
  views.resize(collector.count);
}

py::object Dispatcher::launch(PyObject *grid, PyObject *const *args, Py_ssize_t positional, PyObject *names) {
  checkGeneration();
  if (!count || grid == Py_None || PyList_GET_SIZE(preRunHooks.ptr()) || hasLaunchHooks() ||
      !globalsAreTheSame())
    return {};
  Call call;
  call.key.words.reserve(parameters.size() * 2 + 8);
  call.key.leaves.reserve(parameters.size());
  EntryPtr entry;
  LaunchRequest request;
  try {
    if (!bind(call, args, positional, names))
      return {};
    entry = find(call.key);
    if (!entry)
      return {};
    request.grid = readGrid(grid, call);
  } catch (std::exception &) {
    return {}; // the slow path says of which kernel and argument
  }
  ArgBits bits[256];
  size_t used = 0;
  for (size_t leaf = 0; leaf < entry->slots.size(); ++leaf)
    if (entry->slots[leaf].kind != SlotKind::None)
      bits[used++] = packLeaf(call.key.leaves[leaf], entry->slots[leaf]);
  Views views(spareViews);
  if (entry->executable->wantsTensors())
    collectViews(views.all, *entry, call);
  request.args = {bits, used};
  request.tensors = views.all;
  if (call.key.onDevice) {
    request.device = call.key.device;
    request.stream = currentStream(call.key.onDevice, call.key.device);
  }
  python::launch(*entry->executable, request);
  return entry->kernel;
}

void Dispatcher::remember(PyObject *const *args, Py_ssize_t positional, PyObject *names,
                          const std::vector<std::string> &slots, py::object executable, py::object kernel) {
  checkGeneration();
  Call call;
  if (slots.size() > 256 || !bind(call, args, positional, names) || call.key.leaves.size() != slots.size() ||
      find(call.key))
    return;
  auto entry = std::make_shared<Entry>();
  entry->key.words = std::move(call.key.words);
  entry->key.held = std::move(call.key.held);
  call.key.held.clear();
  for (const std::string &slot : slots)
    entry->slots.push_back(parseSlot(slot));
  entry->executable = executable.cast<Executable *>();
  entry->owner = std::move(executable);
  entry->kernel = std::move(kernel);
  table[hashOf(entry->key.words)].push_back(entry);
  ++count;
  last = entry;
}

//===----------------------------------------------------------------------------------------------------===//
// The Python side: pybind11 for what is rare, a vectorcall object for the launch itself.
//===----------------------------------------------------------------------------------------------------===//

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
  py::dict keywords;
  for (Py_ssize_t index = 0; names && index < PyTuple_GET_SIZE(names); ++index)
    keywords[py::handle(PyTuple_GET_ITEM(names, index))] = py::handle(args[positional + index]);
  keywords["grid"] = py::handle(self->grid);
  keywords["warmup"] = false;
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

void deallocateBoundLaunch(PyObject *object) {
  auto *self = reinterpret_cast<BoundLaunch *>(object);
  Py_XDECREF(self->dispatcherOwner);
  Py_XDECREF(self->function);
  Py_XDECREF(self->grid);
  Py_TYPE(object)->tp_free(object);
}

PyTypeObject &boundLaunchType() {
  static PyTypeObject type = vectorcallType<BoundLaunch>(
      "trisect._C.launch.BoundLaunch", "A kernel with its grid; calling it launches.", deallocateBoundLaunch);
  return type;
}

/// bind_launch(dispatcher, function, grid), a plain C function because it is on the path of every launch.
PyObject *bindLaunch(PyObject *, PyObject *const *args, Py_ssize_t count) {
  if (count != 3) {
    PyErr_SetString(PyExc_TypeError, "bind_launch takes a dispatcher, a function and a grid");
    return nullptr;
  }
  try {
    auto *dispatcher = py::handle(args[0]).cast<Dispatcher *>();
    auto *self = PyObject_New(BoundLaunch, &boundLaunchType());
    if (!self)
      return nullptr;
    self->call = callBoundLaunch;
    self->dispatcher = dispatcher;
    self->dispatcherOwner = Py_NewRef(args[0]);
    self->function = Py_NewRef(args[1]);
    self->grid = Py_NewRef(args[2]);
    return reinterpret_cast<PyObject *>(self);
  } catch (...) {
    setPythonError();
    return nullptr;
  }
}

PyMethodDef bindLaunchMethod = {"bind_launch",
                                reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(bindLaunch)),
                                METH_FASTCALL, "The object behind kernel[grid]."};

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
  py::class_<Dispatcher>(module, "Dispatcher", "The warm launches of one jit function.",
                         py::custom_type_setup(collectDispatchers))
      .def(py::init(&makeDispatcher), py::arg("parameters"), py::arg("pre_run_hooks"), py::arg("no_default"),
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
  module.add_object("bind_launch",
                    py::reinterpret_steal<py::object>(PyCFunction_New(&bindLaunchMethod, nullptr)));
  module.def("end_generation", endGeneration, "Makes every dispatcher forget what it learned.");
  module.def("set_hook_owner", [](py::object owner) { hookOwner = owner.release(); });
}

} // namespace trisect::python
