//===- ConvertToLlvm.cpp - MLIR conversions and translation ---------------------------------------------===//
#include "backends/cpu/ConvertToLlvm.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/OpForOp.h"
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

namespace {
std::optional<int64_t> constantOf(Value value) {
  APInt found;
  if (matchPattern(value, m_ConstantInt(&found)) && found.getBitWidth() <= 64)
    return found.getSExtValue();
  return std::nullopt;
}

// Whether counting on from any number below `bound` stays a number of its width.
bool staysBelow(Value bound, int64_t step) {
  if (step == 1)
    return true;
  std::optional<int64_t> limit = constantOf(bound);
  unsigned width = bound.getType().getIntOrFloatBitWidth();
  return limit && step > 0 && *limit <= llvm::maxIntN(width) - step;
}

// What a loop counts on with, if `header` begins a loop that runs while its counter is below a bound, and
// the counter can neither wrap nor, where `fromZero` says so, be negative.
arith::AddIOp stepOf(Block *header, bool &fromZero) {
  auto branch = dyn_cast<cf::CondBranchOp>(header->getTerminator());
  auto check = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto counter = check ? dyn_cast<BlockArgument>(check.getLhs()) : BlockArgument();
  if (!counter || counter.getOwner() != header || check.getPredicate() != arith::CmpIPredicate::slt)
    return {};
  arith::AddIOp next;
  fromZero = true;
  for (Block *before : header->getPredecessors()) {
    auto jump = dyn_cast<cf::BranchOp>(before->getTerminator());
    if (!jump)
      return {};
    Value given = jump.getDestOperands()[counter.getArgNumber()];
    auto step = given.getDefiningOp<arith::AddIOp>();
    if (!step || step.getLhs() != counter) {
      fromZero &= constantOf(given).value_or(-1) >= 0;
      continue;
    }
    // Above the check it would count on after the last round, too.
    if (next || step->getBlock() != before)
      return {};
    next = step;
  }
  std::optional<int64_t> step = next ? constantOf(next.getRhs()) : std::nullopt;
  return step && staysBelow(check.getRhs(), *step) ? next : arith::AddIOp();
}

// Says of what counts loops that it never wraps. LLVM would try to prove that from all the conditions above
// a loop, which are the ends of all loops before it: in a kernel of many loops, a third of the time to
// compile.
void markSteps(ModuleOp module) {
  module.walk([](Block *header) {
    bool fromZero = false;
    arith::AddIOp step = header->mightHaveTerminator() ? stepOf(header, fromZero) : arith::AddIOp();
    if (step)
      step.setOverflowFlags(fromZero ? arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw
                                     : arith::IntegerOverflowFlags::nsw);
  });
}

// Puts the program in the place of its one call. LLVM's inliner would copy it, which takes a quarter of the
// pipeline's time.
void inlineProgram(ModuleOp module) {
  auto program = module.lookupSymbol<LLVM::LLVMFuncOp>(programName);
  if (!program)
    return;
  LLVM::CallOp call;
  module.walk([&](LLVM::CallOp each) {
    if (each.getCallee() == llvm::StringRef(programName))
      call = each;
  });
  Block &body = program.getBody().front();
  for (auto [parameter, given] : llvm::zip(body.getArguments(), call.getArgOperands()))
    parameter.replaceAllUsesWith(given);
  body.getTerminator()->erase();
  // Memory of a whole function is taken when it is entered, not once a program.
  Operation *start = &call->getParentOfType<LLVM::LLVMFuncOp>().front().front();
  for (Operation &op : llvm::make_early_inc_range(body))
    if (isa<arith::ConstantOp, LLVM::AllocaOp>(op))
      op.moveBefore(start);
  call->getBlock()->getOperations().splice(call->getIterator(), body.getOperations());
  call.erase();
  program.erase();
}
} // namespace

void convertToLlvmDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  requireReach(module);
  inlineProgram(module);
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    expect(module, "lowering of loops",
           [&] { return applyPartialConversion(module, target, std::move(patterns)); });
  }
  markSteps(module);
  if (convertOpForOp(module)) // as of most kernels
    return;
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
