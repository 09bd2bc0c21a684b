//===- Compile.cpp - the stages of tier 1 ---------------------------------------------------------------===//
#include "backends/cpu/Compile.h"
#include "backends/cpu/ConvertToLlvm.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/SourceLines.h"
#include "backends/cpu/Structure.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/orc/ObjectCompiler.h"
#include "backends/cpu/runtime/Function.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/KernelLimits.h"
#include "core/ir/Ops.h"
#include "core/ir/Refusals.h"
#include "core/passes/DumpInstrumentation.h"
#include "core/passes/PassWatch.h"
#include "core/passes/Passes.h"
#include "core/support/Outcome.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
template <class T, class... Rest> std::string textOf(T &&thing, Rest... rest) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  thing.print(stream, rest...);
  return text;
}

std::string_view nameOf(tt::FuncOp kernel) { return {kernel.getName().data(), kernel.getName().size()}; }
} // namespace

tt::FuncOp findKernel(ModuleOp module, std::string_view kernel) {
  auto function = module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
  if (!function || function.isDeclaration())
    throw InvalidInput("the module has no kernel '" + std::string(kernel) + "'");
  return function;
}

tt::FuncOp prepare(ModuleOp module, std::string_view kernel) {
  tt::FuncOp function = findKernel(module, kernel);
  tt::checkKernelLimits(module, function);
  // A descriptor is one argument of a launch but several values afterwards.
  SmallVector<int32_t> ranks;
  for (Type type : function.getArgumentTypes()) {
    auto descriptor = dyn_cast<tt::TensorDescType>(type);
    ranks.push_back(descriptor ? static_cast<int32_t>(descriptor.getBlockType().getRank()) : 0);
  }
  function->setAttr(descriptorRanksAttr, DenseI32ArrayAttr::get(module.getContext(), ranks));
  tt::DiagnosticCollector diagnostics(*module.getContext());
  if (Operation *foreign = tt::firstOf(module, Tiers::Foreign))
    unsupported(foreign, tt::refusalOf(foreign));
  PassManager first(module.getContext(), ModuleOp::getOperationName());
  first.enableVerifier(false);
  first.addPass(tt::createDropUnreachable());
  first.addPass(tt::createRequireDefined());
  tt::PassWatch::watched(first);
  std::unique_ptr<DumpSink> shown = tt::showPassesIfAsked(first, module);
  if (failed(first.run(module)) || failed(structureControlFlow(module)))
    throw EngineError("cpu: giving the kernel structure failed\n" + diagnostics.render());
  tt::PassWatch::tell("structure-control-flow", module);
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  // Compiled code has no calls: whether one may be inlined changes nothing but its text.
  bool calls = false;
  module.walk([&](Operation *op) {
    if (isa<tt::FuncOp>(op))
      op->removeAttr(tt::kNoInlineAttr);
    calls |= isa<tt::CallOp>(op);
  });
  passes.addPass(tt::createHideExtremes());
  if (calls) {
    passes.addPass(createInlinerPass());
    passes.addPass(createSymbolDCEPass());
  }
  passes.addPass(tt::createTritonRewriteTensorDescriptorToPointer());
  passes.addPass(tt::createTritonRewriteTensorPointer());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  passes.addPass(tt::createShowExtremes());
  tt::PassWatch::watched(passes);
  shown = tt::showPassesIfAsked(passes, module);
  if (failed(passes.run(module)))
    throw EngineError("cpu: simplifying the kernel failed\n" + diagnostics.render());
  return module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
}

void requireNoRuntime(ModuleOp module) {
  Operation *user = nullptr;
  module.walk([&](Operation *op) {
    bool calls = isa<tt::PrintOp>(op);
    if (auto function = dyn_cast<tt::ExternElementwiseOp>(op))
      calls = findRuntimeFunction({function.getSymbol().data(), function.getSymbol().size()}).has_value();
    if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
      calls = assembly.getAsmString().contains("clock") || assembly.getAsmString().contains("globaltimer");
    if (calls)
      user = op;
  });
  if (user)
    unsupported(user, "in code that leaves this process");
}

CompiledObject compileKernel(tt::FuncOp kernel, const Machine &machine, CodeForm form, DumpSink &dump) {
  LoweredKernel lowered = lowerToVectors(kernel, machine, form.disjoint);
  if (dump.wants(DumpKind::Text))
    dump.write(DumpKind::Text, "plan", lowered.plan);
  if (dump.wants(DumpKind::Mlir))
    dump.write(DumpKind::Mlir, "vectors", textOf(*lowered.module));
  convertToLlvmDialect(*lowered.module);
  if (form.lines)
    describeSource(*lowered.module, nameOf(kernel));
  if (dump.wants(DumpKind::Mlir))
    dump.write(DumpKind::Mlir, "llvm-dialect", textOf(*lowered.module));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateToLlvmIr(*lowered.module, context);
  if (dump.wants(DumpKind::LlvmIr))
    dump.write(DumpKind::LlvmIr, "llvm", textOf(*module, nullptr));
  optimize(*module, machine);
  if (dump.wants(DumpKind::LlvmIr))
    dump.write(DumpKind::LlvmIr, "llvm-optimized", textOf(*module, nullptr));
  if (dump.wants(DumpKind::Assembly)) // code generation uses a module up
    dump.write(DumpKind::Assembly, "asm", compileToAssembly(*llvm::CloneModule(*module), machine));
  CompiledObject result{compileToObject(*module, machine),
                        lowered.scratchBytes,
                        lowered.reliesOnDisjoint,
                        std::move(lowered.asserts),
                        std::move(lowered.waits),
                        std::move(lowered.paths),
                        lowered.atomics,
                        std::move(lowered.plainArguments),
                        std::move(lowered.streamed)};
  if (dump.wants(DumpKind::Binary))
    dump.write(DumpKind::Binary, "object", result.object);
  return result;
}

std::vector<Stage> compileStages(tt::FuncOp kernel, const Machine &machine, CodeForm form) {
  std::vector<Stage> stages;
  LoweredKernel lowered = lowerToVectors(kernel, machine, form.disjoint);
  stages.push_back({"plan", lowered.plan, false});
  stages.push_back({"vectors", textOf(*lowered.module), false});
  convertToLlvmDialect(*lowered.module);
  if (form.lines)
    describeSource(*lowered.module, nameOf(kernel));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateToLlvmIr(*lowered.module, context);
  optimize(*module, machine);
  stages.push_back({"llir", textOf(*module, nullptr), false});
  // Code generation uses a module up.
  stages.push_back({"asm", compileToAssembly(*llvm::CloneModule(*module), machine), false});
  stages.push_back({"obj", compileToObject(*module, machine), true});
  return stages;
}

} // namespace trisect::cpu
