//===- Dispatcher.cpp - bind, find, pack, launch --------------------------------------------------------===//
#include "python/bindings/Dispatcher.h"
#include "python/bindings/Convert.h"
#include "python/bindings/Gil.h"
#include "python/bindings/GridArgument.h"
#include "python/bindings/ShortInt.h"
#include <bit>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

namespace {

uint64_t currentGeneration = 1;
/// Beyond this a table forgets everything: strings made anew at each call would fill it.
constexpr size_t maxEntries = 4096;
/// Tensors that a launch does not need cost it less than to ask before each one.
constexpr unsigned askEvery = 16;
/// Kernels that take more are launched the slow way.
constexpr size_t mostArguments = 256;

/// The launch hooks, as they were when a generation began.
struct LaunchHooks {
  py::handle owner, chain;
  uint64_t generation = 0;
  bool any = false;  ///< one that is no chain
  py::list calls[2]; ///< those of chains
};
LaunchHooks *hooks = nullptr; // never destroyed: launches may come while the process exits

void readHooks() {
  hooks->generation = currentGeneration;
  hooks->any = false;
  for (size_t n = 0; n < 2; ++n) {
    py::object hook = hooks->owner.attr(n ? "launch_exit_hook" : "launch_enter_hook");
    bool isChain = py::type::of(hook).is(hooks->chain);
    hooks->calls[n] = isChain ? hook.attr("calls").cast<py::list>() : py::list();
    hooks->any |= !isChain && !hook.is_none();
  }
}

bool hasLaunchHooks() {
  if (!hooks)
    return false;
  if (hooks->generation != currentGeneration)
    readHooks();
  return hooks->any || PyList_GET_SIZE(hooks->calls[0].ptr()) || PyList_GET_SIZE(hooks->calls[1].ptr());
}

uint64_t hashOf(const auto &words) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (uint64_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

/// The bits of a leaf that an argument is, if it is some of them as they are; else 0.
uint64_t maskOf(Slot slot) {
  if (slot.kind == SlotKind::Pointer)
    return ~uint64_t(0);
  return slot.kind == SlotKind::Int ? ~uint64_t(0) >> (64 - slot.bits) : 0;
}

ArgBits packLeaf(Leaf bits, LeafFacts facts, Slot slot) {
  switch (slot.kind) {
  case SlotKind::Bool:
    return bits != 0;
  case SlotKind::F16:
  case SlotKind::BF16:
  case SlotKind::F32:
  case SlotKind::F64:
    return packFloat(facts.isDouble ? std::bit_cast<double>(bits) : double(int64_t(bits)), slot);
  default:
    return bits & maskOf(slot);
  }
}

} // namespace

void endGeneration() { ++currentGeneration; }

/// One launch's bound arguments; borrowed references.
struct Dispatcher::Call {
  WarmKey key;
  Inline<PyObject *, 64> values;
};

Dispatcher::Entry::~Entry() {
  for (PyObject *object : held)
    Py_DECREF(object);
}

Dispatcher::Dispatcher(std::vector<Parameter> all, py::list hooks)
    : parameters(std::move(all)), preRunHooks(std::move(hooks)) {
  for (const Parameter &parameter : parameters) {
    rules.push_back(parameter.rules);
    positionalCount += !parameter.keywordOnly;
  }
}

void Dispatcher::checkGeneration() {
  if (generation == currentGeneration && count < maxEntries)
    return;
  forget();
  generation = currentGeneration;
}

void Dispatcher::forget() {
  auto dropped = std::move(table); // destructors may come back here
  table.clear();
  last = {};
  count = 0;
}

int Dispatcher::traverse(visitproc visit, void *arg) const {
  for (const Parameter &parameter : parameters)
    Py_VISIT(parameter.defaultValue.ptr());
  Py_VISIT(preRunHooks.ptr());
  Py_VISIT(watched.ptr());
  for (const auto &[hash, bucket] : table)
    for (const EntryPtr &entry : bucket) {
      if (entry->users > 1u + (entry == last))
        continue; // a launch is under way
      Py_VISIT(entry->owner.ptr());
      Py_VISIT(entry->kernel.ptr());
      for (PyObject *held : entry->held)
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
    PyObject *value = PyDict_GetItemWithError(owner, name);
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

size_t Dispatcher::positionOf(PyObject *name) const {
  size_t position = 0;
  while (position < parameters.size() && parameters[position].name.ptr() != name)
    ++position;
  return position;
}

bool Dispatcher::bind(Call &call, PyObject *const *args, Py_ssize_t positional, PyObject *names) {
  size_t total = parameters.size();
  if (size_t(positional) > positionalCount)
    return false;
  PyObject **values = call.values.room(total);
  std::copy_n(args, positional, values);
  std::fill(values + positional, values + total, nullptr);
  call.values.endAt(values + total);
  size_t given = size_t(positional);
  WarmKey &key = call.key;
  Py_ssize_t keywords = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t index = 0; index < keywords; ++index) {
    PyObject *name = PyTuple_GET_ITEM(names, index);
    PyObject *value = args[positional + index];
    // Most come in the order of the parameters. Names in calls are interned by Python's compiler; one that is
    // not goes the slow way.
    size_t position = size_t(positional + index);
    if (position >= total || parameters[position].name.ptr() != name)
      position = positionOf(name);
    if (position < total) {
      if (call.values[position])
        return false;
      call.values[position] = value;
      ++given;
      continue;
    }
    if (!PyUnicode_CHECK_INTERNED(name))
      return false;
    key.words.push_back(reinterpret_cast<uintptr_t>(name));
    Py_INCREF(name);
    key.held.push_back(name);
    if (!appendConstexprToKey(key, value))
      return false;
  }
  if (given < total)
    for (size_t position = 0; position < total; ++position)
      if (PyObject *&value = call.values[position]; !value) {
        value = parameters[position].defaultValue.ptr();
        if (!value)
          return false;
      }
  return appendToKey(key, call.values.begin(), rules);
}

Dispatcher::EntryPtr Dispatcher::find(const WarmKey &key) {
  auto isFor = [&](const Entry &entry) { return std::ranges::equal(entry.words, key.words); };
  if (last && isFor(*last))
    return last;
  auto bucket = table.find(hashOf(key.words));
  if (bucket != table.end())
    for (const EntryPtr &entry : bucket->second)
      if (isFor(*entry))
        return last = entry;
  return {};
}

static bool isFunction(PyObject *grid) { return !PyTuple_CheckExact(grid) && PyCallable_Check(grid); }

/// What a grid that is a function says of these values of the parameters.
py::object Dispatcher::ask(PyObject *grid, PyObject *const *values) const {
  py::dict meta;
  for (size_t position = 0; position < parameters.size(); ++position)
    if (PyDict_SetItem(meta.ptr(), parameters[position].name.ptr(), values[position]) < 0)
      throw py::error_already_set();
  return callPython(grid, py::make_tuple(meta));
}

/// Goes through the leaves of the arguments, elements of tuples included, and fills views of those that are
/// tensors.
struct Dispatcher::ViewCollector {
  ViewList &views;
  const Entry &entry;
  const WarmKey &key;
  size_t leaf = 0;
  unsigned argument = 0;

  void visit(PyObject *value, const std::string &name) {
    if (PyTuple_Check(value)) {
      for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(value); ++index)
        visit(PyTuple_GET_ITEM(value, index), name + "." + std::to_string(index));
      return;
    }
    if (entry.slots[leaf].kind == SlotKind::Pointer && argumentKind(value) == ArgumentKind::Descriptor)
      return visitDescriptor(value, name);
    Leaf bits = key.leaves[leaf];
    const ElementType *element = entry.facts[leaf].element;
    SlotKind kind = entry.slots[leaf++].kind;
    if (kind == SlotKind::Pointer && element)
      views.add(argument, name, [&](TensorView &view) { return fillView(view, value, {bits, element, {}}); });
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

void Dispatcher::collectViews(ViewList &views, const Entry &entry, const Call &call) const {
  ViewCollector collector{views, entry, call.key};
  for (size_t position = 0; position < parameters.size(); ++position)
    if (!parameters[position].rules.isConstexpr)
      collector.visit(call.values[position], parameters[position].text);
}

bool Dispatcher::launchWithTensors(const Entry &entry, const Call &call, LaunchRequest &request) {
  ViewList views(spareViews);
  try {
    collectViews(views, entry, call);
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_Exception))
      throw; // an interrupt
    return false;
  } catch (std::exception &) {
    return false;
  }
  request.tensors = views.views();
  python::launch(*entry.executable, request);
  return true;
}

py::object Dispatcher::launch(PyObject *grid, PyObject *const *args, Py_ssize_t positional, PyObject *names) {
  checkGeneration();
  if (!count || grid == Py_None || PyList_GET_SIZE(preRunHooks.ptr()) || hasLaunchHooks() ||
      !globalsAreTheSame())
    return {};
  AskedGrid asked{grid, {}};
  if (EntryPtr entry = last; entry && launchLike(*entry, asked, args, {positional, names}))
    return entry->kernel;
  return asked.grid ? launchByKey(asked, args, {positional, names}) : py::object();
}

void Dispatcher::askLike(AskedGrid &grid, const Entry &entry, PyObject *const *args) const {
  Inline<PyObject *, 64> values;
  for (size_t n = 0; n < parameters.size(); ++n) {
    uint16_t argument = entry.argumentOf[n];
    values.push_back(argument == ArgumentPattern::byDefault ? parameters[n].defaultValue.ptr()
                                                            : args[argument]);
  }
  try {
    grid.answer = ask(grid.grid, values.begin());
    grid.grid = grid.answer.ptr();
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_Exception))
      throw; // an interrupt
    grid.grid = nullptr;
  }
}

bool Dispatcher::launchLike(Entry &entry, AskedGrid &grid, PyObject *const *args, const CallShape &shape) {
  ArgBits bits[mostArguments + 1];
  PyObject *tensor = nullptr;
  if (entry.pattern.empty() || !entry.pattern.matches(args, shape, bits, &tensor))
    return false;
  LaunchRequest request;
  if (isFunction(grid.grid))
    askLike(grid, entry, args);
  if (!grid.grid || !readShortGrid(grid.grid, request.grid))
    return false;
  request.args = {bits, entry.taken.size()};
  if (entry.device.kind != DeviceKind::Host) {
    request.device = entry.device;
    request.stream = currentStream(tensor, entry.device);
  }
  if (!stillWantsTensors(entry)) {
    if (launchWithoutTensors(*entry.executable, request))
      return true;
    entry.wantsTensors = true;
  }
  LentViews views(entry.views);
  if (views->size() != entry.viewCount || !entry.pattern.readViews(args, bits, *views))
    return false;
  request.tensors = *views;
  python::launch(*entry.executable, request);
  return true;
}

bool Dispatcher::stillWantsTensors(Entry &entry) {
  if (entry.wantsTensors && entry.withTensors++ % askEvery == 0)
    entry.wantsTensors = entry.executable->wantsTensors();
  return entry.wantsTensors;
}

py::object Dispatcher::launchByKey(AskedGrid &grid, PyObject *const *args, const CallShape &shape) {
  Call call;
  EntryPtr entry;
  LaunchRequest request;
  try {
    if (!bind(call, args, shape.positional, shape.names))
      return {};
    entry = find(call.key);
    if (!entry)
      return {};
    if (!grid.answer && isFunction(grid.grid)) {
      grid.answer = ask(grid.grid, call.values.begin());
      grid.grid = grid.answer.ptr();
    }
    request.grid = readGrid(grid.grid);
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_Exception))
      throw; // an interrupt
    return {};
  } catch (std::exception &) {
    return {}; // the slow path says of which kernel and argument
  }
  ArgBits bits[mostArguments];
  ArgBits *next = bits;
  const Leaf *leaves = call.key.leaves.begin();
  bool fit = true;
  for (const Taken &taken : entry->taken) {
    fit &= leaves[taken.leaf] + taken.below <= taken.span;
    *next++ = leaves[taken.leaf] & taken.mask;
  }
  if (!fit)
    return {}; // likewise
  if (entry->hasFloats)
    for (size_t n = 0; n < entry->taken.size(); ++n)
      if (const Taken &taken = entry->taken[n]; !taken.mask)
        bits[n] = packLeaf(leaves[taken.leaf], entry->facts[taken.leaf], entry->slots[taken.leaf]);
  request.args = {bits, next};
  if (call.key.onDevice) {
    request.device = call.key.device;
    request.stream = currentStream(call.key.onDevice, call.key.device);
  }
  if (!stillWantsTensors(*entry)) {
    if (launchWithoutTensors(*entry->executable, request))
      return entry->kernel;
    entry->wantsTensors = true;
  }
  // What cannot be read the slow path names.
  return launchWithTensors(*entry, call, request) ? entry->kernel : py::object();
}

ArgumentPattern Dispatcher::patternOf(Entry &entry, const Call &call, PyObject *const *args,
                                      const CallShape &shape) const {
  std::vector<ArgumentPattern::Given> given;
  for (size_t n = 0; n < parameters.size(); ++n) {
    bool passed = n < size_t(shape.positional);
    given.push_back({call.values[n], passed ? uint16_t(n) : ArgumentPattern::byDefault, rules[n]});
  }
  for (Py_ssize_t index = 0; index < shape.keywords(); ++index) {
    auto argument = uint16_t(shape.positional + index);
    size_t position = positionOf(PyTuple_GET_ITEM(shape.names, index));
    if (position < parameters.size())
      given[position].argument = argument;
    else
      given.push_back({args[argument], argument, {.isConstexpr = true}});
  }
  for (const ArgumentPattern::Given &each : std::span(given).first(parameters.size()))
    entry.argumentOf.push_back(each.argument);
  return ArgumentPattern::of(shape, given, entry.slots, entry.held);
}

/// Those of a call with a pattern, as far as all such calls have them in common.
std::vector<TensorView> Dispatcher::viewsOf(const Entry &entry) const {
  std::vector<TensorView> views;
  size_t leaf = 0;
  unsigned argument = 0;
  for (const Parameter &parameter : parameters) {
    if (parameter.rules.isConstexpr)
      continue;
    SlotKind kind = entry.slots[leaf].kind;
    if (const ElementType *element = entry.facts[leaf++].element; element && kind == SlotKind::Pointer)
      views.push_back({argument, parameter.text, 0, element->type, {}, {}, element->isSigned()});
    argument += kind != SlotKind::None;
  }
  return views;
}

void Dispatcher::remember(PyObject *const *args, Py_ssize_t positional, PyObject *names,
                          const std::vector<std::string> &slots, py::object executable, py::object kernel) {
  checkGeneration();
  Call call;
  std::vector<LeafFacts> facts;
  call.key.facts = &facts;
  if (slots.size() > mostArguments || !bind(call, args, positional, names) ||
      call.key.leaves.size() != slots.size() || find(call.key))
    return;
  EntryPtr entry(new Entry);
  entry->words.assign(call.key.words.begin(), call.key.words.end());
  for (PyObject *object : call.key.held)
    entry->held.push_back(Py_NewRef(object));
  for (const std::string &spelling : slots) {
    Slot slot = parseSlot(spelling);
    if (slot.kind != SlotKind::None) {
      entry->taken.push_back({entry->slots.size(), maskOf(slot), slot.below(), slot.span()});
      entry->hasFloats |= !maskOf(slot);
    }
    entry->slots.push_back(slot);
  }
  entry->facts = std::move(facts);
  entry->device = call.key.onDevice ? call.key.device : DeviceId();
  entry->pattern = patternOf(*entry, call, args, {positional, names});
  if (!entry->pattern.empty())
    entry->views = viewsOf(*entry);
  entry->viewCount = entry->views.size();
  entry->executable = executable.cast<Executable *>();
  entry->owner = std::move(executable);
  entry->kernel = std::move(kernel);
  table[hashOf(entry->words)].push_back(entry);
  ++count;
  last = entry;
}

void setHookOwner(py::object owner, py::object chain) {
  hooks = new LaunchHooks;
  hooks->owner = owner.release();
  hooks->chain = chain.release();
}

} // namespace trisect::python
