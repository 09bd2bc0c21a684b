//===- Pipelines.cpp - registration, named pipelines, running by name -----------------------------------===//
#include "core/ir/CallLimits.h"
#include "core/passes/DumpInstrumentation.h"
#include "core/passes/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <optional>

namespace trisect::tt {

namespace {
#define GEN_PASS_REGISTRATION
#include "core/passes/Passes.h.inc"
} // namespace

void buildTtirPipeline(mlir::OpPassManager &manager) {
  manager.addPass(createHideExtremes());
  manager.addPass(mlir::createInlinerPass());
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(createTritonCombine());
  manager.addPass(createTritonReorderBroadcast());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(mlir::createSymbolDCEPass());
  manager.addPass(createTritonLoopUnroll());
  manager.addPass(createShowExtremes());
}

void buildLegalizePipeline(mlir::OpPassManager &manager) {
  manager.addPass(createDropUnreachable());
  manager.addPass(mlir::createSymbolDCEPass());
}

void registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerCorePasses();
    mlir::registerTransformsPasses();
    mlir::PassPipelineRegistration<>("ttir-pipeline", "TTIR as the stage `ttir` of a compiled kernel",
                                     buildTtirPipeline);
    mlir::PassPipelineRegistration<>("legalize", "what every tier needs and nothing more",
                                     buildLegalizePipeline);
  });
}

mlir::LogicalResult runPipeline(mlir::ModuleOp module, llvm::ArrayRef<std::string> passes) {
  registerPasses();
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  mlir::PassManager manager(module.getContext(), module.getOperationName());
  if (failed(mlir::parsePassPipeline(llvm::join(passes, ","), manager, stream)))
    return module.emitError("cannot run these passes: ") << llvm::StringRef(stream.str()).trim();
  if (failed(checkCallLimits(module)))
    return mlir::failure();
  std::unique_ptr<DumpSink> sink = showPassesIfAsked(manager, module);
  return manager.run(module);
}

} // namespace trisect::tt
