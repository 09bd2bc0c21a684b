//===- ConvertToLlvm.cpp - MLIR conversions and translation ---------------------------------------------===//
#include "backends/cpu/ConvertToLlvm.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/support/Outcome.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
// Runs `step` and turns its failure into an EngineError that carries what MLIR said.
void expect(ModuleOp module, const char *what, llvm::function_ref<LogicalResult()> step) {
  tt::DiagnosticCollector diagnostics(*module.getContext());
  if (failed(step()))
    throw EngineError(std::string("cpu: ") + what + " failed\n" + diagnostics.render());
}
} // namespace

void convertToLlvmDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    expect(module, "lowering of loops",
           [&] { return applyPartialConversion(module, target, std::move(patterns)); });
  }
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  expect(module, "lowering to the LLVM dialect",
         [&] { return applyFullConversion(module, target, std::move(patterns)); });
}

std::unique_ptr<llvm::Module> translateToLlvmIr(ModuleOp module, llvm::LLVMContext &context) {
  MLIRContext *mlirContext = module.getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  mlirContext->appendDialectRegistry(registry);
  std::unique_ptr<llvm::Module> result;
  expect(module, "translation to LLVM IR", [&] {
    result = translateModuleToLLVMIR(module, context, "trisect");
    return success(result != nullptr);
  });
  return result;
}

} // namespace trisect::cpu
