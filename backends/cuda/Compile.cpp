//===- Compile.cpp - the stages of tier 2 ---------------------------------------------------------------===//
#include "backends/cuda/Compile.h"
#include "backends/cuda/FirstProgram.h"
#include "backends/cuda/Optimize.h"
#include "backends/cuda/UseOrder.h"
#include "backends/cuda/emit/Libdevice.h"
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/gpu/passes/Pipeline.h"
#include "core/passes/LocateInText.h"
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

tt::FuncOp toTiles(ModuleOp module, std::string_view kernel, unsigned capability, const EmitOptions &emit) {
  gpu::TileOptions options;
  options.warps = static_cast<int32_t>(emit.warps);
  options.stages = static_cast<int32_t>(emit.stages);
  options.target = "cuda:" + std::to_string(capability);
  return gpu::runTilePipeline(module, kernel, options);
}

PtxKernel compileToPtx(ModuleOp module, std::string_view kernel, const PtxOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  tt::FuncOp function = toTiles(*copy, kernel, options.capability, options.emit);
  std::string ttgir = options.ttgirFile.empty() ? textOf(*copy) : tt::locateInText(*copy, options.ttgirFile);
  PtxKernel result = tilesToPtx(function, options);
  result.ttgir = std::move(ttgir);
  return result;
}

PtxKernel tilesToPtx(tt::FuncOp function, const PtxOptions &options) {
  PtxKernel result;
  llvm::LLVMContext context;
  llvm::Module code(function.getSymName(), context);
  llvm::IRBuilder<> builder(context);
  prepareForPtx(code, options.capability);
  NvptxMachine machine(builder, code, options.capability);
  EmittedKernel emitted = emit(function, machine, builder, options.emit);
  linkLibdevice(code);
  optimizeForPtx(code, options.capability);
  for (llvm::Function &each : code) {
    addFirstProgramLast(each);
    orderByUse(each);
  }
  if (options.wantLlvm)
    result.llir = textOf(code);
  result.ptx = emitPtx(code, options.capability);
  result.entry = emitted.entry;
  result.sharedBytes = emitted.sharedBytes;
  result.sites = std::move(emitted.sites);
  result.questions = std::move(emitted.questions);
  return result;
}

} // namespace trisect::cuda
