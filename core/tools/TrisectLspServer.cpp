//===- TrisectLspServer.cpp - .ttir in an editor --------------------------------------------------------===//
//
// What: a language server over standard input and output: diagnostics, hover, definitions and references in
// TTIR.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
