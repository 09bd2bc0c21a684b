//===- LegalTest.cpp - no legal evaluation lies outside the ends ----------------------------------------===//
//
// Kernels as people write them run many times; each time every function of stated error gives another value
// within that error, and every free sum another order. What comes out must lie within the ends that Bounds
// gave once. The test counts elements and how wide the ends are beside the largest deviation that was seen.
// TRISECT_LEGAL_ROUNDS makes it longer (./dev bench bounds).
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "tests/unit/bounds/BoundsRun.h"
#include <algorithm>
#include <cstdlib>
#include <random>

namespace trisect::interp {
namespace {

/// Moves the results of open functions within their error.
class Legally final : public Observer {
public:
  /// `times`: so many times as far as is legal.
  Legally(const BoundProfile &profile, uint64_t seed, int64_t times = 1)
      : profile(profile), random(seed), times(times) {}

  void after(Instance &s, const Instr &i) override {
    if (i.opcode != Opcode::Elementwise)
      return;
    SlotId slot = s.resultSlot(i);
    DType type = s.type(slot);
    int64_t ulps = openUlps(i.op, type, profile) * times;
    if (!ulps)
      return;
    const Shape &shape = s.shape(slot);
    Value moved;
    unsigned size = byteSize(type);
    moved.setDense(s.pool.acquire(shape.elements * size));
    copyOut(s.slot(slot), type, shape, 0, shape.elements, moved.data);
    for (int64_t n = 0; n < shape.elements; ++n) {
      uint64_t bits = 0;
      std::memcpy(&bits, moved.data + n * size, size);
      if (!isNan(bits, type))
        bits = shifted(bits, type, std::uniform_int_distribution<int64_t>(-ulps, ulps)(random));
      std::memcpy(moved.data + n * size, &bits, size);
    }
    if (shape.rank() == 0) {
      uint64_t bits = 0;
      std::memcpy(&bits, moved.data, size);
      moved.setSplat(bits);
    }
    s.slot(slot) = std::move(moved);
  }

private:
  BoundProfile profile;
  std::mt19937_64 random;
  int64_t times;
};

struct Kernel {
  const char *name;
  DType type;
  const char *spelling;
  const char *body;
};

const Kernel kernels[] = {
    {"softmax", DType::F32, "f32", R"(
  %m = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.maxnumf %a, %b : f32
    tt.reduce.return %r : f32
  }) : (tensor<64xf32>) -> f32
  %ms = tt.splat %m : f32 -> tensor<64xf32>
  %d = arith.subf %x, %ms : tensor<64xf32>
  %e = math.exp %d : tensor<64xf32>
  %s = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tt.reduce.return %r : f32
  }) : (tensor<64xf32>) -> f32
  %ss = tt.splat %s : f32 -> tensor<64xf32>
  %out = arith.divf %e, %ss : tensor<64xf32>)"},
    {"gelu", DType::F32, "f32", R"(
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %root = arith.constant dense<0.70710677> : tensor<64xf32>
  %a = arith.mulf %x, %root : tensor<64xf32>
  %e = math.erf %a : tensor<64xf32>
  %p = arith.addf %e, %one : tensor<64xf32>
  %h = arith.mulf %x, %half : tensor<64xf32>
  %out = arith.mulf %h, %p : tensor<64xf32>)"},
    {"quantise", DType::I8, "i8", R"(
  %scale = arith.constant dense<100.0> : tensor<64xf32>
  %t = math.tanh %x : tensor<64xf32>
  %v = arith.mulf %t, %scale : tensor<64xf32>
  %w = math.roundeven %v : tensor<64xf32>
  %out = arith.fptosi %w : tensor<64xf32> to tensor<64xi8>)"},
    {"rotate", DType::BF16, "bf16", R"(
  %c = math.cos %x : tensor<64xf32>
  %s = math.sin %x : tensor<64xf32>
  %a = arith.mulf %y, %c : tensor<64xf32>
  %b = arith.mulf %x, %s : tensor<64xf32>
  %d = arith.subf %a, %b : tensor<64xf32>
  %out = arith.truncf %d : tensor<64xf32> to tensor<64xbf16>)"},
    {"choose", DType::F32, "f32", R"(
  %e = math.exp %x : tensor<64xf32>
  %l = math.log %y : tensor<64xf32>
  %m = arith.cmpf ogt, %e, %y : tensor<64xf32>
  %out = arith.select %m, %e, %l : tensor<64xi1>, tensor<64xf32>)"},
    {"product", DType::F64, "f64", R"(
  %e = math.exp %x : tensor<64xf32>
  %we = arith.extf %e : tensor<64xf32> to tensor<64xf64>
  %wy = arith.extf %y : tensor<64xf32> to tensor<64xf64>
  %a0 = tt.reshape %we : tensor<64xf64> -> tensor<8x8xf64>
  %b0 = tt.reshape %wy : tensor<64xf64> -> tensor<8x8xf64>
  %zero = arith.constant dense<0.0> : tensor<8x8xf64>
  %d = tt.dot %a0, %b0, %zero : tensor<8x8xf64> * tensor<8x8xf64> -> tensor<8x8xf64>
  %tr = tt.trans %d {order = array<i32: 1, 0>} : tensor<8x8xf64> -> tensor<8x8xf64>
  %out = tt.reshape %tr : tensor<8x8xf64> -> tensor<64xf64>)"},
    {"powers", DType::F64, "f64", R"(
  %a = math.absf %x : tensor<64xf32>
  %w = arith.extf %a : tensor<64xf32> to tensor<64xf64>
  %l = math.log2 %w : tensor<64xf64>
  %k = arith.extf %y : tensor<64xf32> to tensor<64xf64>
  %p = arith.mulf %l, %k : tensor<64xf64>
  %out = math.exp2 %p : tensor<64xf64>)"},
    {"through_memory", DType::F32, "f32", R"(
  %e = math.rsqrt %y : tensor<64xf32>
  tt.store %from, %e : tensor<64x!tt.ptr<f32>>
  %again = tt.load %from : tensor<64x!tt.ptr<f32>>
  %out = arith.mulf %again, %x : tensor<64xf32>)"},
};

class LegalTest : public BoundsRun, public testing::WithParamInterface<Kernel> {
protected:
  /// Every element of a run lies within its ends, those in doubt apart.
  bool inside(const Outcome &bound, const Outcome &other, DType type) const {
    for (int n = 0; n < elements; ++n) {
      uint64_t bits = other.bits[size_t(n)];
      auto open = bound.open.find(n);
      if (open == bound.open.end() ? bits == bound.bits[size_t(n)] : open->second.span.holds(bits, type))
        continue;
      return false;
    }
    return true;
  }

  void fill(std::mt19937_64 &random) {
    std::normal_distribution<float> normal;
    for (int n = 0; n < elements; ++n) {
      x[size_t(n)] = normal(random);
      y[size_t(n)] = std::fabs(normal(random)) + 0.1f;
    }
  }
};

constexpr uint64_t evaluationsPerRound = 250;

int wantedRounds() {
  const char *text = std::getenv("TRISECT_LEGAL_ROUNDS");
  return text ? std::max(1, std::atoi(text)) : 8;
}

TEST_P(LegalTest, NoLegalEvaluationLiesOutside) {
  const Kernel &kernel = GetParam();
  auto decoded = program(BoundsRun::kernel(kernel.body, kernel.spelling));
  std::mt19937_64 random(7);
  std::vector<double> ratios;
  BoundProfile profile = openFunctions;
  uint64_t evaluations = 0;
  for (int round = 0; round < wantedRounds(); ++round) {
    fill(random);
    Outcome bound = run(*decoded, kernel.type, profile);
    ASSERT_EQ(bound.lost, "");
    std::vector<int64_t> seen(elements, 0);
    for (uint64_t n = 0; n < evaluationsPerRound; ++n) {
      uint64_t seed = evaluations++;
      Legally legally(profile, seed);
      Outcome other = run(*decoded, kernel.type, profile, &legally);
      ASSERT_TRUE(inside(bound, other, kernel.type)) << "round " << round << ", seed " << seed;
      for (int n = 0; n < elements; ++n)
        seen[size_t(n)] = std::max(seen[size_t(n)], std::abs(rankOf(other.bits[size_t(n)], kernel.type) -
                                                             rankOf(bound.bits[size_t(n)], kernel.type)));
    }
    for (auto &[n, legal] : bound.open) {
      int64_t own = rankOf(bound.bits[size_t(n)], kernel.type);
      int64_t wide =
          std::max(rankOf(legal.span.high, kernel.type) - own, own - rankOf(legal.span.low, kernel.type));
      if (!legal.span.inDoubt(kernel.type) && seen[size_t(n)])
        ratios.push_back(double(wide) / double(seen[size_t(n)]));
    }
  }
  RecordProperty("evaluations", std::to_string(evaluations));
  // A narrow result seldom moves at all.
  ASSERT_TRUE(!ratios.empty() || byteSize(kernel.type) < 4);
  if (ratios.empty())
    return;
  auto middle = ratios.begin() + std::ptrdiff_t(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  RecordProperty("median_bound_beside_largest_deviation", std::to_string(*middle));
  EXPECT_LE(*middle, 32.0);
}

TEST_P(LegalTest, WhatIsFartherThanLegalIsNoticed) {
  const Kernel &kernel = GetParam();
  auto decoded = program(BoundsRun::kernel(kernel.body, kernel.spelling));
  std::mt19937_64 random(11);
  BoundProfile profile = openFunctions;
  fill(random);
  Outcome bound = run(*decoded, kernel.type, profile);
  bool noticed = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Legally wrong(profile, seed, int64_t(1) << 18);
    noticed |= !inside(bound, run(*decoded, kernel.type, profile, &wrong), kernel.type);
  }
  EXPECT_TRUE(noticed);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LegalTest, testing::ValuesIn(kernels),
                         [](const auto &each) { return std::string(each.param.name); });

} // namespace
} // namespace trisect::interp
