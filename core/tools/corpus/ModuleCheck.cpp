//===- ModuleCheck.cpp - what one module of a corpus must survive ---------------------------------------===//
#include "core/tools/corpus/ModuleCheck.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Parse.h"
#include "core/passes/Passes.h"
#include "core/tools/corpus/ModuleCompare.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace trisect::corpus {

/// Reads `text` back; a difference from `module` is thrown.
static void reread(ModuleOp module, std::string_view text, const std::string &name, const char *form,
                   Locations locations = Locations::All) {
  std::string where = name + " as " + form;
  OwningOpRef<ModuleOp> again = tt::parseModule(text, where, *module.getContext());
  if (std::optional<std::string> difference = firstDifference(module, *again, locations))
    throw EngineError(where + ": read back, " + *difference);
}

static void checkRoundTrips(ModuleOp module, const std::string &name) {
  reread(module, tt::printModule(module), name, "custom", Locations::InCustomForm);
  reread(module, tt::printModule(module, {.generic = true}), name, "generic");
  reread(module, tt::printBytecode(module), name, "bytecode");
}

static void runPasses(ModuleOp module) {
  tt::DiagnosticCollector diagnostics(*module.getContext());
  PassManager passes(module.getContext());
  tt::buildTtirPipeline(passes);
  if (failed(passes.run(module)))
    diagnostics.throwInvalidInput("the pass pipeline failed");
}

Verdict checkModule(const ModuleText &text, MLIRContext &context) {
  Verdict verdict;
  try {
    OwningOpRef<ModuleOp> module = tt::parseModule(text.text, text.name, context);
    checkRoundTrips(*module, text.name);
    verdict.roundTrip = true;
    runPasses(*module);
    verdict.passes = true;
  } catch (const Error &error) {
    verdict.failure = text.name + ":\n" + error.what();
  }
  return verdict;
}

} // namespace trisect::corpus
