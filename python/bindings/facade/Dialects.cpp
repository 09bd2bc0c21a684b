//===- Dialects.cpp - registration of dialects and passes -----------------------------------------------===//
#include "python/bindings/facade/Dialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include <mutex>

namespace trisect::ir {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::ub::UBDialect>();
}

void registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] { mlir::registerTransformsPasses(); });
}

} // namespace trisect::ir
