//===- BoundsTest.cpp - what is open, what is exact, what is lost ---------------------------------------===//
#include "tests/unit/bounds/BoundsRun.h"

namespace trisect::interp {
namespace {

class BoundsTest : public BoundsRun {
protected:
  Outcome of(const std::string &body, DType type = DType::F32, const std::string &spelling = "f32",
             const BoundProfile &profile = openFunctions) {
    return run(*program(kernel(body, spelling)), type, profile);
  }
};

TEST_F(BoundsTest, NothingIsOpenWhereEveryOperationIsRounded) {
  Outcome outcome = of(R"(
  %a = arith.mulf %x, %y : tensor<64xf32>
  %b = arith.addf %a, %y : tensor<64xf32>
  %c = math.sqrt %b : tensor<64xf32>
  %out = arith.divf %c, %y : tensor<64xf32>)",
                       DType::F32, "f32", BoundProfile::cpu());
  EXPECT_TRUE(outcome.open.empty());
  EXPECT_EQ(outcome.lost, "");
}

TEST_F(BoundsTest, AFunctionIsOpenByItsStatedErrorAndNoMore) {
  Outcome outcome = of("  %out = math.cbrt %x : tensor<64xf32>");
  ASSERT_EQ(outcome.open.size(), size_t(elements));
  for (auto &[n, legal] : outcome.open) {
    int64_t own = rankOf(outcome.bits[size_t(n)], DType::F32);
    EXPECT_EQ(rankOf(legal.span.high, DType::F32) - own, 3); // 0.51 + 1, and one for a power of two
    EXPECT_EQ(own - rankOf(legal.span.low, DType::F32), 3);
  }
}

TEST_F(BoundsTest, OnACpuOnlyFunctionsThatAreNoOpAreOpen) {
  auto opensOf = [&](const std::string &symbol) {
    return of("  %out = tt.extern_elementwise %x {libname = \"\", libpath = \"\", pure = true, symbol = \"" +
                  symbol + "\"} : (tensor<64xf32>) -> tensor<64xf32>",
              DType::F32, "f32", BoundProfile::cpu())
        .open.size();
  };
  EXPECT_TRUE(
      of("  %out = math.exp %x : tensor<64xf32>", DType::F32, "f32", BoundProfile::cpu()).open.empty());
  EXPECT_EQ(opensOf("__nv_expf"), 0u);
  EXPECT_EQ(opensOf("__nv_fast_tanhf"), 0u);
  EXPECT_EQ(opensOf("__nv_erfcf"), size_t(elements));
}

TEST_F(BoundsTest, WhatSomeOrderTakesOutOfTheTypeIsInDoubt) {
  // Sums to 0 in tier 0's order; another order comes by infinity.
  x[0] = x[1] = 3e38f, x[62] = x[63] = -3e38f;
  std::string sum = R"(
  %m = "tt.KIND"(%x) <{axis = 0 : i32ORDER}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tt.KIND.return %r : f32
  }) : (tensor<64xf32>) -> )";
  auto made = [&](std::string text, const std::string &kind, const std::string &order) {
    for (size_t at; (at = text.find("KIND")) != std::string::npos;)
      text.replace(at, 4, kind);
    return text.replace(text.find("ORDER"), 5, order);
  };
  std::string reduced = made(sum, "reduce", "") + "f32\n  %out = tt.splat %m : f32 -> tensor<64xf32>";
  std::string scanned = made(sum, "scan", ", reverse = false") +
                        "tensor<64xf32>\n  %zero = arith.constant dense<0.0> : tensor<64xf32>\n"
                        "  %out = arith.addf %m, %zero : tensor<64xf32>";
  std::string product = R"(
  %ones = arith.constant dense<1.0> : tensor<64x1xf32>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %row = tt.expand_dims %x {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %d = tt.dot %row, %ones, %none : tensor<1x64xf32> * tensor<64x1xf32> -> tensor<1x1xf32>
  %e = tt.broadcast %d : tensor<1x1xf32> -> tensor<64x1xf32>
  %out = tt.reshape %e : tensor<64x1xf32> -> tensor<64xf32>)";
  for (const std::string &body : {reduced, scanned, product}) {
    Outcome outcome = of(body, DType::F32, "f32", BoundProfile::cuda(false));
    ASSERT_EQ(outcome.open.size(), size_t(elements)) << body;
    EXPECT_TRUE(outcome.open[63].span.inDoubt(DType::F32)) << body;
  }
  x[0] = x[1] = x[62] = x[63] = 0, x[5] = 3.4e38f; // which is infinite in tf32
  EXPECT_TRUE(of(product, DType::F32, "f32", BoundProfile::cuda(false)).open[63].span.inDoubt(DType::F32));
  x[5] = 1, x[0] = x[1] = 3, x[62] = x[63] = -3;
  EXPECT_FALSE(of(reduced, DType::F32, "f32", BoundProfile::cuda(false)).open[63].span.inDoubt(DType::F32));
}

TEST_F(BoundsTest, ABodyThatOnlyChoosesGivesOneOfItsElements) {
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %m = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.cmpf ogt, %a, %b : f32
    %r = arith.select %g, %a, %b : f32
    tt.reduce.return %r : f32
  }) : (tensor<64xf32>) -> f32
  %out = tt.splat %m : f32 -> tensor<64xf32>)");
  ASSERT_EQ(outcome.open.size(), size_t(elements));
  EXPECT_FALSE(outcome.open.begin()->second.span.inDoubt(DType::F32));
}

TEST_F(BoundsTest, AComparisonInDoubtGivesTheHullOfBothSides) {
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %same = arith.constant dense<2.7182817> : tensor<64xf32>
  %m = arith.cmpf ogt, %e, %same : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %ten = arith.constant dense<10.0> : tensor<64xf32>
  %out = arith.select %m, %one, %ten : tensor<64xi1>, tensor<64xf32>)");
  ASSERT_EQ(outcome.open.size(), size_t(elements));
  EXPECT_EQ(toDouble(outcome.open[0].span.low, DType::F32), 1);
  EXPECT_EQ(toDouble(outcome.open[0].span.high, DType::F32), 10);
}

TEST_F(BoundsTest, AComparisonThatIsClearLeavesNothingOpen) {
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %m = arith.cmpf ogt, %e, %y : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %ten = arith.constant dense<10.0> : tensor<64xf32>
  %out = arith.select %m, %one, %ten : tensor<64xi1>, tensor<64xf32>)");
  EXPECT_TRUE(outcome.open.empty());
}

TEST_F(BoundsTest, AFloatBesideAnIntegerGivesAnInterval) {
  x.assign(elements, 0.0f);
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %i = arith.fptosi %e : tensor<64xf32> to tensor<64xi32>
  %five = arith.constant dense<5> : tensor<64xi32>
  %out = arith.muli %i, %five : tensor<64xi32>)",
                       DType::I32, "i32");
  ASSERT_EQ(outcome.open.size(), size_t(elements));
  EXPECT_EQ(outcome.open[0].span.low, 0u);
  EXPECT_EQ(outcome.open[0].span.high, 5u);
}

TEST_F(BoundsTest, WhatIsUndefinedIsInDoubt) {
  Outcome outcome = of(R"(
  %zero = arith.constant dense<0> : tensor<64xi32>
  %out = arith.divsi %at, %zero : tensor<64xi32>)",
                       DType::I32, "i32");
  ASSERT_EQ(outcome.open.size(), size_t(elements));
  EXPECT_TRUE(outcome.open[0].span.inDoubt(DType::I32));
}

TEST_F(BoundsTest, BitsOfANanAreNobodys) {
  x.assign(elements, -1.0f);
  Outcome outcome = of(R"(
  %r = math.sqrt %x : tensor<64xf32>
  %out = arith.bitcast %r : tensor<64xf32> to tensor<64xi32>)",
                       DType::I32, "i32");
  EXPECT_EQ(outcome.open.size(), size_t(elements));
}

TEST_F(BoundsTest, BitsOfANanAreNobodysAsAnotherFloat) {
  x.assign(elements, -1.0f);
  Outcome outcome = of(R"(
  %h = arith.truncf %x : tensor<64xf32> to tensor<64xf16>
  %r = math.sqrt %h : tensor<64xf16>
  %out = arith.bitcast %r : tensor<64xf16> to tensor<64xbf16>)",
                       DType::BF16, "bf16");
  EXPECT_EQ(outcome.open.size(), size_t(elements));
}

TEST_F(BoundsTest, WhichOfEqualElementsIsChosenIsOpenOnAGpu) {
  const std::string body = R"(
  %m:2 = "tt.reduce"(%x, %at) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %more, %a, %b : f32
    %n = arith.select %more, %i, %j : i32
    tt.reduce.return %v, %n : f32, i32
  }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  %out = tt.splat %m#1 : i32 -> tensor<64xi32>)";
  for (int n = 0; n < elements; ++n)
    x[static_cast<size_t>(n)] = static_cast<float>(n);
  EXPECT_EQ(of(body, DType::I32, "i32", BoundProfile::cuda(true)).open.size(), 0u);
  x[3] = 63;
  EXPECT_EQ(of(body, DType::I32, "i32", BoundProfile::cuda(true)).open.size(), size_t(elements));
  EXPECT_EQ(of(body, DType::I32, "i32").open.size(), 0u) << "the order of a CPU is tier 0's";
}

TEST_F(BoundsTest, AnOpenBranchLosesTheRest) {
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %s = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tt.reduce.return %r : f32
  }) : (tensor<64xf32>) -> f32
  %same = arith.constant 173.97003 : f32
  %m = arith.cmpf ogt, %s, %same : f32
  %out = scf.if %m -> (tensor<64xf32>) {
    scf.yield %x : tensor<64xf32>
  } else {
    scf.yield %y : tensor<64xf32>
  })");
  EXPECT_NE(outcome.lost.find("a branch"), std::string::npos) << outcome.lost;
}

TEST_F(BoundsTest, ContractionOpensASumOfAProduct) {
  x.assign(elements, 1.1f);
  y.assign(elements, 1.3f);
  std::string body = R"(
  %a = arith.mulf %x, %y : tensor<64xf32>
  %out = arith.subf %a, %y : tensor<64xf32>)";
  EXPECT_TRUE(of(body).open.empty());
  EXPECT_EQ(of(body, DType::F32, "f32", BoundProfile::cuda(true)).open.size(), size_t(elements));
  EXPECT_TRUE(of(body, DType::F32, "f32", BoundProfile::cuda(false)).open.empty());
}

TEST_F(BoundsTest, SubnormalsOfHalvesMayBecomeZero) {
  const std::string body = R"(
  %a = arith.truncf %x : tensor<64xf32> to tensor<64xbf16>
  %b = arith.truncf %y : tensor<64xf32> to tensor<64xbf16>
  %none = arith.constant dense<0.0> : tensor<1x1xf32>
  %row = tt.expand_dims %a {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
  %column = tt.expand_dims %b {axis = 1 : i32} : tensor<64xbf16> -> tensor<64x1xbf16>
  %d = tt.dot %row, %column, %none : tensor<1x64xbf16> * tensor<64x1xbf16> -> tensor<1x1xf32>
  %e = tt.broadcast %d : tensor<1x1xf32> -> tensor<64x1xf32>
  %out = tt.reshape %e : tensor<64x1xf32> -> tensor<64xf32>)";
  auto given = [&](float left, float right) {
    x.assign(elements, 0), y.assign(elements, 0);
    x[0] = left, y[0] = right;
    return of(body, DType::F32, "f32", BoundProfile::cpu()).open;
  };
  EXPECT_TRUE(given(1.5f, 3).empty());
  EXPECT_TRUE(given(0x1p-60f, 0x1p-52f).empty()) << "no sum has a place below the least normal number";
  std::map<int64_t, Legal> small = given(0x1p-60f, 0x1p-70f), factor = given(0x1p-128f, 0x1p60f);
  ASSERT_EQ(small.size(), size_t(elements));
  EXPECT_LE(toDouble(small[0].span.low, DType::F32), 0);
  EXPECT_GE(toDouble(small[0].span.high, DType::F32), 0x1p-130);
  EXPECT_LT(toDouble(small[0].span.high, DType::F32), 0x1p-118);
  ASSERT_EQ(factor.size(), size_t(elements));
  EXPECT_LE(toDouble(factor[0].span.low, DType::F32), 0);
  EXPECT_GE(toDouble(factor[0].span.high, DType::F32), 0x1p-68);
  EXPECT_LT(toDouble(factor[0].span.high, DType::F32), 0x1.01p-68);
  x.assign(elements, 0x1p-128f);
  EXPECT_TRUE(of(body, DType::F32, "f32", BoundProfile::ieee()).open.empty());
}

TEST_F(BoundsTest, AnExactStoreClosesWhatWasOpen) {
  Outcome outcome = of(R"(
  %e = math.exp %x : tensor<64xf32>
  %ptrs = tt.splat %to : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %here = tt.addptr %ptrs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %here, %e : tensor<64x!tt.ptr<f32>>
  %out = arith.addf %x, %y : tensor<64xf32>)");
  EXPECT_TRUE(outcome.open.empty());
}

/// What memory holds as the bits of another type than it was written with.
class RecastInMemory : public BoundsTest {
protected:
  /// Writes %value to `out`, and what is read there as `to` beside it over the first elements.
  Outcome readBack(const std::string &value, const std::string &from, DType type, const std::string &to) {
    std::string cast = "  %wides = tt.bitcast %to : !tt.ptr<" + to + "> -> !tt.ptr<" + from + R"(>
  %ptrs = tt.splat %wides : !tt.ptr<)" +
                       from + "> -> tensor<64x!tt.ptr<" + from + R"(>>
  %here = tt.addptr %ptrs, %at : tensor<64x!tt.ptr<)" +
                       from + R"(>>, tensor<64xi32>
  tt.store %here, %value : tensor<64x!tt.ptr<)" +
                       from + R"(>>
  %reads = tt.splat %to : !tt.ptr<)" +
                       to + "> -> tensor<64x!tt.ptr<" + to + R"(>>
  %again = tt.addptr %reads, %at : tensor<64x!tt.ptr<)" +
                       to + R"(>>, tensor<64xi32>
  %out = tt.load %again : tensor<64x!tt.ptr<)" +
                       to + ">>\n";
    return of(value + cast, type, to);
  }
};

TEST_F(RecastInMemory, ANanIsNobodys) {
  x.assign(elements, -1.0f);
  for (const auto &[from, type, to] : {std::tuple("f32", DType::I32, "i32"),
                                       {"f32", DType::I8, "i8"},
                                       {"f32", DType::I64, "i64"},
                                       {"f64", DType::I64, "i64"},
                                       {"f64", DType::I32, "i32"}}) {
    std::string value = std::string(from) == "f32" ? "  %value = math.sqrt %x : tensor<64xf32>\n" : R"(
  %wide = arith.extf %x : tensor<64xf32> to tensor<64xf64>
  %value = math.sqrt %wide : tensor<64xf64>
)";
    Outcome outcome = readBack(value, from, type, to);
    int written = type == DType::I64 && std::string(from) == "f32" ? elements / 2 : elements;
    EXPECT_EQ(outcome.open.size(), size_t(written)) << from << " as " << to;
    for (auto &[n, legal] : outcome.open)
      EXPECT_TRUE(legal.span.inDoubt(type));
  }
}

TEST_F(RecastInMemory, ANumberKeepsItsEndsInOrder) {
  for (float sign : {1.0f, -1.0f}) {
    y.assign(elements, sign);
    Outcome outcome = readBack(R"(
  %e = math.cbrt %x : tensor<64xf32>
  %value = arith.mulf %e, %y : tensor<64xf32>
)",
                               "f32", DType::I32, "i32");
    ASSERT_EQ(outcome.open.size(), size_t(elements));
    for (auto &[n, legal] : outcome.open) {
      EXPECT_TRUE(legal.span.holds(outcome.bits[size_t(n)], DType::I32));
      EXPECT_FALSE(legal.span.inDoubt(DType::I32));
      EXPECT_EQ(rankOf(legal.span.high, DType::I32) - rankOf(legal.span.low, DType::I32), 6);
    }
  }
}

TEST_F(RecastInMemory, PartsOfANumberAreInDoubtOnlyIfItIsOpen) {
  std::string exact = "  %value = arith.addf %x, %y : tensor<64xf32>\n";
  std::string open = "  %value = math.exp %x : tensor<64xf32>\n";
  EXPECT_TRUE(readBack(exact, "f32", DType::I8, "i8").open.empty());
  EXPECT_EQ(readBack(open, "f32", DType::I8, "i8").open.size(), size_t(elements));
  EXPECT_TRUE(readBack(exact, "f32", DType::I64, "i64").open.empty());
}

} // namespace
} // namespace trisect::interp
