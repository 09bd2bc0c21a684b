//===- trisect-cpu.cpp - shows what tier 1 makes of a kernel --------------------------------------------===//
//
// What: prints one stage of a kernel's compilation; the input of the FileCheck tests in tests/passes/cpu.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/Compile.h"
#include "backends/cpu/ConvertToLlvm.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/ObjectCompiler.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Outcome.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace trisect;

namespace {
enum class Stage { Prepared, Plan, Vectors, LlvmDialect, Llvm, OptimizedLlvm, Assembly };

llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<file.ttir, - for stdin>"),
                                 llvm::cl::init("-"));
llvm::cl::opt<std::string> kernelName("kernel", llvm::cl::desc("kernel (default: the only public function)"));
llvm::cl::opt<std::string> machineName("machine", llvm::cl::desc("host, x86-64-v2, x86-64-v3 or x86-64-v4"));
llvm::cl::opt<bool> overlapping("overlapping", llvm::cl::desc("arguments may overlap in memory"));
llvm::cl::opt<Stage>
    stage("emit", llvm::cl::desc("stage to print"), llvm::cl::init(Stage::Vectors),
          llvm::cl::values(clEnumValN(Stage::Prepared, "ttir", "TTIR after inlining and simplification"),
                           clEnumValN(Stage::Plan, "plan", "loops, products and buffers that were chosen"),
                           clEnumValN(Stage::Vectors, "vectors", "loops over vectors"),
                           clEnumValN(Stage::LlvmDialect, "llvm-dialect", "MLIR's LLVM dialect"),
                           clEnumValN(Stage::Llvm, "llvm", "LLVM IR as translated"),
                           clEnumValN(Stage::OptimizedLlvm, "llvm-optimized", "LLVM IR after the pipeline"),
                           clEnumValN(Stage::Assembly, "asm", "assembly for the machine")));

std::string onlyKernel(mlir::ModuleOp module) {
  if (!kernelName.empty())
    return kernelName;
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic())
      return function.getSymName().str();
  throw InvalidInput("the module has no public function");
}

void show() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModuleFile(input, context);
  tt::FuncOp kernel = cpu::prepare(*module, onlyKernel(*module));
  if (stage == Stage::Prepared)
    return module->print(llvm::outs());
  cpu::Machine machine = cpu::machineNamed(machineName);
  cpu::LoweredKernel lowered = cpu::lowerToVectors(kernel, machine, !overlapping);
  if (stage == Stage::Plan) {
    llvm::outs() << lowered.plan;
    return;
  }
  if (stage == Stage::Vectors)
    return lowered.module->print(llvm::outs());
  cpu::convertToLlvmDialect(*lowered.module);
  if (stage == Stage::LlvmDialect)
    return lowered.module->print(llvm::outs());
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code = cpu::translateToLlvmIr(*lowered.module, llvmContext);
  if (stage == Stage::Llvm)
    return code->print(llvm::outs(), nullptr);
  cpu::optimize(*code, machine);
  if (stage == Stage::OptimizedLlvm)
    return code->print(llvm::outs(), nullptr);
  llvm::outs() << cpu::compileToAssembly(*code, machine);
}
} // namespace

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "stages of the cpu tier\n");
  try {
    show();
    return 0;
  } catch (const Error &error) {
    llvm::errs() << error.what() << "\n";
    return 1;
  }
}
