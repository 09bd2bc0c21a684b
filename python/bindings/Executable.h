//===- Executable.h - what a launch ends in -------------------------------------------------------------===//
//
// What: the interface between the launch path and whatever runs a kernel.
// Why: the launch path is measured and tested without a tier behind it, and tiers need not know Python.
// Limits: launch() runs without the GIL; an implementation that needs it takes it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_EXECUTABLE_H
#define TRISECT_PYTHON_BINDINGS_EXECUTABLE_H

#include "core/support/Launch.h"
#include <pybind11/pybind11.h>

namespace trisect::python {

class Executable {
public:
  virtual ~Executable() = default;
  /// Whether launch() looks at the views behind pointer arguments; they cost time to collect.
  virtual bool wantsTensors() const = 0;
  /// Whether launch() runs long enough to be worth giving up the GIL.
  virtual bool releasesGil() const = 0;
  virtual void launch(const LaunchRequest &request) = 0;
};

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
  bool releasesGil() const override { return true; }
  void launch(const LaunchRequest &) override {}
};

/// launch() with the GIL released where that pays.
void launch(Executable &executable, const LaunchRequest &request);

void bindExecutables(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_EXECUTABLE_H
