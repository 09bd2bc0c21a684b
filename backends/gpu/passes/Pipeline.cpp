//===- Pipeline.cpp - from TTIR to tile IR --------------------------------------------------------------===//
#include "backends/gpu/passes/Pipeline.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/passes/AssignLayouts.h"
#include "backends/gpu/passes/NarrowBranches.h"
#include "backends/gpu/passes/PackShared.h"
#include "backends/gpu/passes/PipelineLoads.h"
#include "backends/gpu/passes/PlaceBarriers.h"
#include "backends/gpu/passes/ShareWithBranches.h"
#include "backends/gpu/passes/SplitOnSign.h"
#include "backends/gpu/passes/StageOperands.h"
#include "core/ir/CallLimits.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Locations.h"
#include "core/ir/Refusals.h"
#include "core/passes/DumpInstrumentation.h"
#include "core/passes/Passes.h"
#include "core/support/Outcome.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <bit>

using namespace mlir;

namespace trisect::gpu {

namespace {
/// What one program can have, after what the system keeps.
int64_t sharedOf(llvm::StringRef target) {
  unsigned capability = 0;
  if (!target.consume_front("cuda:") || target.getAsInteger(10, capability))
    throw InvalidInput("expected a target such as cuda:90, but found '" + target.str() + "'");
  if (capability == 86 || capability == 89 || capability >= 120)
    return 101376;
  return capability >= 90 ? 232448 : 166912;
}

tt::FuncOp find(ModuleOp module, std::string_view kernel) {
  auto function = module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
  if (!function || function.isDeclaration())
    throw InvalidInput("the module has no kernel '" + std::string(kernel) + "'");
  return function;
}

void run(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build, const char *what) {
  tt::DiagnosticCollector diagnostics(*module.getContext());
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  build(passes);
  std::unique_ptr<DumpSink> shown = tt::showPassesIfAsked(passes, module);
  if (failed(passes.run(module)))
    throw Unsupported(std::string("gpu: ") + what + " failed\n" + diagnostics.render());
}

/// What the op table gives to no tier.
void refuse(tt::FuncOp kernel, Tiers tiers) {
  if (Operation *op = tt::firstOf(kernel, tiers))
    throw Unsupported("the cuda tier cannot run '" + op->getName().getStringRef().str() +
                          "': " + tt::refusalOf(op),
                      tt::positionOf(op->getLoc()));
}

/// That, and what the passes before left.
void refuseUnknown(tt::FuncOp kernel) {
  for (Tiers tiers : {Tiers::Foreign, Tiers::Inlined})
    refuse(kernel, tiers);
  Operation *left = nullptr;
  kernel.walk([&](Operation *op) {
    if (!left && isa<tt::MakeTensorDescOp, UnrealizedConversionCastOp>(op))
      left = op;
  });
  if (left)
    throw Unsupported("gpu: " + left->getName().getStringRef().str() + " is not supported",
                      tt::positionOf(left->getLoc()));
}

/// Other kernels of the module would only cost time.
void keepOnly(ModuleOp module, tt::FuncOp kernel) {
  for (auto function : llvm::make_early_inc_range(module.getOps<tt::FuncOp>()))
    if (function != kernel && function.isPublic())
      function.setPrivate();
}
} // namespace

tt::FuncOp simplifyForTiles(ModuleOp module, std::string_view kernel) {
  keepOnly(module, find(module, kernel));
  refuse(find(module, kernel), Tiers::Foreign); // which the passes cannot take apart
  if (failed(tt::checkCallLimits(module)))
    throw Unsupported("gpu: the kernel is too large");
  // Compiled code has no calls: whether one may be inlined changes nothing but its text.
  module.walk([](tt::FuncOp function) { function->removeAttr(tt::kNoInlineAttr); });
  run(
      module,
      [](OpPassManager &passes) {
        passes.addPass(tt::createDropUnreachable());
        passes.addPass(tt::createHideExtremes());
        passes.addPass(createInlinerPass());
        passes.addPass(createSymbolDCEPass());
        passes.addPass(tt::createTritonRewriteTensorDescriptorToPointer());
        passes.addPass(tt::createTritonRewriteTensorPointer());
        passes.addPass(createCanonicalizerPass());
        passes.addPass(tt::createTritonCombine());
        passes.addPass(tt::createTritonReorderBroadcast());
        passes.addPass(createCSEPass());
        passes.addPass(tt::createTritonLoopUnroll());
        passes.addPass(createLoopInvariantCodeMotionPass());
        passes.addPass(createCSEPass());
        passes.addPass(tt::createShowExtremes());
      },
      "simplifying the kernel");
  tt::FuncOp function = find(module, kernel);
  refuseUnknown(function);
  return function;
}

tt::FuncOp runTilePipeline(ModuleOp module, std::string_view kernel, const TileOptions &options) {
  if (options.warps < 1 || !std::has_single_bit(static_cast<uint32_t>(options.warps)) || options.warps > 32)
    throw InvalidInput("num_warps must be a power of two from 1 to 32, not " + std::to_string(options.warps));
  module.getContext()->loadDialect<TileDialect>();
  tt::FuncOp function = simplifyForTiles(module, kernel);
  Builder builder(module.getContext());
  function->setAttr(kWarpsAttr, builder.getI32IntegerAttr(options.warps));
  function->setAttr(kTargetAttr, builder.getStringAttr(options.target));
  splitOnSign(function);
  narrowBranches(function, options.warps);
  assignLayouts(function, {options.warps, 32});
  run(module, [](OpPassManager &passes) { passes.addPass(createCSEPass()); }, "merging equal blocks");
  shareWithBranches(function);
  stageOperands(function);
  int64_t mostShared = options.mostShared ? options.mostShared : sharedOf(options.target);
  pipelineLoads(function, options.stages, mostShared);
  packShared(function, mostShared);
  placeBarriers(function);
  return function;
}

} // namespace trisect::gpu
