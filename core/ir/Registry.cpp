//===- Registry.cpp - the dialects of a TTIR module -----------------------------------------------------===//
#include "core/ir/Registry.h"
#include "core/ir/Dialect.h"
#include "core/ir/GpuDialect.h"
#include "core/ir/MathFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace trisect::tt {

void registerAllDialects(DialectRegistry &registry) {
  registry.insert<TTDialect, ttg::TTGDialect, arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, MathFunctions, scf::SCFDialect, ub::UBDialect>();
}

void loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<TTDialect>(); // and with it arith, cf, math, scf, ub
  // A message says what was found; the whole operation beside it would only be noise.
  context.printOpOnDiagnostic(false);
}

} // namespace trisect::tt
