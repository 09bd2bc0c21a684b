//===- CpuMathTest.cpp - accuracy of tier 1's own functions ---------------------------------------------===//
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "jit/check/Element.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

using namespace trisect;

namespace {

constexpr int blocks = 64, block = 1024;

/// Runs `op` of the math dialect over a grid of blocks.
std::vector<float> evaluate(const std::string &op, std::vector<float> in) {
  std::string source = R"(
tt.func public @k(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %size = arith.constant 1024 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %size : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  %offs = arith.addi %starts, %range : tensor<1024xi32>
  %is = tt.splat %in : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ip = tt.addptr %is, %offs : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %ip : tensor<1024x!tt.ptr<f32>>
  %y = math.)" + op + R"( %x : tensor<1024xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %op = tt.addptr %os, %offs : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %op, %y : tensor<1024x!tt.ptr<f32>>
  tt.return
})";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModule(source, "math", context);
  registerTargets();
  Target *target = TargetRegistry::find("cpu");
  auto kernel = target->device({})->load(
      std::make_shared<const Artifact>(target->compile(*module, "k", *target->readOptions({}), Form::Any)));
  std::vector<float> out(in.size());
  ArgBits args[] = {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.data())};
  kernel->launch({{blocks, 1, 1}, args, {}, nullptr});
  return out;
}

struct Function {
  const char *op;
  double (*exact)(double);
  double low, high;
  uint64_t ulp;
};

class CpuMath : public testing::TestWithParam<Function> {};

TEST_P(CpuMath, StaysWithinItsBound) {
  const Function &function = GetParam();
  std::vector<float> in(blocks * block);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(function.low +
                               (function.high - function.low) * static_cast<double>(i) / in.size());
  // The whole range of exponents as well, for functions of positive numbers.
  if (function.low > 0)
    for (size_t i = 0; i < in.size(); i += 2)
      in[i] = std::bit_cast<float>(static_cast<uint32_t>(i * 32633u + 1u) % 0x7f800000u);
  std::vector<float> out = evaluate(function.op, in);
  uint64_t worst = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    auto want = static_cast<float>(function.exact(in[i]));
    auto distance =
        jit::ulpDistance(std::bit_cast<uint32_t>(want), std::bit_cast<uint32_t>(out[i]), DType::F32);
    ASSERT_TRUE(distance) << function.op << "(" << in[i] << ") = " << out[i] << ", exactly " << want;
    worst = std::max(worst, *distance);
    ASSERT_LE(*distance, function.ulp)
        << function.op << "(" << in[i] << ") = " << out[i] << ", exactly " << want;
  }
  EXPECT_GT(worst, 0u) << "a bound that is never used is too wide";
}

INSTANTIATE_TEST_SUITE_P(All, CpuMath,
                         testing::Values(Function{"exp", std::exp, -104.0, 88.7, 1},
                                         Function{"exp2", std::exp2, -149.0, 127.9, 1},
                                         Function{"log", std::log, 1e-3, 10.0, 1},
                                         Function{"log2", std::log2, 1e-3, 10.0, 1}),
                         [](const auto &info) { return std::string(info.param.op); });

TEST(CpuMathSpecial, ValuesAtTheEdges) {
  float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  std::vector<float> in(blocks * block, 1.0f);
  float special[] = {0.0f, -0.0f, infinity, -infinity, nan, -1.0f, 200.0f, -200.0f};
  std::copy(std::begin(special), std::end(special), in.begin());
  std::vector<float> exp = evaluate("exp", in), log = evaluate("log", in);
  EXPECT_EQ(exp[0], 1.0f);
  EXPECT_EQ(exp[1], 1.0f);
  EXPECT_EQ(exp[2], infinity);
  EXPECT_EQ(exp[3], 0.0f);
  EXPECT_TRUE(std::isnan(exp[4]));
  EXPECT_EQ(exp[6], infinity);
  EXPECT_EQ(exp[7], 0.0f);
  EXPECT_EQ(log[0], -infinity);
  EXPECT_EQ(log[1], -infinity);
  EXPECT_EQ(log[2], infinity);
  EXPECT_TRUE(std::isnan(log[3]));
  EXPECT_TRUE(std::isnan(log[4]));
  EXPECT_TRUE(std::isnan(log[5]));
  EXPECT_EQ(log[8], 0.0f);
}

} // namespace
