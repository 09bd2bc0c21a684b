//===- GeneratorTest.cpp - what the fuzzer's kernels hold -----------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/OpTable.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/fuzz/kernels/Shrink.h"
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace trisect;
using namespace trisect::fuzz;

TEST(GeneratorTest, EveryOpOfTheTableIsThereOrHasAReason) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 2500; ++seed) {
    auto module = tt::parseModule(kernelOf(seed).module, "kernel", context);
    module->walk([&](mlir::Operation *op) { made.insert(op->getName().getStringRef().str()); });
  }
  std::set<std::string> absent;
  for (auto [op, reason] : absentOps())
    absent.insert(op);
  for (const OpInfo &row : opTable()) {
    std::string op(row.mnemonic);
    EXPECT_NE(made.contains(op), absent.contains(op))
        << op
        << (made.contains(op) ? " is made: it needs no reason" : " is never made, and no reason says why");
  }
}

TEST(GeneratorTest, AKernelIsItsSeed) {
  EXPECT_EQ(kernelOf(7).text(), kernelOf(7).text());
  EXPECT_NE(kernelOf(7).text(), kernelOf(8).text());
  Case again = Case::read(kernelOf(7).text());
  EXPECT_EQ(again.arguments, kernelOf(7).arguments);
  EXPECT_EQ(again.grid.programs(), kernelOf(7).grid.programs());
}

TEST(GeneratorTest, AnyChoicesMakeAKernel) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  Choices drawn(11);
  Generator(drawn).make();
  for (size_t length = 0; length < drawn.taken().size(); length += 5) {
    std::vector<uint32_t> cut(drawn.taken().begin() + static_cast<ptrdiff_t>(length), drawn.taken().end());
    Choices choices(cut);
    EXPECT_NO_THROW(tt::parseModule(Generator(choices).make().module, "kernel", context));
  }
}

TEST(GeneratorTest, ShrinkingKeepsWhatMatters) {
  std::vector<uint32_t> many(300, 7);
  many[120] = 42;
  auto small = shrink(
      many, [](const std::vector<uint32_t> &list) { return std::count(list.begin(), list.end(), 42u) == 1; },
      std::chrono::seconds(20));
  EXPECT_EQ(small, std::vector<uint32_t>{42});
}

} // namespace
