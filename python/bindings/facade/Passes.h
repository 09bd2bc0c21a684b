//===- Passes.h - what a pipeline may name --------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_PASSES_H
#define TRISECT_PYTHON_BINDINGS_FACADE_PASSES_H

namespace trisect::ir {

/// Registers the passes of MLIR and of TTIR, once in a process.
void registerPasses();

} // namespace trisect::ir

#endif // TRISECT_PYTHON_BINDINGS_FACADE_PASSES_H
