//===- ObjectCompiler.cpp - pipeline and code generation ------------------------------------------------===//
#include "backends/cpu/orc/ObjectCompiler.h"
#include "backends/common/BackendErrors.h"
#include "backends/common/PassTimes.h"
#include "backends/cpu/orc/CodePasses.h"
#include "backends/cpu/orc/Displacements.h"
#include "backends/cpu/orc/HalvedLoads.h"
#include "backends/cpu/orc/HalvedRegisters.h"
#include "backends/cpu/orc/LostMasks.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/SignalingNans.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <map>

namespace trisect::cpu {

namespace {
// The passes that make objects for a machine, ready to run again.
class Generator {
public:
  Generator(llvm::TargetMachine &target, const Machine &machine)
      : stream(bytes), passes(machine.hasManyRegisters()) {
    llvm::MCContext *context = nullptr;
    if (target.addPassesToEmitMC(passes, context, stream, /*DisableVerify=*/true))
      throw EngineError("cpu: LLVM cannot emit objects for this machine");
  }

  std::string objectOf(llvm::Module &module) {
    bytes.clear();
    passes.run(module);
    return {bytes.begin(), bytes.end()};
  }

private:
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream;
  CodePasses passes;
};

// Building a target machine costs about a millisecond, and making the passes a fifteenth of what a short
// kernel takes to compile; each compiling thread keeps both for each machine.
struct Tools {
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<Generator> generator; ///< null: none yet, or it runs
};

Tools &toolsFor(const Machine &machine) {
  static constinit PerThread<std::map<std::string, Tools>> made;
  Tools &mine = made.get()[machine.describe()];
  if (!mine.target)
    mine.target = makeTargetMachine(machine);
  return mine;
}

llvm::TargetMachine &targetMachine(const Machine &machine) { return *toolsFor(machine).target; }

// Calls that change no register. The convention of that name leaves out what AVX-512 adds; the attribute,
// made for handlers of interrupts, means all that the machine has.
void keepRegisters(llvm::CallInst &call) {
  if (call.getCallingConv() != llvm::CallingConv::PreserveAll)
    return;
  call.setCallingConv(llvm::CallingConv::C);
  call.addFnAttr(llvm::Attribute::get(call.getContext(), "no_caller_saved_registers"));
}

void prepare(llvm::Module &module, llvm::TargetMachine &target, const Machine &machine) {
  module.setDataLayout(target.createDataLayout());
  module.setTargetTriple(target.getTargetTriple().str());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", machine.processor);
    function.addFnAttr("target-features", machine.features);
    // Without it, code generation halves vectors on processors tuned for 32-byte registers.
    function.addFnAttr("prefer-vector-width", std::to_string(machine.vectorBytes * 8));
    function.addFnAttr("frame-pointer", "all");     // profilers find the way from a kernel to who launched it
    function.addFnAttr(llvm::Attribute::NoRedZone); // questions of paths push (emit/PathQuestions.cpp)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          keepRegisters(*call);
  }
}
} // namespace

void optimize(llvm::Module &module, const Machine &machine) {
  llvm::TargetMachine &target = targetMachine(machine);
  prepare(module, target, machine);
  for (llvm::Function &function : module)
    addConstantsLast(function);
  PassTimes times("cpu: passes over " + module.getName().str());
  llvm::PassBuilder builder(&target, llvm::PipelineTuningOptions(), std::nullopt, times.callbacks());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
  keepMasks(module, machine.vectorBytes);
  halveRegisters(module, machine);
  halveLoads(module, machine);
  keepSignalingNans(module);
}

std::string compileToObject(llvm::Module &module, const Machine &machine) {
  PassTimes times("cpu: code of " + module.getName().str());
  BackendErrors errors(module.getContext());
  Tools &tools = toolsFor(machine);
  std::unique_ptr<Generator> generator = std::move(tools.generator);
  if (!generator)
    generator = std::make_unique<Generator>(*tools.target, machine);
  std::string object = generator->objectOf(module);
  errors.raise(machine.processor);
  tools.generator = std::move(generator); // not after an error: who knows what its passes hold
  return object;
}

std::string compileToAssembly(llvm::Module &module, const Machine &machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  PassTimes times("cpu: code of " + module.getName().str());
  CodePasses passes(machine.hasManyRegisters());
  BackendErrors errors(module.getContext());
  if (targetMachine(machine).addPassesToEmitFile(passes, stream, nullptr,
                                                 llvm::CodeGenFileType::AssemblyFile))
    throw EngineError("cpu: LLVM cannot emit assembly for this machine");
  passes.run(module);
  errors.raise(machine.processor);
  return std::string(bytes.begin(), bytes.end());
}

} // namespace trisect::cpu
