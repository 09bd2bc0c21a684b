//===- Launcher.h - CompiledKernel.run ------------------------------------------------------------------===//
//
// What: a callable `(grid_0, grid_1, grid_2, stream, function, packed_metadata, launch_metadata, enter_hook,
// exit_hook, *args)`, where args holds every parameter of the kernel in order and each is read by its type in
// the signature, never by its own. Why: generated launchers of client libraries call a kernel in exactly this
// way.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_LAUNCHER_H
#define TRISECT_PYTHON_BINDINGS_LAUNCHER_H

#include <pybind11/pybind11.h>

namespace trisect::python {

void bindLauncher(pybind11::module_ &module);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_LAUNCHER_H
