//===- Parse.cpp - TTIR text and bytecode to modules, and back ------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/DiagnosticCollector.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace trisect::tt {

OwningOpRef<ModuleOp> parseModule(std::string_view text, std::string_view name, MLIRContext &context) {
  SourceText source{name, text};
  DiagnosticCollector diagnostics(context);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(&context));
  if (!module)
    diagnostics.throwInvalidInput("expected a TTIR module", source);
  return module;
}

OwningOpRef<ModuleOp> parseModuleFile(const std::string &path, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    throw InvalidInput(path + ": error: cannot read the file: " + buffer.getError().message());
  return parseModule((*buffer)->getBuffer(), path, context);
}

void verifyModule(ModuleOp module) {
  DiagnosticCollector diagnostics(*module.getContext());
  if (failed(verify(module)))
    diagnostics.throwInvalidInput("the module breaks a rule of TTIR");
}

std::string printModule(ModuleOp module, PrintOptions options) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(options.locations);
  if (options.generic)
    flags.printGenericOpForm();
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, flags);
  out << "\n";
  return text;
}

std::string printBytecode(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (failed(writeBytecodeToFile(module, out)))
    throw EngineError("the module cannot be written as bytecode");
  return bytes;
}

} // namespace trisect::tt
