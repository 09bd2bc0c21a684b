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
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

std::string emitPtx(llvm::Module &module, unsigned capability) {
  return emitAssembly(module, threadMachine(capability));
}

} // namespace trisect::cuda
