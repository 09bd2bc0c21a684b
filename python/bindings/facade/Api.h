//===- Api.h - marks what the shared library exports ----------------------------------------------------===//
//
// What: TRISECT_API, the visibility of classes and functions that another shared object may use.
// Why: everything in libtrisect is hidden except the facade, so that its MLIR never meets another MLIR in the
// process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_API_H
#define TRISECT_PYTHON_BINDINGS_FACADE_API_H

#define TRISECT_API __attribute__((visibility("default")))

#endif // TRISECT_PYTHON_BINDINGS_FACADE_API_H
