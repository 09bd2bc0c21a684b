//===- PathsTest.cpp - the ways through code of the target cpu ------------------------------------------===//
#include "backends/Targets.h"
#include "backends/target/PathWatch.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace trisect;

namespace {

constexpr int block = 64, programs = 8;

/// out[i] = 2 in[i] for i < n, a block a program.
constexpr const char *text = R"(
tt.func public @twice(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %size = arith.constant 64 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %size : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %offs = arith.addi %starts, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %offs, %ns : tensor<64xi32>
  %is = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ip = tt.addptr %is, %offs : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %ip, %inside : tensor<64x!tt.ptr<f32>>
  %y = arith.addf %x, %x : tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %offs : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %y, %inside : tensor<64x!tt.ptr<f32>>
  tt.return
})";

class CpuPaths : public testing::Test {
protected:
  void SetUp() override {
    registerTargets();
    Target &target = *TargetRegistry::find("cpu");
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = tt::parseModule(text, "test", context);
    artifact = std::make_shared<const Artifact>(
        target.compile(*module, "twice", *target.readOptions({}), Form::Disjoint));
    executable = target.device({})->load(artifact);
  }

  void launch(int32_t n, PathWatch *watch) {
    ArgBits args[] = {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.data()),
                      static_cast<uint64_t>(n)};
    LaunchRequest request;
    request.grid = grid;
    request.args = args;
    PathWatch::Scope scope(watch);
    executable->launch(request);
  }

  size_t pathFor(const std::string &purpose) const {
    auto found = std::ranges::find(artifact->paths, purpose, &Path::purpose);
    EXPECT_NE(found, artifact->paths.end()) << purpose;
    return static_cast<size_t>(found - artifact->paths.begin());
  }

  Grid grid{programs, 1, 1};
  std::shared_ptr<const Artifact> artifact;
  std::unique_ptr<Executable> executable;
  std::vector<float> in = std::vector<float>(block * programs, 1.5F), out = std::vector<float>(in.size());
};

TEST_F(CpuPaths, AreNotedWithAProgramThatTookThem) {
  size_t full = pathFor("all lanes on"), ragged = pathFor("some lanes off");
  PathWatch watch(~PathSet(), PathWatch::Mode::Note, grid);
  launch(block * programs, &watch);
  for (const PathWatch::Taken &taken : watch.taken())
    EXPECT_NE(taken.path, ragged);
  watch.renew(~PathSet());
  launch(block * 3 + 5, &watch);
  std::vector<PathWatch::Taken> taken = watch.taken();
  auto at = std::ranges::find(taken, ragged, &PathWatch::Taken::path);
  ASSERT_NE(at, taken.end());
  EXPECT_GE(at->program, 3);
  at = std::ranges::find(taken, full, &PathWatch::Taken::path);
  ASSERT_NE(at, taken.end());
  EXPECT_LT(at->program, 3);
  EXPECT_FALSE(watch.stopped());
  EXPECT_EQ(std::ranges::count(out, 3.0F), block * programs);
}

TEST_F(CpuPaths, AStopKeepsTheProgramFromGoingOn) {
  PathSet asked;
  asked.set(pathFor("some lanes off"));
  PathWatch watch(asked, PathWatch::Mode::Stop, grid);
  launch(block * programs - 1, &watch);
  EXPECT_TRUE(watch.stopped());
  ASSERT_EQ(watch.taken().size(), 1U);
  EXPECT_EQ(watch.taken()[0].program, programs - 1);
  EXPECT_EQ(std::ranges::count(out.end() - block, out.end(), 0.0F), block);
  watch.renew(asked);
  ASSERT_TRUE(watch.excuse(programs - 1));
  launch(block * programs - 1, &watch);
  EXPECT_FALSE(watch.stopped());
  EXPECT_EQ(std::ranges::count(out, 3.0F), block * programs - 1);
}

TEST_F(CpuPaths, NobodyIsAskedWithoutAWatch) {
  launch(block * programs - 1, nullptr);
  EXPECT_EQ(std::ranges::count(out, 3.0F), block * programs - 1);
}

} // namespace
