//===- LocationsTest.cpp - positions behind locations, and operations without one -----------------------===//
#include "core/ir/Locations.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {

class LocationsTest : public testing::Test {
protected:
  LocationsTest() : context(mlir::MLIRContext::Threading::DISABLED) { tt::loadDialects(context); }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return tt::parseModule(text, "case.ttir", context);
  }
  /// The position of the only call of `@here`, whose location is `text`.
  std::string positionOf(const std::string &text) {
    auto module = parse("tt.func private @here()\ntt.func @f() {\n  tt.call @here() : () -> () loc(" + text +
                        ")\n  tt.return\n}\n");
    std::string position;
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == "tt.call")
        position = tt::positionOf(op->getLoc()).str();
    });
    return position;
  }
  std::string complaint(const std::string &text) {
    try {
      tt::requireLocations(*parse(text));
    } catch (const InvalidInput &error) {
      return error.what();
    }
    return "";
  }

  mlir::MLIRContext context;
};

TEST_F(LocationsTest, PositionsComeFromTheInnermostKnownPart) {
  EXPECT_EQ(positionOf("\"k.py\":3:7"), "k.py:3:7");
  EXPECT_EQ(positionOf("\"acc\"(\"k.py\":4:2)"), "k.py:4:2");
  EXPECT_EQ(positionOf("callsite(\"k.py\":5:1 at \"k.py\":9:1)"), "k.py:5:1");
  EXPECT_EQ(positionOf("callsite(unknown at \"k.py\":9:1)"), "k.py:9:1");
  EXPECT_EQ(positionOf("fused[unknown, \"a\"(\"k.py\":6:2), \"k.py\":7:2]"), "k.py:6:2");
  EXPECT_EQ(positionOf("fused[unknown]"), "<unknown>");
  EXPECT_EQ(positionOf("\"acc\""), "<unknown>");
  EXPECT_EQ(positionOf("unknown"), "<unknown>");
}

TEST_F(LocationsTest, TextWithoutLocationsGetsItsOwnPositions) {
  EXPECT_EQ(complaint("tt.func @f(%x: i32) {\n  tt.return\n}\n"), "");
}

TEST_F(LocationsTest, AnOperationWithoutPositionIsRefused) {
  EXPECT_EQ(complaint("tt.func @f(%x: i32) {\n  %y = arith.addi %x, %x : i32 loc(unknown)\n  tt.return\n}\n"),
            "expected a source position on every operation, but arith.addi in @f has none");
}

TEST_F(LocationsTest, AnArgumentWithoutPositionIsRefused) {
  EXPECT_EQ(complaint("tt.func @f(%w: i32, %x: i32 loc(\"x\")) {\n  tt.return\n}\n"),
            "expected a source position on every operation, but argument #1 of tt.func has none");
}

TEST_F(LocationsTest, LoopArgumentsTakeTheLoopsPosition) {
  auto module =
      parse("tt.func @f(%n: i32) {\n  scf.for %i = %n to %n step %n : i32 {\n  } loc(\"k.py\":8:3)\n"
            "  tt.return\n}\n");
  bool seen = false;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() != "scf.for")
      return;
    seen = true;
    EXPECT_EQ(tt::positionOf(op->getRegion(0).getArgument(0).getLoc()).str(), "k.py:8:3");
    EXPECT_EQ(tt::positionOf(op->getRegion(0).front().getTerminator()->getLoc()).str(), "k.py:8:3");
  });
  EXPECT_TRUE(seen);
}

} // namespace
