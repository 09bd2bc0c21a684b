//===- Registry.h - the dialects of a TTIR module -------------------------------------------------------===//
//
// What: tt, ttg, arith, math, scf, cf, ub, and the parts of llvm and gpu that TTIR text names (assume, undef,
// loop annotations, barrier).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_REGISTRY_H
#define TRISECT_CORE_IR_REGISTRY_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace trisect::tt {

void registerAllDialects(mlir::DialectRegistry &registry);
/// Registers all and loads those that nearly every module uses; llvm, gpu and ttg load when a module names
/// them.
void loadDialects(mlir::MLIRContext &context);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_REGISTRY_H
