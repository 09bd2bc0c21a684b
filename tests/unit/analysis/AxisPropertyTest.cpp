//===- AxisPropertyTest.cpp - axis facts hold in programs that run --------------------------------------===//
//
// Random programs are executed on numbers, and every value that comes to be is held against the facts claimed
// of it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "Evaluate.h"
#include "RandomModule.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/Registry.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace trisect::tt {

namespace {

/// What a value breaks of its facts; empty if nothing.
std::string broken(const AxisInfo &info, ArrayRef<int64_t> shape, const Elements &elements) {
  int64_t inner = elements.size();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t length = shape[axis];
    inner /= length;
    for (size_t n = 0; n < elements.size(); ++n) {
      int64_t at = n / inner % length;
      if (at % info.contiguity(axis) == 0 && elements[n] % info.divisibility(axis) != 0)
        return "divisibility";
      if (at % info.contiguity(axis) != 0 && elements[n] != elements[n - inner] + info.unit)
        return "contiguity";
      if (at % info.constancy(axis) != 0 && elements[n] != elements[n - inner])
        return "constancy";
    }
  }
  if (info.constant && llvm::any_of(elements, [&](int64_t element) { return element != *info.constant; }))
    return "constant";
  if (info.nonNegative && llvm::any_of(elements, [](int64_t element) { return element < 0; }))
    return "sign";
  return "";
}

struct Counts {
  size_t values = 0, contiguous = 0, uniform = 0, divisible = 0;
};

void checkSeed(MLIRContext &context, uint64_t seed, Counts &counts) {
  OwningOpRef<ModuleOp> module = makeRandomModule(context, seed);
  ASSERT_TRUE(succeeded(verify(*module))) << "seed " << seed;
  auto func = *module->getOps<FuncOp>().begin();
  AxisFacts facts(*module);
  std::mt19937_64 random(seed);
  for (int sample = 0; sample < 8; ++sample) {
    int64_t base = 16 * int64_t(random() % 1000), n = 8 * (int64_t(random() % 40) - 10),
            m = int64_t(random() % 200) - 50;
    evaluate(func, {base, n, m, random() % 2 ? -1 : 0}, random() % 20,
             [&](Value value, const Elements &elements) {
               AxisInfo info = facts.of(value);
               std::string claim = broken(info, axesOf(value.getType()), elements);
               if (!claim.empty()) {
                 std::string text;
                 llvm::raw_string_ostream stream(text);
                 info.print(stream);
                 stream << "\n" << value << "\n" << *module;
                 ADD_FAILURE() << "seed " << seed << ", n = " << n << ", m = " << m << ": broken " << claim
                               << " of " << text;
               }
               ++counts.values;
               auto any = [&](int64_t AxisInfo::Dimension::*member) {
                 return llvm::any_of(info.dimensions,
                                     [&](const auto &dimension) { return dimension.*member > 1; });
               };
               counts.contiguous += any(&AxisInfo::Dimension::contiguity);
               counts.uniform += any(&AxisInfo::Dimension::constancy);
               counts.divisible += any(&AxisInfo::Dimension::divisibility);
             });
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(AxisProperty, FactsHoldInRandomPrograms) {
  MLIRContext context;
  loadDialects(context);
  Counts counts;
  for (uint64_t seed = 0; seed < 2000 && !::testing::Test::HasFailure(); ++seed)
    checkSeed(context, seed, counts);
  // The programs must not be so wild that nothing is claimed of them.
  EXPECT_GT(counts.values, 100000u);
  EXPECT_GT(counts.contiguous, counts.values / 20);
  EXPECT_GT(counts.uniform, counts.values / 20);
  EXPECT_GT(counts.divisible, counts.values / 10);
}

} // namespace
} // namespace trisect::tt
