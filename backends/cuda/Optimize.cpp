//===- Optimize.cpp - LLVM's passes and code generator for PTX ------------------------------------------===//
#include "backends/cuda/Optimize.h"
#include "backends/common/CodeGenerators.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <map>

namespace trisect::cuda {

namespace {
// Building a target machine costs about a millisecond; each compiling thread keeps its own.
llvm::TargetMachine &threadMachine(unsigned capability) {
  static constinit PerThread<std::map<unsigned, std::unique_ptr<llvm::TargetMachine>>> machines;
  std::unique_ptr<llvm::TargetMachine> &machine = machines.get()[capability];
  if (!machine) {
    initialize(CodeGenerator::Nvptx);
    // What only this architecture has, wgmma among it, is in the `a` variant.
    std::string processor = "sm_" + std::to_string(capability) + (capability == 90 ? "a" : "");
    machine = makeTargetMachine({"nvptx64-nvidia-cuda", processor, capability >= 90 ? "+ptx83" : "+ptx80"});
    machine->Options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  }
  return *machine;
}

/// From here on the standard passes take longer than the rest of a compile, for code that is no faster.
constexpr unsigned manyInstructions = 4000;

/// Functions of libdevice must be inlined.
bool callsFunctions(const llvm::Module &module) {
  return llvm::count_if(module, [](const llvm::Function &each) { return !each.isDeclaration(); }) > 1;
}

/// What is left to do in emitted code, once: it has no memory slots, no calls, and loops as they were
/// written.
llvm::ModulePassManager shortPipeline() {
  llvm::FunctionPassManager passes;
  llvm::SimplifyCFGOptions blocks = llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true);
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass(blocks));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ReassociatePass());
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  llvm::LoopPassManager loops;
  loops.addPass(llvm::IndVarSimplifyPass());
  loops.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::SCCPPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass(blocks));
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  return all;
}
} // namespace

void prepareForPtx(llvm::Module &module, unsigned capability) {
  llvm::TargetMachine &machine = threadMachine(capability);
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple().str());
}

void optimizeForPtx(llvm::Module &module, unsigned capability) {
  llvm::TargetMachine &machine = threadMachine(capability);
  llvm::PipelineTuningOptions tuning;
  // Blocks are scalars already; vectors and unrolled loops would only cost registers.
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  if (module.getInstructionCount() < manyInstructions || callsFunctions(module))
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  else
    shortPipeline().run(module, modules);
}

std::string emitPtx(llvm::Module &module, unsigned capability) {
  return emitAssembly(module, threadMachine(capability));
}

} // namespace trisect::cuda
