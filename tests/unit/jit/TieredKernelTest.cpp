//===- TieredKernelTest.cpp - kernels through the tiers -------------------------------------------------===//
#include "core/support/Outcome.h"
#include "tests/unit/jit/Arguments.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::jit;

namespace {

TEST(TieredKernel, VectorAddIsPromotedAndEqual) {
  auto kernel = load("vector_add.ttir");
  constexpr int n = 1000;
  std::vector<float> x = ramp(n, 0.25f), y = ramp(n, 0.5f), out(n);
  Arguments arguments;
  arguments.tensor(x, {n});
  arguments.tensor(y, {n});
  arguments.tensor(out, {n});
  arguments.integer(n);
  launchUntilPromoted(*kernel, arguments.request({4, 1, 1}));
  EXPECT_EQ(kernel->tier(), "cpu");
  ASSERT_EQ(kernel->events().size(), 2u);
  Event promoted = kernel->events().back();
  EXPECT_EQ(promoted.kind, Event::Kind::Promoted);
  EXPECT_EQ(promoted.verdict->kind, VerdictKind::Equal);
  EXPECT_EQ(promoted.verdict->bytes, 4 * n);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(out[i], x[i] + y[i]) << i;
}

TEST(TieredKernel, AKernelMayNameItsTier) {
  constexpr int n = 100;
  std::vector<float> x = ramp(n, 0.25f), out(n);
  Arguments arguments;
  for (std::vector<float> *data : {&x, &x, &out})
    arguments.tensor(*data, {n});
  arguments.integer(n);
  With demanded(OptionId::Tier, "cpu");
  auto pinned = load("vector_add.ttir", {{"tier", "interp"}});
  pinned->launch(arguments.request({1, 1, 1}));
  EXPECT_EQ(pinned->tier(), "interp");
  auto free = load("vector_add.ttir", {{"tier", ""}});
  free->launch(arguments.request({1, 1, 1}));
  EXPECT_EQ(free->tier(), "cpu");
}

TEST(TieredKernel, OnlyTrustedCodeDoesWithoutViews) {
  auto kernel = fromText("tt.func public @one(%x: !tt.ptr<f32>) {\n"
                         "  %one = arith.constant 1.0 : f32\n"
                         "  tt.store %x, %one : !tt.ptr<f32>\n"
                         "  tt.return\n"
                         "}\n");
  std::vector<float> x(4);
  Arguments arguments;
  arguments.tensor(x, {4});
  With demanded(OptionId::Tier, "cpu");
  LaunchRequest bare = arguments.request({1, 1, 1});
  bare.tensors = {};
  // Whether it runs, and whether it says so.
  auto runsBare = [&] {
    x[0] = 0;
    bool ran = kernel->launchWithoutTensors(bare);
    EXPECT_EQ(ran, x[0] == 1);
    EXPECT_EQ(ran, !kernel->wantsTensors());
    return ran;
  };
  EXPECT_FALSE(runsBare());
  kernel->launch(arguments.request({1, 1, 1}));
  EXPECT_TRUE(runsBare());
  {
    With always(OptionId::Check, "always");
    EXPECT_FALSE(runsBare());
  }
  EXPECT_TRUE(runsBare());
  With interpreted(OptionId::Interpret, "1");
  EXPECT_FALSE(runsBare());
}

TEST(TieredKernel, AComparedLaunchHasItsViews) {
  auto kernel = fromText("tt.func public @one(%x: !tt.ptr<f32>) {\n"
                         "  %one = arith.constant 1.0 : f32\n"
                         "  tt.store %x, %one : !tt.ptr<f32>\n"
                         "  tt.return\n"
                         "}\n");
  alignas(64) float data[64] = {};
  With demanded(OptionId::Tier, "cpu");
  Arguments arguments;
  auto bareAt = [&](int element) {
    arguments.bits = {reinterpret_cast<uint64_t>(data + element)};
    return arguments.request({1, 1, 1});
  };
  LaunchRequest first = bareAt(0);
  kernel->launch(first);
  EXPECT_TRUE(kernel->launchWithoutTensors(bareAt(0)));
  // Aligned as no launch was that was compared.
  EXPECT_FALSE(kernel->launchWithoutTensors(bareAt(3)));
  EXPECT_EQ(data[3], 0);
  kernel->launch(bareAt(3));
  EXPECT_TRUE(kernel->launchWithoutTensors(bareAt(3)));
  EXPECT_EQ(data[3], 1);
}

TEST(TieredKernel, NansInMemoryOfNoTensorAreEqual) {
  // The compiler folds the quotient, whose sign the processor chooses.
  auto kernel = fromText("tt.func public @nan(%address: i64) {\n"
                         "  %zero = arith.constant 0.0 : f32\n"
                         "  %nan = arith.divf %zero, %zero : f32\n"
                         "  %half = arith.truncf %nan : f32 to f16\n"
                         "  %x = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>\n"
                         "  tt.store %x, %half : !tt.ptr<f16>\n"
                         "  tt.return\n"
                         "}\n");
  uint16_t data[2] = {};
  With demanded(OptionId::Tier, "cpu");
  Arguments arguments;
  arguments.bits = {reinterpret_cast<uint64_t>(data)};
  kernel->launch(arguments.request({1, 1, 1}));
  EXPECT_EQ(kernel->tier(), "cpu");
  EXPECT_EQ(kernel->events().back().verdict->kind, VerdictKind::Equal) << kernel->events().back().text;
}

TEST(TieredKernel, SoftmaxIsPromotedWithinItsBound) {
  auto kernel = load("softmax.ttir");
  constexpr int rows = 6, columns = 1000;
  std::vector<float> in = ramp(rows * columns, 0.013f), out(in.size());
  Arguments arguments;
  arguments.tensor(out, {rows, columns});
  arguments.tensor(in, {rows, columns});
  for (int value : {columns, columns, columns})
    arguments.integer(value);
  auto check = [&] {
    for (int r = 0; r < rows; ++r) {
      double top = -1e30, sum = 0;
      for (int c = 0; c < columns; ++c)
        top = std::max<double>(top, in[r * columns + c]);
      for (int c = 0; c < columns; ++c)
        sum += std::exp(in[r * columns + c] - top);
      for (int c = 0; c < columns; ++c) {
        double want = std::exp(in[r * columns + c] - top) / sum;
        ASSERT_NEAR(out[r * columns + c], want, want * 1e-6);
      }
    }
  };
  launchUntilPromoted(*kernel, arguments.request({rows, 1, 1}));
  check();
  EXPECT_EQ(kernel->tier(), "cpu") << kernel->events().back().text;
  EXPECT_TRUE(kernel->events().back().verdict->good()) << kernel->events().back().text;
}

TEST(TieredKernel, MatmulIsPromotedAndEqual) {
  auto kernel = load("matmul.ttir");
  constexpr int m = 70, n = 130, k = 50;
  std::vector<float> a = ramp(m * k, 0.01f), b = ramp(k * n, 0.03f), c(m * n);
  Arguments arguments;
  arguments.tensor(a, {m, k});
  arguments.tensor(b, {k, n});
  arguments.tensor(c, {m, n});
  for (int value : {m, n, k, k, n, n})
    arguments.integer(value);
  launchUntilPromoted(*kernel, arguments.request({3, 3, 1}));
  EXPECT_EQ(kernel->tier(), "cpu") << kernel->events().back().text;
  EXPECT_EQ(kernel->events().back().verdict->kind, VerdictKind::Equal);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float want = 0;
      for (int l = 0; l < k; ++l)
        want = std::fma(a[i * k + l], b[l * n + j], want);
      ASSERT_EQ(c[i * n + j], want) << i << ", " << j;
    }
}

TEST(TieredKernel, OverlappingArgumentsKeepProgramOrder) {
  // out is in, one element further: every load of a program must come before its store.
  With tier(OptionId::Tier, "cpu");
  auto kernel = load("copy.ttir");
  std::vector<float> data = ramp(257, 1.0f), before = data;
  std::vector<float> view;
  Arguments arguments;
  arguments.tensor(data, {256});
  arguments.bits.push_back(arguments.bits[0] + 4);
  TensorView shifted = arguments.views[0];
  shifted.argument = 1;
  shifted.address += 4;
  arguments.views.push_back(shifted);
  kernel->launch(arguments.request({1, 1, 1}));
  EXPECT_EQ(data[0], before[0]);
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(data[i + 1], before[i]) << i;
}

TEST(TieredKernel, AssertionStopsTheProgramOnEveryTier) {
  for (const char *name : {"interp", "cpu"}) {
    With tier(OptionId::Tier, name);
    With check(OptionId::Check, "off");
    auto kernel = load("assert.ttir");
    std::vector<float> out(256);
    Arguments arguments;
    arguments.tensor(out, {256});
    arguments.integer(128);
    kernel->launch(arguments.request({2, 1, 1}));
    EXPECT_EQ(out[127], 1.0f);
    try {
      kernel->launch(arguments.request({4, 1, 1}));
      FAIL() << name << " ran on";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, FaultKind::Assert);
      EXPECT_GE(fault.fault().programId[0], 2) << name;
      EXPECT_EQ(fault.fault().position.line, 5) << name;
      EXPECT_NE(std::string(fault.what()).find("too far"), std::string::npos) << fault.what();
    }
    EXPECT_EQ(out[192], 0.0f) << name;
  }
}

TEST(TieredKernel, WrongArgumentCountIsInvalid) {
  auto kernel = load("vector_add.ttir");
  Arguments arguments;
  arguments.integer(1);
  EXPECT_THROW(kernel->launch(arguments.request({1, 1, 1})), InvalidInput);
}

TEST(Kernel, NamesWhatIsMissing) {
  EXPECT_THROW(Kernel::create("module {}", ""), InvalidInput);
  EXPECT_THROW(Kernel::create("tt.func public @a() { tt.return }", "b"), InvalidInput);
}

} // namespace
