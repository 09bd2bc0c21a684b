//===- ParseTest.cpp - reading and printing modules -----------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Ops.h"
#include "core/ir/Registry.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {

class ParseTest : public testing::Test {
protected:
  ParseTest() : context(mlir::MLIRContext::Threading::DISABLED) { tt::loadDialects(context); }
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text, tt::ParseOptions options = {}) {
    return tt::parseModule(text, "case.ttir", context, options);
  }
  mlir::MLIRContext context;
};

const char *const goodText = "module {\n"
                             "  tt.func @f(%arg0: i32) {\n"
                             "    %0 = arith.addi %arg0, %arg0 : i32\n"
                             "    tt.return\n"
                             "  }\n"
                             "}\n";

TEST_F(ParseTest, PrintsTheCanonicalText) {
  EXPECT_EQ(tt::printModule(*parse(goodText), {.locations = false}), std::string(goodText) + "\n");
}

TEST_F(ParseTest, PrintsLocationsUnlessAsked) {
  EXPECT_NE(tt::printModule(*parse(goodText)).find("loc(\"case.ttir\":3:10)"), std::string::npos);
}

TEST_F(ParseTest, GenericFormAndBytecodeReadBack) {
  auto module = parse(goodText);
  std::string generic = tt::printModule(*module, {.locations = false, .generic = true});
  EXPECT_NE(generic.find("\"tt.func\"() <{"), std::string::npos);
  EXPECT_EQ(tt::printModule(*parse(generic), {.locations = false}), std::string(goodText) + "\n");
  EXPECT_EQ(tt::printModule(*parse(tt::printBytecode(*module))), tt::printModule(*module));
}

TEST_F(ParseTest, AMistakeHasPositionLineAndCaret) {
  try {
    parse("tt.func @f(%x: i32) {\n  %y = arith.addi %x, %z : i32\n  tt.return\n}\n");
    FAIL() << "read without complaint";
  } catch (const InvalidInput &error) {
    EXPECT_EQ(error.position().file, "case.ttir");
    EXPECT_EQ(error.position().line, 2);
    EXPECT_EQ(error.position().column, 23);
    std::string text = error.what();
    EXPECT_NE(text.find("case.ttir:2:23: error: use of undeclared SSA value name"), std::string::npos)
        << text;
    EXPECT_NE(text.find("  %y = arith.addi %x, %z : i32"), std::string::npos) << text;
    EXPECT_NE(text.find('^'), std::string::npos) << text;
  }
}

TEST_F(ParseTest, UnreachableBlocksMayUseWhatComesBefore) {
  auto module = parse("%one = arith.constant 1 : i32\n"
                      "%two = arith.addi %one, %one : i32\n"
                      "tt.func @f(%x: i32, %c: i1) {\n"
                      "  %y = arith.addi %x, %x : i32\n"
                      "  tt.return\n"
                      "^bb1:\n"
                      "  %z = arith.addi %y, %x : i32\n"
                      "  scf.if %c {\n"
                      "    %w = arith.addi %z, %y : i32\n"
                      "  }\n"
                      "  cf.br ^bb2(%z : i32)\n"
                      "^bb2(%v: i32):\n"
                      "  %u = arith.addi %v, %z : i32\n"
                      "  cf.br ^bb1\n"
                      "}\n");
  EXPECT_TRUE(module);
}

TEST_F(ParseTest, DamagedBytecodeIsRefused) {
  std::string bytes = tt::printBytecode(*parse(goodText));
  EXPECT_THROW(parse(bytes.substr(0, bytes.size() / 2)), InvalidInput);
}

TEST_F(ParseTest, AMissingFileIsNamed) {
  try {
    tt::parseModuleFile("no/such/file.ttir", context);
    FAIL() << "read without complaint";
  } catch (const InvalidInput &error) {
    EXPECT_NE(std::string(error.what()).find("no/such/file.ttir"), std::string::npos) << error.what();
  }
}

TEST_F(ParseTest, VerifyModuleThrowsWhatIsWrong) {
  auto module = parse(goodText);
  module->walk([](tt::ReturnOp op) {
    mlir::OpBuilder builder(op);
    auto value = builder.create<mlir::arith::ConstantIntOp>(op.getLoc(), 1, 32);
    op.getSrcsMutable().assign(mlir::ValueRange{value});
  });
  EXPECT_THROW(tt::verifyModule(*module), InvalidInput);
}

TEST_F(ParseTest, ACombineRegionEndsInItsOwnReturn) {
  auto module = parse("tt.func @f(%x: tensor<8xf32>) {\n"
                      "  %r = \"tt.reduce\"(%x) <{axis = 0 : i32}> ({\n"
                      "  ^bb0(%a: f32, %b: f32):\n"
                      "    tt.reduce.return %a : f32\n"
                      "  }) : (tensor<8xf32>) -> f32\n"
                      "  tt.return\n}\n");
  context.getOrLoadDialect("llvm");
  module->walk([](tt::ReduceReturnOp op) {
    mlir::OpBuilder builder(op);
    builder.create(mlir::OperationState(op.getLoc(), "llvm.unreachable"));
    op.erase();
  });
  try {
    tt::verifyModule(*module);
    FAIL() << "verified without complaint";
  } catch (const InvalidInput &error) {
    EXPECT_NE(std::string(error.what()).find("expected a region that ends in 'tt.reduce.return'"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ParseTest, FnuzIsReadAsFnOnRequestByValue) {
  const char *text = "tt.func @f(%p: !tt.ptr<f8E4M3FNUZ>, %d: !tt.tensordesc<8xf8E4M3FNUZ>) {\n"
                     "  %a = arith.constant dense<[1.5, -2.0]> : tensor<2xf8E4M3FNUZ>\n"
                     "  %b = arith.constant 0.5 : f8E4M3FNUZ\n"
                     "  tt.return\n}\n";
  EXPECT_NE(tt::printModule(*parse(text)).find("FNUZ"), std::string::npos);
  std::string replaced = tt::printModule(*parse(text, {.fnuzMeansFn = true}), {.locations = false});
  EXPECT_EQ(replaced.find("FNUZ"), std::string::npos) << replaced;
  EXPECT_NE(replaced.find("dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E4M3FN>"), std::string::npos)
      << replaced;
  EXPECT_NE(replaced.find("5.000000e-01 : f8E4M3FN"), std::string::npos) << replaced;
}

} // namespace
