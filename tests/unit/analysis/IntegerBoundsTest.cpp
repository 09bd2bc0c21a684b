//===- IntegerBoundsTest.cpp - bounds hold in programs that run -----------------------------------------===//
#include "core/analysis/IntegerBounds.h"
#include "Evaluate.h"
#include "RandomModule.h"
#include "core/ir/Registry.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace trisect::tt {

namespace {

std::string describe(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value << "\n" << *value.getParentRegion()->getParentOp();
  return text;
}

class IntegerBoundsTest : public ::testing::Test {
protected:
  IntegerBoundsTest() : builder(&context), location(builder.getUnknownLoc()) {
    loadDialects(context);
    module = ModuleOp::create(location);
    builder.setInsertionPointToStart(module->getBody());
  }

  Value constant(int64_t value) {
    return builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(value));
  }
  static void expect(Value value, int64_t low, int64_t high) {
    IntegerBounds bounds = boundsOf(value);
    EXPECT_EQ(static_cast<int64_t>(bounds.low), low);
    EXPECT_EQ(static_cast<int64_t>(bounds.high), high);
  }

  MLIRContext context;
  OpBuilder builder;
  Location location;
  OwningOpRef<ModuleOp> module;
};

TEST_F(IntegerBoundsTest, KnownOperations) {
  Value id = builder.create<GetProgramIdOp>(location, ProgramAxis::X);
  expect(constant(-7), -7, -7);
  expect(id, 0, INT32_MAX);
  Value remainder = builder.create<arith::RemSIOp>(location, id, constant(10));
  expect(remainder, 0, 9);
  expect(builder.create<arith::SubIOp>(location, constant(3), remainder), -6, 3);
  expect(builder.create<arith::MulIOp>(location, remainder, constant(-2)), -18, 0);
  expect(builder.create<arith::AndIOp>(location, id, constant(15)), 0, 15);
  expect(builder.create<arith::DivSIOp>(location, id, constant(2)), 0, INT32_MAX / 2);
  expect(builder.create<arith::MaxSIOp>(location, remainder, constant(4)), 4, 9);
}

TEST_F(IntegerBoundsTest, WhatMayWrapHasTheBoundsOfItsType) {
  Value id = builder.create<GetProgramIdOp>(location, ProgramAxis::X);
  expect(builder.create<arith::AddIOp>(location, id, constant(1)), INT32_MIN, INT32_MAX);
  Value wide = builder.create<arith::ExtSIOp>(location, builder.getI64Type(), id);
  Value one = builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(1));
  expect(builder.create<arith::AddIOp>(location, wide, one), 1, int64_t(INT32_MAX) + 1);
}

TEST_F(IntegerBoundsTest, HoldInRandomPrograms) {
  size_t narrowed = 0;
  for (uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
    OwningOpRef<ModuleOp> program = makeRandomModule(context, seed);
    auto func = *program->getOps<FuncOp>().begin();
    for (int64_t n : {-16, 0, 64})
      evaluate(func, {1024, n, 3 * n + 5, n ? -1 : 0}, 7, [&](Value value, const Elements &elements) {
        if (!isIntLike(value.getType()))
          return;
        IntegerBounds bounds = boundsOf(value);
        IntegerBounds type = IntegerBounds::ofWidth(elementBits(value.getType()));
        narrowed += bounds.low > type.low || bounds.high < type.high;
        for (int64_t element : elements)
          if (element < bounds.low || element > bounds.high)
            ADD_FAILURE() << "seed " << seed << ": " << element << " in " << describe(value);
      });
  }
  EXPECT_GT(narrowed, 10000u);
}

} // namespace
} // namespace trisect::tt
