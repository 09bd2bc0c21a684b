//===- LocateTest.cpp - the operation that is named -----------------------------------------------------===//
//
// What: a mistake close to where it shows, beside a long way that is right: the operation itself is named,
// not the one behind it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tests/mutants/MutantTarget.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace trisect::mutants {
namespace {

using namespace mlir;

constexpr int32_t programs = 4;

/// out[pid] = y[pid] ^ 1 < 0 ? x[pid] + 1 + 1 ... : x[pid]
std::string chain(int length) {
  std::string text = R"(
tt.func public @choose(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %px = tt.addptr %x, %pid : !tt.ptr<i32>, i32
  %py = tt.addptr %y, %pid : !tt.ptr<i32>, i32
  %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  %v = tt.load %px : !tt.ptr<i32>
  %w = tt.load %py : !tt.ptr<i32>
  %s0 = arith.addi %v, %one : i32
)";
  for (int n = 1; n < length; ++n)
    text += "  %s" + std::to_string(n) + " = arith.addi %s" + std::to_string(n - 1) + ", %one : i32\n";
  return text +
         "  %m = arith.xori %w, %one : i32\n"
         "  %c = arith.cmpi slt, %m, %zero : i32\n"
         "  %r = arith.select %c, %s" +
         std::to_string(length - 1) +
         ", %v : i32\n"
         "  tt.store %to, %r : !tt.ptr<i32>\n"
         "  tt.return\n}\n";
}

/// `y & 1` for `y ^ 1`: its sign is another one.
void plant(ModuleOp module) {
  module.walk([](arith::XOrIOp op) {
    OpBuilder b(op);
    op.replaceAllUsesWith(b.create<arith::AndIOp>(op.getLoc(), op.getLhs(), op.getRhs()).getResult());
    op.erase();
  });
}

class Located : public testing::TestWithParam<int> {
protected:
  void SetUp() override {
    registerMutantTarget();
    setOption(OptionId::Bundles, folder.string());
    setMistake(plant);
  }
  void TearDown() override {
    setMistake({});
    setOption(OptionId::Bundles, std::nullopt);
    std::filesystem::remove_all(folder);
  }
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("locate-test-" + std::to_string(getpid()));
};

TEST_P(Located, AMistakeIsNamedBesideALongWay) {
  auto kernel =
      jit::TieredKernel::create(jit::Kernel::create(chain(GetParam()), "choose", {{"tier", "mutant"}}));
  std::vector<int32_t> x = {1, 2, 3, 4}, y = {-9, -8, -7, -6}, out(programs);
  std::vector<ArgBits> args;
  std::vector<TensorView> views;
  for (auto *data : {&x, &y, &out}) {
    args.push_back(reinterpret_cast<uint64_t>(data->data()));
    views.push_back({static_cast<uint32_t>(views.size()), "p", args.back(), DType::I32, {programs}, {1}});
  }
  LaunchRequest request;
  request.grid.x = programs;
  request.args = args;
  request.tensors = views;
  kernel->launch(request);
  std::string text = kernel->events().back().text;
  EXPECT_NE(text.find("it comes from arith.xori"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Lengths, Located, testing::Values(5, 80, 400));

} // namespace
} // namespace trisect::mutants
