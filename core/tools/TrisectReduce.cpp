//===- TrisectReduce.cpp - shrinks a failing module -----------------------------------------------------===//
//
// What: mlir-reduce for TTIR. A script decides whether a smaller module still fails in the same way: it gets
// a file name and exits with 1 if so (docs/passes.md has an example).
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "core/tools/ReductionPatterns.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  trisect::tt::registerReductionPatterns(registry);
  trisect::tt::registerPasses();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
