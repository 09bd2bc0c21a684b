//===- TrisectOpt.cpp - runs passes on TTIR text --------------------------------------------------------===//
//
// What: mlir-opt for TTIR.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "TTIR optimiser\n", registry));
}
