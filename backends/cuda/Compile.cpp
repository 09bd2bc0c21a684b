//===- Compile.cpp - the stages of tier 2 ---------------------------------------------------------------===//
#include "backends/cuda/Compile.h"
#include "backends/cuda/Optimize.h"
#include "backends/cuda/emit/Libdevice.h"
#include "backends/cuda/emit/NvptxMachine.h"
#include "core/ir/CallLimits.h"
#include "core/passes/Passes.h"
#include "core/support/Outcome.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace trisect::cuda {

namespace {
template <class T> std::string textOf(T &&thing) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  thing.print(stream, {});
  return text;
}
} // namespace

tt::FuncOp prepare(ModuleOp module, std::string_view kernel) {
  auto function = module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
  if (!function || function.isDeclaration())
    throw InvalidInput("the module has no kernel '" + std::string(kernel) + "'");
  std::string messages;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    messages += "\n  " + diagnostic.str();
    return success();
  });
  if (failed(tt::checkCallLimits(module)))
    throw Unsupported("cuda: the kernel is too large" + messages);
  module.walk([](tt::FuncOp function) { function->removeAttr(tt::kNoInlineAttr); });
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(tt::createDropUnreachable());
  passes.addPass(createInlinerPass());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(tt::createTritonRewriteTensorDescriptorToPointer());
  passes.addPass(tt::createTritonRewriteTensorPointer());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  if (failed(passes.run(module)))
    throw Unsupported("cuda: simplifying the kernel failed" + messages);
  return module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
}

PtxKernel compileToPtx(ModuleOp module, std::string_view kernel, const PtxOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  tt::FuncOp function = prepare(*copy, kernel);
  PtxKernel result;
  result.ttgir = textOf(*copy);
  llvm::LLVMContext context;
  llvm::Module code(kernel, context);
  llvm::IRBuilder<> builder(context);
  prepareForPtx(code, options.capability);
  NvptxMachine machine(builder, code, options.capability);
  EmittedKernel emitted = emit(function, machine, builder, options.emit);
  linkLibdevice(code);
  optimizeForPtx(code, options.capability);
  if (options.wantLlvm)
    result.llir = textOf(code);
  result.ptx = emitPtx(code, options.capability);
  result.entry = emitted.entry;
  result.sharedBytes = emitted.sharedBytes;
  result.sites = std::move(emitted.sites);
  return result;
}

} // namespace trisect::cuda
