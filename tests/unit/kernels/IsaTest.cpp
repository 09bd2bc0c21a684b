//===- IsaTest.cpp - the ISA level that a process uses --------------------------------------------------===//
//
// What: TRISECT_ISA takes effect (the default kernel is the forced level's own code) and bad values are
// refused with a list of good ones. A level is chosen once in a process, so each case runs in a child.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Outcome.h"
#include "interp/kernels/KernelTable.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

using namespace trisect;
using namespace trisect::interp;

namespace {

constexpr ElementwiseKey addF32 = {OpId::arith_addf, DType::F32, DType::F32};

/// In a child: exit code 10 + level if lookups without a level give that level's kernel.
[[noreturn]] void reportLevel(const char *forced) {
  setenv("TRISECT_ISA", forced, 1);
  const Isa isa = activeIsa();
  const bool own =
      elementwiseKernel(addF32, Numerics::Ieee) == elementwiseKernel(addF32, Numerics::Ieee, isa);
  std::_Exit(own ? 10 + static_cast<int>(isa) : 1);
}

TEST(IsaDeathTest, EnvironmentForcesALevel) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (Isa isa : isaLevels)
    if (isaAvailable(isa)) {
      EXPECT_EXIT(reportLevel(std::string(isaName(isa)).c_str()),
                  testing::ExitedWithCode(10 + static_cast<int>(isa)), "");
    }
}

[[noreturn]] void reportError(const char *forced) {
  setenv("TRISECT_ISA", forced, 1);
  try {
    activeIsa();
  } catch (const InvalidInput &error) {
    fprintf(stderr, "%s\n", error.what());
    std::_Exit(3);
  }
  std::_Exit(0);
}

TEST(IsaDeathTest, BadValueListsTheGoodOnes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(reportError("sse9"), testing::ExitedWithCode(3),
              "TRISECT_ISA='sse9' makes no sense: expected one of scalar");
}

TEST(Isa, LevelsHaveTheirOwnCode) {
  const ElementwiseFn scalar = elementwiseKernel(addF32, Numerics::Ieee, Isa::Scalar);
  ASSERT_NE(scalar, nullptr);
  for (Isa isa : isaLevels) {
    if (isa == Isa::Scalar || !isaAvailable(isa))
      continue;
    EXPECT_NE(elementwiseKernel(addF32, Numerics::Ieee, isa), scalar) << isaName(isa);
  }
}

TEST(Isa, SenselessTypesHaveNoKernel) {
  EXPECT_EQ(elementwiseKernel({OpId::arith_addf, DType::I32, DType::I32}, Numerics::Ieee), nullptr);
  EXPECT_EQ(reduceKernel(OpId::arith_divf, DType::F32), nullptr);
  EXPECT_EQ(dotKernel(DType::I8, DType::F32, DType::F32, DotPrecision::Ieee), nullptr);
}

} // namespace
