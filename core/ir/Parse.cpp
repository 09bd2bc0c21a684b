//===- Parse.cpp - TTIR text and bytecode to modules, and back ------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/SourceRewrite.h"
#include "core/ir/TextGuard.h"
#include "core/ir/Upgrade.h"
#include "core/ir/UseOrder.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace trisect::tt {

/// Text may spell what MLIR's parser does not know; bytecode is ours.
static std::unique_ptr<llvm::MemoryBuffer> readableBuffer(std::string_view text, std::string_view name) {
  if (!isBytecode(llvm::MemoryBufferRef(text, name)))
    if (std::optional<std::string> rewritten = rewriteSource(text))
      return llvm::MemoryBuffer::getMemBufferCopy(*rewritten, name);
  return llvm::MemoryBuffer::getMemBufferCopy(text, name);
}

OwningOpRef<ModuleOp> parseModule(std::string_view text, std::string_view name, MLIRContext &context,
                                  ParseOptions options) {
  SourceText source{name, text};
  if (!isBytecode(llvm::MemoryBufferRef(text, name)))
    guardText(source);
  DiagnosticCollector diagnostics(context, withSourceNames);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(readableBuffer(text, name), llvm::SMLoc());
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sourceMgr, config);
  if (!module || failed(upgradeModule(*module)) || failed(verify(*module)) || failed(verifyUseOrder(*module)))
    diagnostics.throwInvalidInput("expected a TTIR module", source);
  settleImpliedLocations(*module, name);
  if (options.fnuzMeansFn)
    replaceFnuzByFn(*module);
  return module;
}

OwningOpRef<ModuleOp> parseModuleFile(const std::string &path, MLIRContext &context, ParseOptions options) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    throw InvalidInput(path + ": error: cannot read the file: " + buffer.getError().message());
  return parseModule((*buffer)->getBuffer(), path, context, options);
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
