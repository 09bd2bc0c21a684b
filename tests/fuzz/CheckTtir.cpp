//===- CheckTtir.cpp - what must hold for any text whatever ---------------------------------------------===//
#include "tests/fuzz/CheckTtir.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace trisect::fuzz {

namespace {
constexpr size_t longestText = 64 << 10;
/// Types and attributes of a context live as long as it does.
constexpr int inputsPerContext = 500;

MLIRContext &freshContext() {
  static std::unique_ptr<MLIRContext> context;
  static int inputs = 0;
  if (!context || ++inputs % inputsPerContext == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    tt::loadDialects(*context);
  }
  return *context;
}

std::optional<std::string> checkRoundTrip(ModuleOp module, MLIRContext &context) {
  for (bool generic : {false, true}) {
    std::string printed = tt::printModule(module, {.locations = true, .generic = generic});
    try {
      std::string again = tt::printModule(*tt::parseModule(printed, "printed", context),
                                          {.locations = true, .generic = generic});
      if (again != printed)
        return "reads back differently:\n" + printed + "\n----\n" + again;
    } catch (const InvalidInput &error) {
      return std::string("does not read back: ") + error.what() + "\n" + printed;
    }
  }
  return std::nullopt;
}

std::optional<std::string> checkPasses(ModuleOp module, MLIRContext &context) {
  tt::DiagnosticCollector diagnostics(context);
  PassManager passes(&context);
  passes.enableVerifier(false);
  tt::buildLegalizePipeline(passes);
  tt::buildTtirPipeline(passes);
  passes.addPass(createSCCPPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  if (failed(passes.run(module)))
    return std::nullopt; // a pass may refuse, but not break
  if (failed(verify(module)))
    return "broken by the passes:\n" + tt::printModule(module, {.generic = true});
  return std::nullopt;
}
} // namespace

std::optional<std::string> checkTtir(std::string_view text) {
  if (text.size() > longestText)
    return std::nullopt;
  MLIRContext &context = freshContext();
  OwningOpRef<ModuleOp> module;
  try {
    module = tt::parseModule(text, "input", context);
  } catch (const InvalidInput &) {
    return std::nullopt;
  }
  if (auto problem = checkRoundTrip(*module, context))
    return problem;
  return checkPasses(*module, context);
}

} // namespace trisect::fuzz
