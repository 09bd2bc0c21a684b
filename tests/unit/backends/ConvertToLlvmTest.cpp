//===- ConvertToLlvmTest.cpp - code that is not valid is refused, not translated ------------------------===//
//
// What: a value that is used where it does not reach (made in one of two loops, used in the other) ended the
// process in MLIR's translation; it is an EngineError, so that the kernel stays in tier 0.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/ConvertToLlvm.h"
#include "core/support/Outcome.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

namespace {

using namespace mlir;

/// A function with two loops; the second loop of a broken one uses what the first has made.
OwningOpRef<ModuleOp> loops(MLIRContext &context, bool broken) {
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context), {b.getI64Type()});
  auto function = b.create<LLVM::LLVMFuncOp>(loc, "f", type);
  Block *body = function.addEntryBlock(b);
  b.setInsertionPointToEnd(body);
  auto constant = [&](int64_t n) { return b.create<arith::ConstantOp>(loc, b.getI64IntegerAttr(n)); };
  Value zero = constant(0), one = constant(1), made;
  for (int n = 0; n < 2; ++n) {
    auto loop = b.create<scf::ForOp>(loc, zero, body->getArgument(0), one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value other = n && broken ? made : loop.getInductionVar();
    made = b.create<arith::AddIOp>(loc, loop.getInductionVar(), other);
  }
  b.create<LLVM::ReturnOp>(loc, ValueRange());
  return module;
}

class ConvertToLlvmTest : public testing::Test {
protected:
  ConvertToLlvmTest() {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  }
  MLIRContext context;
};

TEST_F(ConvertToLlvmTest, TakesWhatIsValid) {
  EXPECT_NO_THROW(trisect::cpu::convertToLlvmDialect(*loops(context, false)));
}

TEST_F(ConvertToLlvmTest, RefusesAValueThatDoesNotReach) {
  try {
    trisect::cpu::convertToLlvmDialect(*loops(context, true));
    FAIL() << "nothing was thrown";
  } catch (const trisect::EngineError &error) {
    EXPECT_NE(std::string(error.what()).find("does not dominate"), std::string::npos) << error.what();
  }
}

} // namespace
