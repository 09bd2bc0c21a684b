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
    artifact = std::make_shared<const Artifact>(compile(text, "twice"));
    executable = TargetRegistry::find("cpu")->device({})->load(artifact);
  }

  static Artifact compile(const char *source, const char *kernel) {
    Target &target = *TargetRegistry::find("cpu");
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = tt::parseModule(source, "test", context);
    return target.compile(*module, kernel, *target.readOptions({}), Form::Disjoint);
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
  PathWatch watch(~PathSet(), PathSet());
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
  PathWatch watch(asked, asked);
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

TEST_F(CpuPaths, WhatWasLeftIsTheRestOfTheGrid) {
  PathSet asked;
  asked.set(pathFor("some lanes off"));
  for (int32_t n : {3, block * 2 + 7, block * programs - 1}) {
    std::ranges::fill(out, 0.0F);
    PathWatch watch(asked, asked);
    launch(n, &watch);
    ASSERT_TRUE(watch.stopped());
    std::vector<bool> left(programs);
    for (ProgramRange each : watch.takeLeft())
      std::fill_n(left.begin() + each.first, each.count, true);
    EXPECT_TRUE(left[static_cast<size_t>(watch.taken()[0].program)]);
    for (int program = 0; program < programs; ++program)
      if (program * block < n)
        EXPECT_NE(out[program * block], left[program] ? 3.0F : 0.0F) << n << " " << program;
    EXPECT_TRUE(watch.takeLeft().empty());
  }
}

TEST_F(CpuPaths, ThoseBehindAWriteNeedItsOldBytesAndThoseBehindAnAtomicAreLate) {
  size_t ragged = pathFor("some lanes off");
  EXPECT_TRUE(earlyPaths(*artifact)[ragged]);
  EXPECT_FALSE(earlyPaths(*artifact)[artifact->paths.size()]);
  enum Kind : uint8_t { early, kept, late };
  struct {
    const char *before;
    Kind kind;
  } const cases[] = {
      {"%one = tt.load %in : !tt.ptr<f32>", early},
      {"%one = tt.load %ip : tensor<64x!tt.ptr<f32>>", early},
      {"%one = tt.load %ip, %inside : tensor<64x!tt.ptr<f32>>", early},
      {"%sorted = tt.load %ip : tensor<64x!tt.ptr<f32>>\n"
       "%sum = \"tt.reduce\"(%sorted) <{axis = 0 : i32}> ({\n"
       "^bb0(%a: f32, %b: f32):\n  %c = arith.addf %a, %b : f32\n  tt.reduce.return %c : f32\n"
       "}) : (tensor<64xf32>) -> f32",
       early},
      {"tt.store %in, %value : !tt.ptr<f32>", kept},
      {"tt.store %out, %value : !tt.ptr<f32>", late}, // nothing reads it: the launch can begin again
      {"tt.store %ip, %ones : tensor<64x!tt.ptr<f32>>", kept},
      {"tt.store %ip, %ones, %inside : tensor<64x!tt.ptr<f32>>", early}, // asked about before that store
      {"%old = tt.atomic_rmw fadd, relaxed, gpu, %in, %value, %yes : (!tt.ptr<f32>, f32, i1) -> f32", late},
      {"tt.atomic_store relaxed, gpu, %ip, %ones : tensor<64x!tt.ptr<f32>>", late},
      {"tt.store %in, %value : !tt.ptr<f32>\n"
       "%old = tt.atomic_rmw fadd, relaxed, gpu, %in, %value, %yes : (!tt.ptr<f32>, f32, i1) -> f32",
       late},
      {"scf.if %less {\n  tt.store %in, %value : !tt.ptr<f32>\n}", kept},
      {"tt.call @writes(%in) : (!tt.ptr<f32>) -> ()", kept},
  };
  for (const auto &[before, kind] : cases) {
    std::string longer = text;
    longer.insert(longer.find("%x = tt.load"), std::string("%value = arith.constant 1.0 : f32\n"
                                                           "%ones = tt.splat %value : f32 -> tensor<64xf32>\n"
                                                           "%yes = arith.constant true\n"
                                                           "%less = arith.cmpi slt, %id, %n : i32\n") +
                                                   before + "\n");
    longer += R"(
tt.func private @writes(%to: !tt.ptr<f32>) attributes {noinline = true} {
  %value = arith.constant 1.0 : f32
  tt.store %to, %value : !tt.ptr<f32>
  tt.return
})";
    Artifact changed = compile(longer.c_str(), "twice");
    auto found = std::ranges::find(changed.paths, "some lanes off", &Path::purpose);
    ASSERT_NE(found, changed.paths.end()) << before;
    EXPECT_EQ(changed.paths.back().late, kind == late) << before;
    EXPECT_EQ(changed.paths.back().kept, kind == kept) << before;
  }
}

TEST_F(CpuPaths, OldBytesAreKeptForPathsThatAProgramMayComeTo) {
  std::string inPlace = text;
  inPlace.replace(inPlace.find("splat %out"), 10, "splat %in");
  inPlace.replace(inPlace.find("%id, %size"), 10, "%id, %n");
  Artifact changed = compile(inPlace.c_str(), "twice");
  PathSet outer, inner;
  for (size_t path = 0; path < changed.paths.size(); ++path) {
    inner[path] = changed.paths[path].kept;
    if (changed.paths[path].within >= 0)
      outer.set(changed.paths[path].within);
  }
  // The loop that goes lane by lane stores, and an index that may wrap leads to it.
  ASSERT_TRUE(inner.any());
  EXPECT_FALSE((inner & outer).any());
  EXPECT_TRUE(PathWatch(inner, inner, true).remembers(changed));
  EXPECT_FALSE(PathWatch(inner | outer, inner | outer, true).remembers(changed));
  EXPECT_TRUE(PathWatch(inner | outer, inner, true).remembers(changed)) << "only noted, not stopped at";
  for (size_t path = 0; path < changed.paths.size(); ++path) {
    int32_t around = changed.paths[path].within;
    EXPECT_LT(around, static_cast<int32_t>(path));
    if (changed.paths[path].kept)
      EXPECT_EQ(changed.paths[around].purpose, "an index may wrap");
  }
}

TEST_F(CpuPaths, TheEndOfARowIsAskedAboutBeforeTheRow) {
  std::string inPlace = text;
  inPlace.replace(inPlace.find("splat %out"), 10, "splat %in");
  for (size_t at; (at = inPlace.find("64 : i32")) != std::string::npos;)
    inPlace.replace(at, 2, "1024");
  for (size_t at; (at = inPlace.find("<64x")) != std::string::npos;)
    inPlace.replace(at, 3, "<1024");
  Artifact changed = compile(inPlace.c_str(), "twice");
  auto end = std::ranges::find(changed.paths, "the end of a row, with masks", &Path::purpose);
  ASSERT_NE(end, changed.paths.end());
  EXPECT_FALSE(end->kept);
}

TEST_F(CpuPaths, NobodyIsAskedWithoutAWatch) {
  launch(block * programs - 1, nullptr);
  EXPECT_EQ(std::ranges::count(out, 3.0F), block * programs - 1);
}

} // namespace
