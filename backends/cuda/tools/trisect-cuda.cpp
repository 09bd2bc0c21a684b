//===- trisect-cuda.cpp - prints the stages of tier 2 ---------------------------------------------------===//
//
// What: compiles a kernel of a TTIR file and prints tile IR, LLVM IR or PTX.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/Compile.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Outcome.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace trisect;

namespace {
llvm::cl::opt<std::string> inputName(llvm::cl::Positional, llvm::cl::desc("<file.ttir>"),
                                     llvm::cl::init("-"));
llvm::cl::opt<std::string> kernelName("kernel",
                                      llvm::cl::desc("the kernel; default: the only public function"));
llvm::cl::opt<std::string> stage("emit", llvm::cl::desc("ttgir, llvm or ptx"), llvm::cl::init("ptx"));
llvm::cl::opt<unsigned> capability("capability", llvm::cl::desc("90 for sm_90"), llvm::cl::init(90));
llvm::cl::opt<unsigned> warps("warps", llvm::cl::desc("warps of a program"), llvm::cl::init(4));
llvm::cl::opt<unsigned> stages("stages", llvm::cl::desc("stages of loops that name none"), llvm::cl::init(3));

std::string kernelOf(mlir::ModuleOp module) {
  if (!kernelName.empty())
    return kernelName;
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic())
      return function.getSymName().str();
  throw InvalidInput("the module has no kernel");
}

int run() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = tt::parseModuleFile(inputName, context);
  cuda::PtxOptions options;
  options.capability = capability;
  options.emit.warps = warps;
  options.emit.stages = stages;
  options.wantLlvm = true;
  cuda::PtxKernel kernel = cuda::compileToPtx(*module, kernelOf(*module), options);
  if (stage == "ttgir")
    llvm::outs() << kernel.ttgir;
  else if (stage == "llvm")
    llvm::outs() << kernel.llir;
  else if (stage == "ptx")
    llvm::outs() << kernel.ptx;
  else
    throw InvalidInput("unknown stage '" + stage + "': ttgir, llvm or ptx");
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Trisect: stages of the cuda tier\n");
  try {
    return run();
  } catch (const std::exception &error) {
    llvm::errs() << "trisect-cuda: " << error.what() << "\n";
    return 1;
  }
}
