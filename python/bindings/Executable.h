//===- Executable.h - executables in Python -------------------------------------------------------------===//
//
// What: launches that give up the GIL where that pays, and two executables without a tier behind them.
// Why: the launch path is measured and tested alone.
// Limits: launch() of an executable that releases the GIL runs without it; one that needs it takes it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_EXECUTABLE_H
#define TRISECT_PYTHON_BINDINGS_EXECUTABLE_H

#include "core/support/Executable.h"
#include <pybind11/pybind11.h>

namespace trisect::python {

/// Runs a Python callable as `callable((x, y, z), [argument bits], stream)`: for tests and tools.
class CallbackExecutable : public Executable {
public:
  explicit CallbackExecutable(pybind11::object callable) : callable(std::move(callable)) {}
  bool wantsTensors() const override { return false; }
  bool releasesGil() const override { return false; }
  void launch(const LaunchRequest &request) override;

private:
  pybind11::object callable;
};

/// Does nothing: what remains when it is launched is the cost of launching.
class EmptyExecutable : public Executable {
public:
  bool wantsTensors() const override { return false; }
  void launch(const LaunchRequest &) override {}
};

/// launch() with the GIL released where that pays.
void launch(Executable &executable, const LaunchRequest &request);
/// The same for launchWithoutTensors().
bool launchWithoutTensors(Executable &executable, const LaunchRequest &request);

void bindExecutables(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_EXECUTABLE_H
