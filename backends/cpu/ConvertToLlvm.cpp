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

// Whether a value is there where an operation uses it; of two blocks of one region nothing is said.
bool reaches(Value value, Operation *user) {
  Operation *ancestor = value.getParentRegion()->findAncestorOpInRegion(*user);
  Operation *made = value.getDefiningOp();
  return ancestor && (!made || made->getBlock() != ancestor->getBlock() || made->isBeforeInBlock(ancestor));
}

// A value that is used where it does not reach would end the process in the translation. (MLIR's verifier
// looks at this and at all else, which takes a tenth of the time to compile.)
void requireReach(ModuleOp module) {
  module.walk([](Operation *user) {
    for (Value operand : user->getOperands())
      if (!reaches(operand, user))
        throw EngineError("cpu: emission is wrong: '" + user->getName().getStringRef().str() +
                          "' uses a value that does not dominate it");
  });
}
} // namespace

void convertToLlvmDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  requireReach(module);
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
