//===- Dialects.h - what TTIR is made of ----------------------------------------------------------------===//
//
// What: registers the dialects of TTIR, and (once in a process) the passes a pipeline may name.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_DIALECTS_H
#define TRISECT_PYTHON_BINDINGS_FACADE_DIALECTS_H

namespace mlir {
class DialectRegistry;
}

namespace trisect::ir {

void registerDialects(mlir::DialectRegistry &registry);
void registerPasses();

} // namespace trisect::ir

#endif // TRISECT_PYTHON_BINDINGS_FACADE_DIALECTS_H
