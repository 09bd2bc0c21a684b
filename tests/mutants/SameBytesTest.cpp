//===- SameBytesTest.cpp - stray stores that change nothing yet -----------------------------------------===//
//
// What: code that stores where a mask forbids it, but the value that memory holds already: the next launch
// would not be so lucky. It must be found at the first comparison.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "tests/mutants/MutantTarget.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

constexpr int64_t block = 64;
constexpr const char *kernelText = R"(
tt.func public @copy(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %c50 = arith.constant dense<50> : tensor<64xi32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %inside = arith.cmpi slt, %range, %c50 : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %from : tensor<64x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %value, %inside : tensor<64x!tt.ptr<f32>>
  tt.return
})";

void dropMask(mlir::ModuleOp module) {
  module.walk([](tt::StoreOp store) {
    if (!store->hasAttr("trisect_probe"))
      store.getMaskMutable().clear();
  });
}

bool withdrawn(bool mistaken) {
  registerMutantTarget();
  setOption(OptionId::BundleCount, "0");
  setMistake(mistaken ? Mistake(dropMask) : Mistake());
  auto kernel = jit::TieredKernel::create(jit::Kernel::create(kernelText, "copy", {{"tier", "mutant"}}));
  std::vector<float> x(block, 1.0F), out(block, 1.0F);
  std::vector<ArgBits> args = {reinterpret_cast<uint64_t>(x.data()), reinterpret_cast<uint64_t>(out.data())};
  std::vector<TensorView> views = {{0, "x", args[0], DType::F32, {block}, {1}},
                                   {1, "out", args[1], DType::F32, {block}, {1}}};
  LaunchRequest request;
  request.args = args;
  request.tensors = views;
  kernel->launch(request);
  setMistake({});
  setOption(OptionId::BundleCount, std::nullopt);
  EXPECT_EQ(std::ranges::count(out, 1.0F), block);
  return std::ranges::any_of(
      kernel->events(), [](const jit::Event &event) { return event.kind == jit::Event::Kind::Withdrawn; });
}

TEST(SameBytes, WrittenWhereTheMaskIsOffAreFound) { EXPECT_TRUE(withdrawn(true)); }
TEST(SameBytes, OfCodeThatIsRightNothingIsSaid) { EXPECT_FALSE(withdrawn(false)); }

} // namespace
} // namespace trisect::mutants
