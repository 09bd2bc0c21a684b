//===- Dispatcher.h - the warm launch of a jit function -------------------------------------------------===//
//
// What: for one jit function, finds the kernel that a launch's arguments ask for and launches it, without
// making any Python object. What it has not seen is left to JITFunction.run, which compiles and then teaches
// it. Limits: a table belongs to a generation: whatever changes what a launch means (an edited source,
// another driver, a knob) ends the generation and with it every table.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_DISPATCHER_H
#define TRISECT_PYTHON_BINDINGS_DISPATCHER_H

#include "python/bindings/ArgumentPattern.h"
#include "python/bindings/Arguments.h"
#include "python/bindings/Counted.h"
#include "python/bindings/Executable.h"
#include "python/bindings/Specialize.h"
#include "python/bindings/Views.h"
#include <memory>
#include <unordered_map>

namespace trisect::python {

/// Ends the current generation of all tables.
void endGeneration();
/// The runtime knobs, whose launch hooks send launches the slow way, and the class of a chain of hooks. Where
/// a hook is replaced, or the list of a chain is, the generation ends.
void setHookOwner(pybind11::object owner, pybind11::object chain);

class Dispatcher {
public:
  struct Parameter {
    pybind11::object name; ///< interned
    std::string text;      ///< the same
    ParameterRules rules;
    pybind11::object defaultValue; ///< null: none
    bool keywordOnly = false;
  };

  /// `preRunHooks` is the function's list of hooks; while it has any, every launch goes the slow way.
  Dispatcher(std::vector<Parameter> parameters, pybind11::list preRunHooks);

  /// The kernel that was launched, or null if the slow path must do it. Keyword names are `names`, their
  /// values follow the positional ones.
  pybind11::object launch(PyObject *grid, PyObject *const *args, Py_ssize_t positional, PyObject *names);

  /// Teaches the kernel for these arguments. `slots` holds the type of each leaf of the parameters that are
  /// not constexpr, `constexpr` for one that the kernel does not take.
  void remember(PyObject *const *args, Py_ssize_t positional, PyObject *names,
                const std::vector<std::string> &slots, pybind11::object executable, pybind11::object kernel);

  /// Globals that the kernels read: (dictionary, name, value) each. When one has another value, launches go
  /// the slow way, which compiles anew.
  void watch(pybind11::list globals) { watched = std::move(globals); }

  size_t size() const { return count; }

  /// For Python's collector: kernels refer to the function that owns this table.
  int traverse(visitproc visit, void *argument) const;
  void clear();

private:
  /// An argument that the kernel takes: which leaf, and the bits of it, if that is all it needs.
  struct Taken {
    size_t leaf = 0;
    uint64_t mask = 0;
    uint64_t below = 0, span = 0; ///< Slot's
  };
  struct Entry {
    ~Entry();
    std::vector<uint64_t> words;
    std::vector<PyObject *> held; ///< by the words, each with a reference of its own
    std::vector<Slot> slots;      ///< one for each leaf
    std::vector<LeafFacts> facts; ///< likewise
    std::vector<Taken> taken;
    ArgumentPattern pattern;          ///< of the call that taught it
    std::vector<uint16_t> argumentOf; ///< by parameter, as in Given
    DeviceId device;                  ///< where its tensors are; the host without any
    bool hasFloats = false;           ///< some of what is taken is more than bits of a leaf
    pybind11::object owner;
    Executable *executable = nullptr;
    pybind11::object kernel;
    bool wantsTensors = true; ///< the last launch did
    unsigned withTensors = 0; ///< launches since it was asked whether it still does
    /// The tensors of the last launch like the one that taught it; lent while one runs.
    std::vector<TensorView> views;
    size_t viewCount = 0;
    unsigned users = 0;
  };
  using EntryPtr = Counted<Entry>;
  struct Call;
  struct ViewCollector;

  size_t positionOf(PyObject *name) const;
  ArgumentPattern patternOf(Entry &entry, const Call &call, PyObject *const *args,
                            const CallShape &shape) const;
  std::vector<TensorView> viewsOf(const Entry &entry) const;
  static bool stillWantsTensors(Entry &entry);
  /// A grid as it was given, or what it said: a function is asked once a launch.
  struct AskedGrid {
    PyObject *grid; ///< null: it raised, and the slow way says of which kernel
    pybind11::object answer;
  };
  pybind11::object ask(PyObject *grid, PyObject *const *values) const;
  void askLike(AskedGrid &grid, const Entry &entry, PyObject *const *args) const;
  /// Launches the entry's kernel if the call is like the one that taught it; else nothing has run.
  bool launchLike(Entry &entry, AskedGrid &grid, PyObject *const *args, const CallShape &shape);
  pybind11::object launchByKey(AskedGrid &grid, PyObject *const *args, const CallShape &shape);
  bool bind(Call &call, PyObject *const *args, Py_ssize_t positional, PyObject *names);
  EntryPtr find(const WarmKey &key);
  /// False if an argument has no layout that can be read.
  bool launchWithTensors(const Entry &entry, const Call &call, LaunchRequest &request);
  void collectViews(ViewList &views, const Entry &entry, const Call &call) const;
  bool globalsAreTheSame() const;
  void checkGeneration();
  void forget();

  std::vector<Parameter> parameters; ///< those by keyword only are the last
  std::vector<ParameterRules> rules; ///< theirs
  size_t positionalCount = 0;
  pybind11::list preRunHooks;
  pybind11::list watched;
  std::unordered_map<uint64_t, std::vector<EntryPtr>> table;
  EntryPtr last;
  std::vector<TensorView> spareViews;
  size_t count = 0;
  uint64_t generation = 0;
};

void bindDispatcher(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_DISPATCHER_H
