//===- TrisectOpt.cpp - runs passes on TTIR text --------------------------------------------------------===//
//
// What: mlir-opt for TTIR, of any release: text is read as parseModule() reads it.
// Limits: with -split-input-file, -verify-diagnostics or -run-reproducer text goes to MLIR's own reader,
// which knows the canonical spelling and not what reading upgrades.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "core/tools/TestPrintAxisInfo.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// The module in bytecode, which keeps every location.
static std::unique_ptr<llvm::MemoryBuffer> readAsBytecode(const llvm::MemoryBuffer &input) {
  MLIRContext context;
  trisect::tt::loadDialects(context);
  auto module = trisect::tt::parseModule(input.getBuffer(), input.getBufferIdentifier(), context);
  return llvm::MemoryBuffer::getMemBufferCopy(trisect::tt::printBytecode(*module),
                                              input.getBufferIdentifier());
}

static LogicalResult run(int argc, char **argv) {
  DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  trisect::tt::registerPasses();
  trisect::tt::registerTestPrintAxisInfo();
  auto [inputName, outputName] = registerAndParseCLIOptions(argc, argv, "TTIR optimiser", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string error;
  auto input = openInputFile(inputName, &error);
  auto output = input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (!config.shouldVerifyDiagnostics() && !config.shouldRunReproducer() && config.inputSplitMarker().empty())
    input = readAsBytecode(*input);
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  try {
    return asMainReturnCode(run(argc, argv));
  } catch (const trisect::Error &error) {
    llvm::errs() << error.what();
    return 1;
  }
}
