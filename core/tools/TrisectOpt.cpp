//===- TrisectOpt.cpp - runs passes on TTIR text --------------------------------------------------------===//
//
// What: mlir-opt for TTIR, of any release: text is read as parseModule() reads it. A file gets its output
// when all went well, so that it may be the input. Limits: with -split-input-file, -verify-diagnostics or
// -run-reproducer text goes to MLIR's own reader, which knows the canonical spelling and not what reading
// upgrades.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/TextGuard.h"
#include "core/passes/Passes.h"
#include "core/tools/MlirCommandLine.h"
#include "core/tools/TestPrintAxisInfo.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace mlir;

static llvm::cl::opt<std::string> inputName(llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                            llvm::cl::init("-"));
static llvm::cl::opt<std::string> outputName("o", llvm::cl::desc("Output file (default: standard output)"),
                                             llvm::cl::value_desc("file"), llvm::cl::init("-"));

static std::unique_ptr<llvm::MemoryBuffer> readInput() {
  auto input =
      llvm::MemoryBuffer::getFileOrSTDIN(inputName, /*IsText=*/false, /*RequiresNullTerminator=*/true);
  if (!input)
    throw trisect::InvalidInput("cannot read '" + inputName + "': " + input.getError().message());
  return std::move(*input);
}

/// The module in bytecode, which keeps every location.
static std::unique_ptr<llvm::MemoryBuffer> asBytecode(const llvm::MemoryBuffer &input) {
  MLIRContext context;
  trisect::tt::loadDialects(context);
  auto module = trisect::tt::parseModule(input.getBuffer(), input.getBufferIdentifier(), context);
  return llvm::MemoryBuffer::getMemBufferCopy(trisect::tt::printBytecode(*module),
                                              input.getBufferIdentifier());
}

static int run(int argc, char **argv) {
  DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  trisect::tt::registerPasses();
  trisect::tt::registerTestPrintAxisInfo();
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  tracing::DebugCounter::registerCLOptions();
  trisect::tt::readMlirCommandLine("trisect-opt", argc, argv, "TTIR optimiser\n");
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::unique_ptr<llvm::MemoryBuffer> input = readInput();
  if (!config.shouldVerifyDiagnostics() && !config.shouldRunReproducer() && config.inputSplitMarker().empty())
    input = asBytecode(*input);
  else if (!isBytecode(*input)) // MLIR's reader descends without a limit
    trisect::tt::guardText({input->getBufferIdentifier(), input->getBuffer()});
  std::string text;
  llvm::raw_string_ostream output(text);
  bool good = succeeded(MlirOptMain(output, std::move(input), registry, config));
  if (good || outputName == "-")
    trisect::tt::writeOutput(outputName, text);
  return good ? 0 : 1;
}

int main(int argc, char **argv) {
  trisect::holdStandardStreams();
  llvm::InitLLVM init(argc, argv);
  if (argc < 2 && isatty(STDIN_FILENO)) {
    llvm::errs() << "usage: trisect-opt [FILE.ttir] [-o FILE] [-PASS]...\n"
                    "Without FILE, or with -, it reads standard input. --help lists passes and options.\n";
    return 2;
  }
  return trisect::guardTool({"trisect-opt", "", /*problem=*/1}, [&] { return run(argc, argv); });
}
