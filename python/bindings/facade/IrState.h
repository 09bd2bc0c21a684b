//===- IrState.h - what the handles of Ir.h stand on ----------------------------------------------------===//
//
// What: owned MLIR contexts and modules, and the checks that every handle passes on its way to MLIR.
// Why: one place decides whether a handle may be followed.
// Limits: internal to the facade; the only header here that sees MLIR.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_IRSTATE_H
#define TRISECT_PYTHON_BINDINGS_FACADE_IRSTATE_H

#include "core/ir/GuardedContext.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "python/bindings/facade/Ir.h"
#include <atomic>

namespace trisect::ir {

struct ContextState {
  tt::GuardedContext mlir;
  /// True while a thread works on the context without the caller's lock.
  std::atomic<bool> busy = false;
};

struct ModuleState {
  ModuleState(ContextPtr context, mlir::ModuleOp module);
  ~ModuleState();
  ModuleState(const ModuleState &) = delete;

  /// Throws if something in the module uses a value that was erased or never placed.
  void checkNothingEscapes();
  mlir::Block *parkedOps() { return &(*parking)->getRegion(0).front(); }
  mlir::Region *parkedBlocks() { return &(*parking)->getRegion(0); }

  ContextPtr context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// A module outside of `module`: its first block holds erased operations, the others are erased or
  /// unplaced.
  mlir::OwningOpRef<mlir::ModuleOp> parking;
  uint64_t epoch = 0;
  size_t operations = 0; ///< that builders have made
};

/// Claims a context for work without the caller's lock.
class BusyScope {
public:
  explicit BusyScope(ContextState &context);
  ~BusyScope() { context.busy.store(false); }
  BusyScope(const BusyScope &) = delete;

private:
  ContextState &context;
};

mlir::MLIRContext *mlirContext(const ContextPtr &context);
inline mlir::MLIRContext *mlirContext(const Context &context) { return mlirContext(context.state); }

mlir::Type unwrap(const Type &type);
mlir::Attribute unwrap(const Attribute &attribute);
mlir::Location unwrap(const Location &location);
mlir::Value unwrap(const Value &value);
mlir::Block *unwrap(const Block &block);
mlir::Region *unwrap(const Region &region);
mlir::Operation *unwrap(const Operation &operation);

inline Type wrap(const ContextPtr &context, mlir::Type type) {
  return {{context, type.getAsOpaquePointer()}};
}
inline Attribute wrap(const ContextPtr &context, mlir::Attribute attribute) {
  return {{context, attribute.getAsOpaquePointer()}};
}
inline Location wrapLocation(const ContextPtr &context, mlir::Location location) {
  return {{context, location.getAsOpaquePointer()}};
}
inline Value wrap(const ModulePtr &module, mlir::Value value) {
  return {{module, value.getAsOpaquePointer(), module->epoch}};
}
inline Block wrap(const ModulePtr &module, mlir::Block *block) { return {{module, block, module->epoch}}; }
inline Region wrap(const ModulePtr &module, mlir::Region *region) {
  return {{module, region, module->epoch}};
}
inline Operation wrap(const ModulePtr &module, mlir::Operation *operation) {
  return {{module, operation, module->epoch}};
}
inline Function wrapFunction(const ModulePtr &module, mlir::Operation *operation) {
  return {{{module, operation, module->epoch}}};
}

/// Throws unless both belong to one context, respectively one module.
void requireContext(const ContextPtr &expected, const Uniqued &found, const char *what);
void requireModule(const ModulePtr &expected, const InModule &found, const char *what);

SourcePosition filePosition(mlir::Location location);

} // namespace trisect::ir

#endif // TRISECT_PYTHON_BINDINGS_FACADE_IRSTATE_H
