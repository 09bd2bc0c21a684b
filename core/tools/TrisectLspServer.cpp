//===- TrisectLspServer.cpp - .ttir in an editor --------------------------------------------------------===//
//
// What: a language server over standard input and output: diagnostics, hover, definitions and references in
// TTIR. Text that MLIR's parser must not see (core/ir/TextGuard) becomes a diagnostic, a message that is
// nested too deeply an error: both parsers descend without a limit. Limits: MLIR's server offers no place to
// look at text, so its calls of the two parsers are led here by the linker (--wrap).
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "core/ir/TextGuard.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/SourceMgr.h"

#define PARSE_SOURCE                                                                                         \
  "_ZN4mlir18parseAsmSourceFileERKN4llvm9SourceMgrEPNS_5BlockERKNS_12ParserConfigEPNS_14AsmParserStateEPNS_" \
  "28AsmParserCodeCompleteContextE"
#define PARSE_JSON "_ZN4llvm4json5parseENS_9StringRefE"

using Completion = mlir::AsmParserCodeCompleteContext;
using Json = llvm::Expected<llvm::json::Value>;

mlir::LogicalResult parseUnguarded(const llvm::SourceMgr &, mlir::Block *, const mlir::ParserConfig &,
                                   mlir::AsmParserState *, Completion *) asm("__real_" PARSE_SOURCE);
mlir::LogicalResult parseGuarded(const llvm::SourceMgr &, mlir::Block *, const mlir::ParserConfig &,
                                 mlir::AsmParserState *, Completion *) asm("__wrap_" PARSE_SOURCE);
Json parseAnyJson(llvm::StringRef) asm("__real_" PARSE_JSON);
Json parseJson(llvm::StringRef) asm("__wrap_" PARSE_JSON);

mlir::LogicalResult parseGuarded(const llvm::SourceMgr &sources, mlir::Block *block,
                                 const mlir::ParserConfig &config, mlir::AsmParserState *state,
                                 Completion *completion) {
  const llvm::MemoryBuffer &text = *sources.getMemoryBuffer(sources.getMainFileID());
  try {
    trisect::tt::guardText({text.getBufferIdentifier(), text.getBuffer()});
  } catch (const trisect::InvalidInput &error) {
    const trisect::SourcePosition &at = error.position();
    llvm::StringRef told = error.what(); // an editor shows place and line by itself
    told.consume_front(at.str());
    told.consume_front(": error: ");
    return mlir::emitError(
        mlir::FileLineColLoc::get(config.getContext(), text.getBufferIdentifier(), at.line, at.column),
        told.split('\n').first);
  }
  return parseUnguarded(sources, block, config, state, completion);
}

Json parseJson(llvm::StringRef text) {
  constexpr int deepest = 1000;
  int depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < text.size() && depth <= deepest; ++at) {
    char c = text[at];
    if (c == '\\')
      ++at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted)
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  if (depth > deepest)
    return llvm::createStringError("the message is nested more than 1000 deep");
  return parseAnyJson(text);
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
