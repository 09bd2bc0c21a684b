//===- Optimize.cpp - LLVM's passes and code generator for PTX ------------------------------------------===//
#include "backends/cuda/Optimize.h"
#include "backends/common/CodeGenerators.h"
#include "backends/common/PassTimes.h"
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
/// The newest one that LLVM knows. Later GPUs take its PTX, under their own name, so that inline assembly may
/// use what they have.
constexpr unsigned newestCapability = 90;

// Building a target machine costs about a millisecond; each compiling thread keeps its own.
llvm::TargetMachine &threadMachine(unsigned capability) {
  static constinit PerThread<std::map<unsigned, std::unique_ptr<llvm::TargetMachine>>> machines;
  std::unique_ptr<llvm::TargetMachine> &machine = machines.get()[capability];
  if (!machine) {
    initialize(CodeGenerator::Nvptx);
    // What only this architecture has, wgmma among it, is in the `a` variant.
    std::string processor =
        "sm_" + std::to_string(std::min(capability, newestCapability)) + (capability == 90 ? "a" : "");
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

/// The first version of PTX that knows a GPU.
const char *versionThatKnows(unsigned capability) {
  if (capability <= 101)
    return "8.6";
  return capability == 120 ? "8.7" : capability == 103 || capability == 121 ? "8.8" : "9.0";
}

/// Puts `to` in place of the rest of the first line that begins so.
void setDirective(std::string &ptx, std::string_view directive, const std::string &to) {
  size_t at = ptx.find("\n" + std::string(directive) + " ") + 1 + directive.size() + 1;
  ptx.replace(at, ptx.find('\n', at) - at, to);
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
  PassTimes times("cuda: passes over " + module.getName().str());
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, times.callbacks());
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
  std::string ptx = emitAssembly(module, threadMachine(capability));
  if (capability > newestCapability) {
    setDirective(ptx, ".version", versionThatKnows(capability));
    setDirective(ptx, ".target", "sm_" + std::to_string(capability) + "a");
  }
  return ptx;
}

} // namespace trisect::cuda
