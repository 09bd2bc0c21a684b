//===- TypeUtilsTest.cpp - element types, pointees and shapes -------------------------------------------===//
#include "core/ir/TypeUtils.h"
#include "core/ir/Registry.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {

class TypeUtilsTest : public testing::Test {
protected:
  TypeUtilsTest() : context(mlir::MLIRContext::Threading::DISABLED) { tt::loadDialects(context); }
  mlir::Type type(const std::string &text) { return mlir::parseType(text, &context); }
  mlir::MLIRContext context;
};

TEST_F(TypeUtilsTest, EveryElementTypeGoesThereAndBack) {
  for (int i = 0; i < numDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    mlir::Type element = tt::typeOfDType(dtype, &context);
    if (dtype == DType::Ptr) {
      EXPECT_FALSE(element);
      continue;
    }
    EXPECT_EQ(tt::dtypeOf(element), dtype) << name(dtype);
    EXPECT_EQ(element, type(std::string(name(dtype))));
    EXPECT_EQ(tt::elementBits(element), bitWidth(dtype));
  }
}

TEST_F(TypeUtilsTest, ElementTypesOfOtherTypes) {
  EXPECT_EQ(tt::dtypeOf(type("tensor<8x4xbf16>")), DType::BF16);
  EXPECT_EQ(tt::dtypeOf(type("!tt.ptr<f32>")), DType::Ptr);
  EXPECT_EQ(tt::dtypeOf(type("!tt.ptr<tensor<8xf32>>")), DType::Ptr);
  EXPECT_EQ(tt::dtypeOf(type("tensor<8x!tt.ptr<f32>>")), DType::Ptr);
  EXPECT_EQ(tt::dtypeOf(type("!tt.tensordesc<8x4xui16>")), DType::I16);
  EXPECT_FALSE(tt::dtypeOf(type("index")));
  EXPECT_FALSE(tt::dtypeOf(type("i7")));
  EXPECT_FALSE(tt::dtypeOf(type("vector<4xf32>")));
  EXPECT_EQ(tt::elementBits(type("index")), 0u);
}

TEST_F(TypeUtilsTest, Pointees) {
  EXPECT_EQ(tt::pointeeOf(type("!tt.ptr<f32>")), type("f32"));
  EXPECT_EQ(tt::pointeeOf(type("tensor<8x2x!tt.ptr<f32>>")), type("tensor<8x2xf32>"));
  EXPECT_EQ(tt::pointeeOf(type("!tt.ptr<tensor<8xf32>>")), type("tensor<8xf32>"));
  EXPECT_FALSE(tt::pointeeOf(type("tensor<8xf32>")));
  EXPECT_EQ(tt::maskOf(type("tensor<8x2xf32>")), type("tensor<8x2xi1>"));
  EXPECT_EQ(tt::maskOf(type("f32")), type("i1"));
}

TEST_F(TypeUtilsTest, Shapes) {
  EXPECT_EQ(tt::numElementsOf(type("f32")), 1);
  EXPECT_EQ(tt::numElementsOf(type("tensor<f32>")), 1);
  EXPECT_EQ(tt::numElementsOf(type("tensor<8x4xf32>")), 32);
  EXPECT_TRUE(tt::shapeOf(type("f32")).empty());
  EXPECT_EQ(tt::withElement(type("tensor<8xf32>"), type("i1")), type("tensor<8xi1>"));
}

TEST_F(TypeUtilsTest, BothSpellingsAreOneType) {
  EXPECT_EQ(type("!tt.tensordesc<tensor<16x8xf32>>"), type("!tt.tensordesc<16x8xf32>"));
  EXPECT_EQ(type("!tt.ptr<f32, 1>"), type("!tt.ptr<f32>"));
  EXPECT_EQ(type("!tt.ptr<f32, \"global\">"), type("!tt.ptr<f32>"));
  auto constant = mlir::cast<tt::PtrType>(type("!tt.ptr<f32, \"constant\">"));
  EXPECT_EQ(constant.getAddressSpace(), tt::PtrType::kConstantAddressSpace);
  auto desc = mlir::cast<tt::TensorDescType>(type("!tt.tensordesc<16x8xsi8>"));
  EXPECT_EQ(desc.getSignlessBlockType(), type("tensor<16x8xi8>"));
}

} // namespace
