//===- Dispatcher.cpp - bind, find, pack, launch --------------------------------------------------------===//
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Convert.h"
#include "python/bindings/Gil.h"
#include "python/bindings/Launcher.h"
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
  Views views(spareViews);
  bool wantsTensors = false;
  try {
    if (!bind(call, args, positional, names))
      return {};
    entry = find(call.key);
    if (!entry)
      return {};
    request.grid = readGrid(grid, call);
    wantsTensors = entry->executable->wantsTensors();
    if (wantsTensors)
      collectViews(views.all, *entry, call);
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_Exception))
      throw; // an interrupt
    return {};
  } catch (std::exception &) {
    return {}; // the slow path says of which kernel and argument
  }
  ArgBits bits[256];
  size_t used = 0;
  for (size_t leaf = 0; leaf < entry->slots.size(); ++leaf)
    if (entry->slots[leaf].kind != SlotKind::None)
      bits[used++] = packLeaf(call.key.leaves[leaf], entry->slots[leaf]);
  request.args = {bits, used};
  if (wantsTensors)
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

void setHookOwner(py::object owner) { hookOwner = owner.release(); }

} // namespace trisect::python
