//===- PathsTest.cpp - mistakes on a way through the code that the first launches do not take -----------===//
//
// What: a kernel whose programs take rows of lengths that lie in memory: nothing that a launch is called with
// tells a full row from a ragged one. Code that is wrong for ragged rows alone must be found at the first
// launch that has one, by default settings, whichever program meets it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "tests/mutants/MutantTarget.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

using namespace mlir;

constexpr int64_t block = 64, rows = 100;
/// `FROM` is x or out.
const std::string kernelText = R"(
tt.func public @rows(%x: !tt.ptr<f32>, %lengths: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
  %c64 = arith.constant 64 : i32
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %where = tt.addptr %lengths, %pid : !tt.ptr<i32>, i32
  %n = tt.load %where : !tt.ptr<i32>
  %first = arith.muli %pid, %c64 : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %firsts = tt.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %firsts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %xs = tt.splat FROM : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %from, %inside : tensor<64x!tt.ptr<f32>>
  %scaled = arith.mulf %value, %two : tensor<64xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %scaled, %inside : tensor<64x!tt.ptr<f32>>
  tt.return
})";

std::string kernelReading(const std::string &argument) {
  std::string text = kernelText;
  return text.replace(text.find("FROM"), 4, argument);
}

/// Atomic: every row is added to the first 64 elements of out.
std::string kernelAdding() {
  std::string text = kernelReading("%x");
  text.replace(text.find("%outs, %at :"), 12, "%outs, %range :");
  size_t store = text.find("tt.store %to, %scaled, %inside : tensor<64x!tt.ptr<f32>>");
  return text.replace(store, 56,
                      "%old = tt.atomic_rmw fadd, relaxed, gpu, %to, %scaled, %inside : "
                      "(tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>");
}

/// In place, and the length of a row, in which 1000 counts the launches, is written before the row is looked
/// at; `first` writes it, `%more` to `%where`.
std::string kernelCounting(const std::string &first) {
  std::string text = kernelReading("%out");
  text.replace(text.find("%n = tt.load"), 2, "%counted");
  return text.insert(text.find("%first ="), "%c1000 = arith.constant 1000 : i32\n"
                                            "%n = arith.remsi %counted, %c1000 : i32\n"
                                            "%more = arith.addi %counted, %c1000 : i32\n" +
                                                first + "\n");
}

constexpr const char *plainly = "tt.store %where, %more : !tt.ptr<i32>";
constexpr const char *byAtomics = "%yes = arith.constant true\n"
                                  "%o = tt.atomic_rmw add, relaxed, gpu, %where, %c1000, %yes : "
                                  "(!tt.ptr<i32>, i32, i1) -> i32";
/// 16 lanes of which the first is on.
constexpr const char *masked = R"(
  %lanes = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %ones = arith.constant dense<1> : tensor<16xi32>
  %on = arith.cmpi slt, %lanes, %ones : tensor<16xi32>
  %wheres = tt.splat %where : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %each = tt.addptr %wheres, %lanes : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %mores = tt.splat %more : i32 -> tensor<16xi32>
  tt.store %each, %mores, %on : tensor<16x!tt.ptr<i32>>)";
/// 16 lanes that lie here and there, of which the last is on.
constexpr const char *scattered = R"(
  %lanes = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %last = arith.constant dense<15> : tensor<16xi32>
  %on = arith.cmpi eq, %lanes, %last : tensor<16xi32>
  %zeros = arith.constant dense<0> : tensor<16xi32>
  %squares = arith.muli %lanes, %lanes : tensor<16xi32>
  %steps = arith.select %on, %zeros, %squares : tensor<16xi1>, tensor<16xi32>
  %wheres = tt.splat %where : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %each = tt.addptr %wheres, %steps : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %mores = tt.splat %more : i32 -> tensor<16xi32>
  tt.store %each, %mores, %on : tensor<16x!tt.ptr<i32>>)";

/// Where a row is ragged, what is scaled is doubled once more.
void plant(ModuleOp module) {
  arith::MulFOp product;
  module.walk([&](arith::MulFOp op) { product = op; });
  tt::SplatOp lengths;
  module.walk([&](tt::SplatOp op) {
    if (op.getSrc().getType().isInteger(32))
      lengths = op;
  });
  OpBuilder b(product);
  b.setInsertionPointAfter(product);
  Location loc = product.getLoc();
  Value full = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(block));
  Value ragged = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, lengths.getSrc(), full);
  Value lanes = b.create<tt::SplatOp>(loc, RankedTensorType::get({block}, b.getI1Type()), ragged);
  auto twice = b.create<arith::AddFOp>(loc, product.getResult(), product.getResult());
  auto chosen = b.create<arith::SelectOp>(loc, lanes, twice, product.getResult());
  product.getResult().replaceAllUsesExcept(chosen.getResult(),
                                           llvm::SmallPtrSet<Operation *, 2>{twice, chosen});
}

class Paths : public testing::Test {
protected:
  void SetUp() override {
    registerMutantTarget();
    setOption(OptionId::BundleCount, "0");
  }
  void TearDown() override {
    setMistake({});
    setOption(OptionId::BundleCount, std::nullopt);
  }

  void use(const std::string &argument) { useText(kernelReading(argument)); }
  void useText(const std::string &text) {
    kernel = jit::TieredKernel::create(jit::Kernel::create(text, "rows", {{"tier", "mutant"}}));
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i % 1000) + 1;
    std::fill(lengths.begin(), lengths.end(), int32_t(block));
    std::fill(out.begin(), out.end(), -1.0F);
  }

  void launch() {
    std::vector<ArgBits> args = {reinterpret_cast<uint64_t>(x.data()),
                                 reinterpret_cast<uint64_t>(lengths.data()),
                                 reinterpret_cast<uint64_t>(out.data())};
    std::vector<TensorView> views = {{0, "x", args[0], DType::F32, {rows * block}, {1}},
                                     {1, "lengths", args[1], DType::I32, {rows}, {1}},
                                     {2, "out", args[2], DType::F32, {rows * block}, {1}}};
    LaunchRequest request;
    request.grid.x = rows;
    request.args = args;
    request.tensors = views;
    kernel->launch(request);
  }

  /// Whether `out` is what two times `x` gives within the lengths, and -1 outside.
  bool right() const {
    for (int64_t i = 0; i < rows * block; ++i)
      if (out[i] != (i % block < lengths[i / block] ? 2 * x[i] : -1.0F))
        return false;
    return true;
  }

  /// Launches in place, after out was set to x; whether each row has been doubled once for each of `before`
  /// launches, and once more within its length.
  void beginInPlace() { out = x; }
  bool rightInPlace(int before) const {
    for (int64_t i = 0; i < rows * block; ++i)
      if (out[i] != std::ldexp(x[i], before + (i % block < lengths[i / block] % 1000)))
        return false;
    return true;
  }
  /// Of kernelCounting().
  bool countedTo(int launches) const {
    return std::ranges::all_of(lengths, [&](int32_t length) { return length / 1000 == launches; });
  }

  int64_t equals() const { return kernel->tally().verdicts[static_cast<size_t>(jit::VerdictKind::Equal)]; }

  bool withdrawn() const {
    return std::ranges::any_of(
        kernel->events(), [](const jit::Event &event) { return event.kind == jit::Event::Kind::Withdrawn; });
  }

  std::shared_ptr<jit::TieredKernel> kernel;
  std::vector<float> x = std::vector<float>(rows * block), out = x;
  std::vector<int32_t> lengths = std::vector<int32_t>(rows);
};

TEST_F(Paths, AMistakeForRaggedRowsIsFoundBeforeOneIsStored) {
  setMistake(plant);
  use("%x");
  for (int time = 0; time < 10; ++time)
    launch();
  ASSERT_TRUE(right());
  ASSERT_FALSE(withdrawn());
  std::fill(out.begin(), out.end(), -1.0F);
  lengths[37] = 50;
  launch();
  EXPECT_TRUE(withdrawn());
  EXPECT_TRUE(right());
}

TEST_F(Paths, InPlaceItIsFoundBeforeOneIsStored) {
  setMistake(plant);
  use("%out");
  beginInPlace();
  for (int time = 0; time < 5; ++time)
    launch();
  ASSERT_FALSE(withdrawn());
  for (int row : {3, 37, 38, 90, 99})
    lengths[row] = 50;
  launch();
  ASSERT_TRUE(withdrawn());
  EXPECT_TRUE(rightInPlace(5));
  EXPECT_NE(kernel->events().back().text.find("tier 0 has run what was left"), std::string::npos);
}

TEST_F(Paths, InPlaceEveryProgramRunsOnce) {
  use("%out");
  for (int row = 0; row < rows; ++row) {
    beginInPlace();
    launch(); // all full
    lengths[row] = 1 + row % 63;
    launch();
    ASSERT_TRUE(rightInPlace(1)) << row;
    use("%out");
  }
  EXPECT_FALSE(withdrawn());
}

TEST_F(Paths, InPlaceARowWithoutElementsStopsNothing) {
  use("%out");
  beginInPlace();
  launch();
  lengths[20] = 0;
  lengths[60] = 17;
  launch();
  EXPECT_TRUE(rightInPlace(1));
  EXPECT_FALSE(withdrawn());
}

TEST_F(Paths, NothingWrongIsAddedByAtomics) {
  setMistake(plant);
  useText(kernelAdding());
  std::fill(x.begin(), x.end(), 1.0F);
  std::fill(out.begin(), out.end(), 0.0F);
  for (int time = 0; time < 5; ++time)
    launch();
  ASSERT_FALSE(withdrawn());
  ASSERT_EQ(out[0], 2 * 5 * rows);
  lengths[37] = 50;
  launch();
  EXPECT_TRUE(withdrawn());
  for (int64_t i = 0; i < block; ++i)
    EXPECT_EQ(out[i], 2 * 6 * rows - (i < 50 ? 0 : 2)) << i;
}

/// What programs wrote before they came to the path is as if they had not: each count grows by one a launch.
class PathsBehindAWrite : public Paths, public testing::WithParamInterface<const char *> {};

TEST_P(PathsBehindAWrite, ItIsFoundBeforeOneIsStored) {
  setMistake(plant);
  useText(kernelCounting(GetParam()));
  beginInPlace();
  for (int time = 0; time < 5; ++time)
    launch();
  ASSERT_FALSE(withdrawn());
  for (int row : {3, 37, 38, 90, 99})
    lengths[row] -= 14;
  launch();
  ASSERT_TRUE(withdrawn());
  EXPECT_NE(kernel->events().back().text.find("tier 0 has run what was left"), std::string::npos);
  EXPECT_TRUE(countedTo(6));
  EXPECT_TRUE(rightInPlace(5));
}

TEST_P(PathsBehindAWrite, EveryProgramRunsOnce) {
  for (int row = 0; row < rows; row += 7) {
    useText(kernelCounting(GetParam()));
    beginInPlace();
    launch();
    lengths[row] -= row % 63 + 1;
    launch();
    ASSERT_TRUE(countedTo(2)) << row;
    ASSERT_TRUE(rightInPlace(1)) << row;
    ASSERT_FALSE(withdrawn());
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, PathsBehindAWrite, testing::Values(plainly, masked, scattered));

TEST_F(Paths, BehindAnAtomicItIsToldOfAtTheSameLaunch) {
  setMistake(plant);
  useText(kernelCounting(byAtomics));
  for (int time = 0; time < 5; ++time)
    launch();
  ASSERT_FALSE(withdrawn());
  lengths[37] -= 14;
  launch();
  ASSERT_TRUE(withdrawn());
  EXPECT_NE(kernel->events().back().text.find("the launch had run on it"), std::string::npos);
}

// A launch that takes long, on a busy machine, is followed by a comparison of one more program: then anew.
TEST_F(Paths, WhatIsRightIsComparedOnceAPath) {
  bool once = false;
  for (int attempt = 0; attempt < 50 && !once; ++attempt) {
    use("%x");
    launch();
    int64_t first = equals();
    lengths[37] = 50;
    std::fill(out.begin(), out.end(), -1.0F);
    launch();
    EXPECT_TRUE(right());
    EXPECT_GT(equals(), first);
    once = equals() == first + 1;
    lengths[41] = 3;
    std::fill(out.begin(), out.end(), -1.0F);
    launch();
    EXPECT_TRUE(right());
    once = once && equals() == first + 1;
    EXPECT_FALSE(withdrawn());
  }
  EXPECT_TRUE(once);
}

TEST_F(Paths, ARowWithoutElementsSpeaksForNoOther) {
  setMistake(plant);
  use("%x");
  launch();
  lengths[20] = 0;
  std::fill(out.begin(), out.end(), -1.0F);
  launch();
  EXPECT_TRUE(right());
  ASSERT_FALSE(withdrawn());
  lengths[37] = 50;
  std::fill(out.begin(), out.end(), -1.0F);
  launch();
  EXPECT_TRUE(withdrawn());
  EXPECT_TRUE(right());
}

} // namespace
} // namespace trisect::mutants
