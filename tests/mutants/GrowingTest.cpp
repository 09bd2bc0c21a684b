//===- GrowingTest.cpp - mistakes that show only for some arguments -------------------------------------===//
//
// What: code that is right for small, round or positive arguments and wrong for others, in a loop of growing
// ones under default settings: of the launches that would be wrong, less than 1 % may be.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "tests/mutants/MutantTarget.h"
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

using namespace mlir;
using arith::CmpIPredicate;

constexpr int64_t block = 64;
const char *const kernelText = R"(
tt.func public @scale(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %s: f32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %firsts = tt.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %firsts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %at, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %from, %inside : tensor<64x!tt.ptr<f32>>
  %ss = tt.splat %s : f32 -> tensor<64xf32>
  %scaled = arith.mulf %value, %ss : tensor<64xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %scaled, %inside : tensor<64x!tt.ptr<f32>>
  tt.return
})";

/// What a mistake may ask for, before the store.
struct Site {
  OpBuilder &b;
  Location loc;
  tt::StoreOp store;
  tt::FuncOp function;

  Value n() const { return tt::FuncOp(function).getArgument(2); }
  Value s() const { return tt::FuncOp(function).getArgument(3); }
  Value pid() const { return b.create<tt::GetProgramIdOp>(loc, b.getI32Type(), tt::ProgramAxis::X); }
  Value programs() const { return b.create<tt::GetNumProgramsOp>(loc, b.getI32Type(), tt::ProgramAxis::X); }
  Value number(int32_t value) const { return b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(value)); }
  Value real(float value) const { return b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(value)); }
  Value is(CmpIPredicate how, Value a, Value c) const { return b.create<arith::CmpIOp>(loc, how, a, c); }
  Value remainder(Value a, int32_t by) const { return b.create<arith::RemSIOp>(loc, a, number(by)); }
  Value below(Value value, float limit) const {
    return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OLT, value, real(limit));
  }
  Value both(Value a, Value c) const { return b.create<arith::AndIOp>(loc, a, c); }
};

using Condition = Value (*)(const Site &);

struct Planted {
  const char *name;
  Condition wrong; ///< an i1
  enum Effect { Doubled, Masked } effect = Doubled;
};

// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
const Planted planted[] = {
    {"FromThreeOn", [](const Site &at) { return at.is(CmpIPredicate::sge, at.n(), at.number(3)); }},
    {"Past32767", [](const Site &at) { return at.is(CmpIPredicate::sgt, at.n(), at.number(32767)); }},
    {"BoundPast32767", [](const Site &at) { return at.is(CmpIPredicate::sgt, at.n(), at.number(32767)); },
     Planted::Masked},
    {"MaskOfRaggedSizes",
     [](const Site &at) { return at.is(CmpIPredicate::ne, at.remainder(at.n(), 16), at.number(0)); },
     Planted::Masked},
    {"RoundSizes",
     [](const Site &at) { return at.is(CmpIPredicate::eq, at.remainder(at.n(), 32), at.number(0)); }},
    {"OddSizes",
     [](const Site &at) { return at.is(CmpIPredicate::ne, at.remainder(at.n(), 2), at.number(0)); }},
    {"FromAThousandOn", [](const Site &at) { return at.is(CmpIPredicate::sge, at.n(), at.number(1000)); }},
    {"ProgramsFromEightOn", [](const Site &at) { return at.is(CmpIPredicate::sge, at.pid(), at.number(8)); }},
    {"GridsOfMoreThanSixtyFour",
     [](const Site &at) { return at.is(CmpIPredicate::sgt, at.programs(), at.number(64)); }},
    {"LastProgramOfManyAlone",
     [](const Site &at) {
       Value last = at.b.create<arith::SubIOp>(at.loc, at.programs(), at.number(1));
       return at.both(at.is(CmpIPredicate::eq, at.pid(), last),
                      at.is(CmpIPredicate::sgt, at.programs(), at.number(16)));
     }},
    {"NegativeScales", [](const Site &at) { return at.below(at.s(), 0); }},
};

/// Puts the mistake in: the value is doubled, or nothing is stored by what it is true for.
void plant(ModuleOp module, const Planted &mistake) {
  tt::StoreOp store;
  module.walk([&](tt::StoreOp op) {
    if (!op->hasAttr("trisect_probe"))
      store = op;
  });
  OpBuilder b(store);
  Location loc = store.getLoc();
  Value wrong = mistake.wrong({b, loc, store, store->getParentOfType<tt::FuncOp>()});
  auto bits = RankedTensorType::get({block}, b.getI1Type());
  Value lanes = b.create<tt::SplatOp>(loc, bits, wrong);
  if (mistake.effect == Planted::Doubled) {
    Value twice = b.create<arith::AddFOp>(loc, store.getValue(), store.getValue());
    store.getValueMutable().assign(b.create<arith::SelectOp>(loc, lanes, twice, store.getValue()));
    return;
  }
  Value nothing = b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(bits, false));
  store.getMaskMutable().assign(b.create<arith::SelectOp>(loc, lanes, nothing, store.getMask()));
}

class Growing : public testing::TestWithParam<Planted> {
protected:
  void SetUp() override {
    registerMutantTarget();
    setOption(OptionId::BundleCount, "0");
    setMistake([](ModuleOp module) { plant(module, GetParam()); });
  }
  void TearDown() override {
    setMistake({});
    setOption(OptionId::BundleCount, std::nullopt);
  }

  /// Which launches of the loop left something wrong.
  static std::vector<bool> wrongLaunches(const char *check) {
    setOption(OptionId::Check, check);
    auto kernel = jit::TieredKernel::create(jit::Kernel::create(kernelText, "scale", {{"tier", "mutant"}}));
    constexpr int64_t most = 40000;
    std::vector<float> x(most), out(most);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i % 1000) + 1;
    std::vector<bool> wrong;
    int64_t time = 0;
    for (int64_t n = 1; n <= most; n += 1 + n / 128, ++time) {
      float scale = time < 50 || time % 2 ? 2.0F : -2.0F;
      std::fill(out.begin(), out.end(), 0.0F);
      std::vector<ArgBits> args = {reinterpret_cast<uint64_t>(x.data()),
                                   reinterpret_cast<uint64_t>(out.data()), static_cast<uint64_t>(n),
                                   std::bit_cast<uint32_t>(scale)};
      std::vector<TensorView> views = {{0, "x", args[0], DType::F32, {most}, {1}},
                                       {1, "out", args[1], DType::F32, {most}, {1}}};
      LaunchRequest request;
      request.grid.x = static_cast<int32_t>((n + block - 1) / block);
      request.args = args;
      request.tensors = views;
      kernel->launch(request);
      bool differs = false;
      for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        differs |= out[i] != x[i] * scale;
      wrong.push_back(differs);
    }
    setOption(OptionId::Check, std::nullopt);
    return wrong;
  }
};

TEST_P(Growing, IsFoundBeforeOneInAHundredWrongLaunchesHasPassed) {
  std::vector<bool> unchecked = wrongLaunches("off"), checked = wrongLaunches("promote");
  auto would = std::count(unchecked.begin(), unchecked.end(), true);
  auto passed = std::count(checked.begin(), checked.end(), true);
  ASSERT_GT(would, 0);
  EXPECT_LT(passed * 100, would) << passed << " of " << would << " wrong launches passed";
}

INSTANTIATE_TEST_SUITE_P(Planted, Growing, testing::ValuesIn(planted),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace trisect::mutants
