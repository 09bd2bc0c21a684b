//===- ShadowTest.cpp - what shadow mode finds, and what it leaves alone --------------------------------===//
#include "interp/memory/Unwritten.h"
#include "interp/shadow/ShadowRun.h"
#include "tests/unit/exec/ExecTest.h"

namespace trisect::interp {
namespace {

class ShadowTest : public ExecTest {
protected:
  template <typename T>
  void pass(std::vector<T> &data, std::string name = "", std::vector<int64_t> shape = {}) {
    TensorView view;
    view.argument = static_cast<unsigned>(args.size());
    view.name = name.empty() ? "arg" + std::to_string(args.size()) : std::move(name);
    view.address = at(data);
    view.type = sizeof(T) == 8 ? DType::I64 : sizeof(T) == 1 ? DType::I8 : DType::F32;
    view.shape = shape.empty() ? std::vector<int64_t>{static_cast<int64_t>(data.size())} : std::move(shape);
    view.strides.assign(view.shape.size(), 1);
    for (size_t d = view.shape.size(); d-- > 1;)
      view.strides[d - 1] = view.strides[d] * view.shape[d];
    views.push_back(view);
    args.push_back(at(data));
  }
  void pass(int64_t number) { args.push_back(static_cast<ArgBits>(number)); }

  /// What a launch finds, all of it.
  std::vector<Finding> collect(std::string_view text, Grid grid, std::string_view kinds = "on") {
    auto decoded = program(text);
    LaunchRequest request;
    request.grid = grid;
    request.args = args;
    request.tensors = views;
    std::vector<Finding> found;
    RunOptions options;
    options.sanitize = SanitizeOptions::parse(kinds, 16);
    options.findings = &found;
    run(*decoded, request, options);
    return found;
  }
  /// The only one.
  Finding only(std::string_view text, Grid grid, std::string_view kinds = "on") {
    std::vector<Finding> found = collect(text, grid, kinds);
    EXPECT_EQ(found.size(), 1u);
    for (size_t n = 1; n < found.size(); ++n)
      ADD_FAILURE() << faultText(found[n]);
    return found.empty() ? Finding{} : found.front();
  }
  void silent(std::string_view text, Grid grid, std::string_view kinds = "on") {
    for (const Finding &finding : collect(text, grid, kinds))
      ADD_FAILURE() << faultText(finding);
  }

  std::vector<ArgBits> args;
  std::vector<TensorView> views;
};

/// out[i] = in[i] over blocks of 64, with the mask and `other` that the test writes.
std::string copy(const std::string &load, const std::string &store) {
  return R"(
tt.func public @copy(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %block = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %block : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %at = arith.addi %starts, %range : tensor<64xi32>
  %bound = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %at, %bound : tensor<64xi32>
  %ins = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %ins, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from)" +
         load + R"( : tensor<64x!tt.ptr<f32>> loc("copy.py":3:7)
  %y = arith.addf %x, %x : tensor<64xf32>
  tt.store %to, %y)" +
         store + R"( : tensor<64x!tt.ptr<f32>> loc("copy.py":4:7)
  tt.return
})";
}

TEST_F(ShadowTest, AMaskedCopyIsClean) {
  std::vector<float> in(100, 1), out(100, 0);
  pass(in);
  pass(out);
  pass(100);
  silent(copy(", %mask", ", %mask"), {2, 1, 1}, "all");
  silent(copy(", %mask, %zero", ", %mask"), {2, 1, 1}, "all");
  EXPECT_EQ(out[99], 2.0f);
}

TEST_F(ShadowTest, NamesTheElementOutOfBounds) {
  std::vector<float> in(128, 1), out(128, 0);
  pass(in, "in", {100});
  pass(out, "out");
  pass(100);
  Finding found = only(copy("", ""), {2, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::OutOfBounds);
  EXPECT_EQ(found.tensor->name, "in");
  EXPECT_EQ(found.index, (std::vector<int64_t>{100}));
  EXPECT_EQ(found.lane, (std::vector<int64_t>{36}));
  EXPECT_EQ(found.lanes, 28);
  EXPECT_EQ(found.distance, 4);
  EXPECT_EQ(found.site.position.str(), "copy.py:3:7");
  EXPECT_EQ((*found.site.programId)[0], 1);
  EXPECT_FALSE(found.writes);
  EXPECT_EQ(out[99], 2.0f);
}

TEST_F(ShadowTest, StopsAtTheFirstByDefault) {
  std::vector<float> in(128, 1), out(128, 0);
  pass(in, "in", {100});
  pass(out, "out");
  auto decoded = program(copy("", ""));
  pass(100);
  LaunchRequest request;
  request.grid = {2, 1, 1};
  request.args = args;
  request.tensors = views;
  RunOptions options;
  options.sanitize = SanitizeOptions::parse("on");
  try {
    run(*decoded, request, options);
    FAIL() << "no fault";
  } catch (const KernelFault &fault) {
    EXPECT_EQ(fault.fault().kind, FaultKind::OutOfBounds);
    EXPECT_EQ(fault.fault().programId[0], 1);
    ASSERT_TRUE(fault.fault().finding);
    EXPECT_EQ(fault.fault().finding->index, (std::vector<int64_t>{100}));
  }
  EXPECT_EQ(out[63], 2.0f);
  EXPECT_EQ(out[64], 0.0f);
}

TEST_F(ShadowTest, DroppedStoresLeaveNeighboursAlone) {
  std::vector<float> memory(128, 1), in(128, 1);
  pass(in);
  pass(memory, "out", {100});
  pass(100);
  Finding found = only(copy("", ""), {2, 1, 1});
  EXPECT_TRUE(found.writes);
  EXPECT_EQ(memory[99], 2.0f);
  EXPECT_EQ(memory[100], 1.0f);
}

TEST_F(ShadowTest, SaysWhichOtherTensorIsHit) {
  std::vector<float> memory(256, 1), out(128, 0);
  pass(memory, "in", {100});
  TensorView other = views.back();
  other.argument = 9;
  other.name = "neighbour";
  other.address += 400;
  views.push_back(other);
  pass(out);
  pass(100);
  Finding found = only(copy("", ""), {2, 1, 1});
  ASSERT_TRUE(found.landsIn);
  EXPECT_EQ(found.landsIn->name, "neighbour");
  EXPECT_EQ(found.landsIndex, (std::vector<int64_t>{0}));
}

TEST_F(ShadowTest, AnUndefinedLaneMattersWhereItIsStored) {
  std::vector<float> in(128, 1), out(128, 0);
  pass(in);
  pass(out, "out");
  pass(100);
  Finding found = only(copy(", %mask", ""), {2, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::UndefinedValue);
  EXPECT_EQ(found.site.position.str(), "copy.py:4:7");
  EXPECT_EQ(found.lanes, 28);
  ASSERT_EQ(found.related.size(), 1u);
  EXPECT_EQ(found.related[0].role, "born");
  EXPECT_EQ(found.related[0].position.str(), "copy.py:3:7");
  silent(copy(", %mask, %zero", ""), {2, 1, 1});
}

TEST_F(ShadowTest, ReadsOfUnwrittenMemoryMatterToo) {
  std::vector<float> in(128, 1), out(128, 0);
  pass(in, "in");
  pass(out, "out");
  pass(100);
  TensorView tail = views.front();
  tail.address += 4 * 90;
  tail.shape = {38};
  markUninitialized(tail);
  Finding found = only(copy(", %mask", ", %mask"), {2, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::UninitializedRead);
  EXPECT_EQ(found.tensor->name, "in");
  EXPECT_EQ(found.index, (std::vector<int64_t>{90}));
  EXPECT_EQ(found.lanes, 10);
  forgetUninitialized(tail.address, 4 * 38);
}

TEST_F(ShadowTest, WhatAKernelWroteIsWritten) {
  std::vector<float> in(128, 1), out(128, 0);
  pass(in);
  pass(out);
  pass(128);
  markUninitialized(views[1]);
  silent(copy("", ""), {2, 1, 1});
  std::swap(args[0], args[1]);
  std::swap(views[0].address, views[1].address);
  silent(copy("", ""), {2, 1, 1});
  forgetUninitialized(at(out), 512);
}

/// All programs store to the same 64 elements.
std::string sameBlock(const std::string &value) {
  return R"(
tt.func public @same(%out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %to = tt.addptr %outs, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.splat )" +
         value + R"( : i32 -> tensor<64xi32>
  tt.store %to, %v : tensor<64x!tt.ptr<i32>> loc("same.py":5:3)
  tt.return
})";
}

TEST_F(ShadowTest, TwoProgramsThatStoreDifferentValuesRace) {
  std::vector<int32_t> out(64, -1);
  pass(out, "out");
  Finding found = only(sameBlock("%pid"), {3, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::Race);
  EXPECT_EQ((*found.site.programId)[0], 0);
  ASSERT_EQ(found.related.size(), 1u);
  EXPECT_EQ((*found.related[0].programId)[0], 1);
  EXPECT_EQ(found.index, (std::vector<int64_t>{0}));
}

TEST_F(ShadowTest, RacesAreFoundInEveryOrderOfPrograms) {
  std::vector<int32_t> out(64, -1);
  pass(out, "out");
  auto decoded = program(sameBlock("%pid"));
  LaunchRequest request;
  request.grid = {5, 1, 1};
  request.args = args;
  request.tensors = views;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<Finding> found;
    RunOptions options;
    options.sanitize = SanitizeOptions::parse("all", 16);
    options.findings = &found;
    options.seed = seed;
    run(*decoded, request, options);
    ASSERT_EQ(found.size(), 1u) << "seed " << seed;
    EXPECT_EQ(found[0].kind, FaultKind::Race);
    EXPECT_LT((*found[0].site.programId)[0], (*found[0].related[0].programId)[0]);
  }
}

TEST_F(ShadowTest, EqualStoresAreRedundantAtMost) {
  std::vector<int32_t> out(64, -1);
  pass(out, "out");
  silent(sameBlock("%zero"), {3, 1, 1});
  Finding found = only(sameBlock("%zero"), {3, 1, 1}, "all");
  EXPECT_EQ(found.kind, FaultKind::RedundantStore);
}

TEST_F(ShadowTest, AReadOfWhatAnotherProgramWritesRacesInEitherOrder) {
  std::vector<int32_t> data(8, 0);
  pass(data, "data");
  for (const char *writer : {"0", "1"}) {
    std::string text = R"(
tt.func public @shift(%data: !tt.ptr<i32>) {
  %writer = arith.constant )" +
                       std::string(writer) + R"( : i32
  %four = arith.constant 4 : i32
  %pid = tt.get_program_id x : i32
  %writes = arith.cmpi eq, %pid, %writer : i32
  scf.if %writes {
    tt.store %data, %pid : !tt.ptr<i32>
  } else {
    %x = tt.load %data : !tt.ptr<i32>
    %to = tt.addptr %data, %four : !tt.ptr<i32>, i32
    tt.store %to, %x : !tt.ptr<i32>
  }
  tt.return
})";
    Finding found = only(text, {2, 1, 1});
    EXPECT_EQ(found.kind, FaultKind::Race);
    EXPECT_EQ((*found.site.programId)[0], 0);
  }
}

TEST_F(ShadowTest, ALockOrdersWhatItGuards) {
  std::vector<int32_t> lock(1, 0), sum(1, 0);
  pass(lock, "lock");
  pass(sum, "sum");
  auto locked = [](const char *acquire, const char *release) {
    return std::string(R"(
tt.func public @add(%lock: !tt.ptr<i32>, %sum: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  scf.while : () -> () {
    %old = tt.atomic_cas )") +
           acquire + R"(, gpu, %lock, %zero, %one : (!tt.ptr<i32>, i32, i32) -> i32
    %taken = arith.cmpi ne, %old, %zero : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %x = tt.load %sum : !tt.ptr<i32>
  %y = arith.addi %x, %one : i32
  tt.store %sum, %y : !tt.ptr<i32>
  %free = tt.atomic_rmw exch, )" +
           release + R"(, gpu, %lock, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
})";
  };
  silent(locked("acquire", "release"), {5, 1, 1}, "all");
  silent(locked("acq_rel", "acq_rel"), {5, 1, 1}, "all");
  EXPECT_EQ(sum[0], 10);
  std::vector<Finding> found = collect(locked("relaxed", "relaxed"), {5, 1, 1});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, FaultKind::Race);
}

TEST_F(ShadowTest, AtomicsDoNotRaceWithEachOther) {
  std::vector<int32_t> out(64, 0);
  pass(out);
  silent(R"(
tt.func public @count(%out: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %old = tt.atomic_rmw add, relaxed, gpu, %out, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
})",
         {4, 1, 1}, "all");
  EXPECT_EQ(out[0], 4);
}

/// out[i / 2] = value, by lanes of one store.
std::string pairs(const std::string &value) {
  return R"(
tt.func public @pairs(%out: !tt.ptr<i32>) {
  %two = arith.constant dense<2> : tensor<64xi32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %half = arith.divsi %range, %two : tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %to = tt.addptr %outs, %half : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %to, )" +
         value + R"( : tensor<64x!tt.ptr<i32>>
  tt.return
})";
}

TEST_F(ShadowTest, LanesOfOneStoreConflictIfTheyDiffer) {
  std::vector<int32_t> out(64, 0);
  pass(out, "out");
  Finding found = only(pairs("%range"), {1, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::StoreConflict);
  EXPECT_EQ(found.lane, (std::vector<int64_t>{1}));
  EXPECT_EQ(found.value, "0, 1");
  silent(pairs("%half"), {1, 1, 1});
}

/// out[pid * stride] = 1, or a hash of it.
std::string strided(const std::string &index) {
  return R"(
tt.func public @strided(%out: !tt.ptr<i32>, %stride: i32) {
  %one = arith.constant 1 : i32
  %mask = arith.constant 7 : i32
  %pid = tt.get_program_id x : i32
  %far = arith.muli %pid, %stride : i32 loc("far.py":6:9)
  %hash = arith.andi %far, %mask : i32
  %to = tt.addptr %out, )" +
         index + R"( : !tt.ptr<i32>, i32
  tt.store %to, %one : !tt.ptr<i32>
  tt.return
})";
}

TEST_F(ShadowTest, AnIndexThatWrapsAroundNamesItsProduct) {
  std::vector<int32_t> out(8, 0);
  pass(out, "out");
  pass(1 << 30);
  auto found = collect(strided("%far"), {3, 1, 1}, "integer-overflow,out-of-bounds");
  const Finding *wrapped = nullptr;
  for (const Finding &each : found)
    if (each.kind == FaultKind::IntegerOverflow)
      wrapped = &each;
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->value, "2 * 1073741824 = 2147483648 does not fit i32");
  ASSERT_EQ(wrapped->related.size(), 1u);
  EXPECT_EQ(wrapped->related[0].position.str(), "far.py:6:9");
  silent(strided("%hash"), {3, 1, 1});
}

TEST_F(ShadowTest, PromisesAreCheckedWhereAnAddressGoesByThem) {
  std::vector<int32_t> out(64, 0);
  pass(out, "out");
  auto promise = [](const char *offset, const char *value) {
    return std::string(R"(
tt.func public @hint(%out: !tt.ptr<i32>) {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %pid = tt.get_program_id x : i32
  %pids = tt.splat %pid : i32 -> tensor<64xi32>
  %sum = arith.muli %range, %pids {tt.constancy = dense<64> : tensor<1xi32>} : tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %to = tt.addptr %outs, )") +
           offset + " : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n  tt.store %to, " + value +
           R"( : tensor<64x!tt.ptr<i32>>
  tt.return
})";
  };
  silent(promise("%sum", "%pids"), {1, 1, 1}, "broken-hint");
  Finding found = only(promise("%sum", "%pids"), {2, 1, 1}, "broken-hint");
  EXPECT_EQ(found.kind, FaultKind::BrokenHint);
  EXPECT_EQ((*found.site.programId)[0], 1);
  silent(promise("%range", "%sum"), {2, 1, 1}, "broken-hint");
}

TEST_F(ShadowTest, AnAssumptionThatFailsIsReported) {
  auto text = R"(
tt.func public @assume(%n: i32) {
  %two = arith.constant 2 : i32
  %small = arith.cmpi slt, %n, %two : i32
  llvm.intr.assume %small : i1
  tt.return
})";
  pass(5);
  EXPECT_EQ(only(text, {1, 1, 1}).kind, FaultKind::BrokenHint);
  args = {1};
  silent(text, {1, 1, 1});
}

TEST_F(ShadowTest, FindsWhereInfinitiesComeFrom) {
  std::vector<float> in(64, 3e38f), out(64, 0);
  pass(in);
  pass(out);
  pass(64);
  silent(copy("", ""), {1, 1, 1}, "all");
  Finding found = only(copy("", ""), {1, 1, 1}, "nan-origin");
  EXPECT_EQ(found.kind, FaultKind::NanOrigin);
  EXPECT_EQ(found.related[0].operation, "arith.addf");
}

TEST_F(ShadowTest, AWildPointerIsReportedNotFollowed) {
  std::vector<float> out(64, 0);
  pass(static_cast<int64_t>(0));
  pass(out);
  pass(64);
  Finding found = only(copy("", ""), {1, 1, 1});
  EXPECT_EQ(found.kind, FaultKind::OutOfBounds);
  EXPECT_FALSE(found.tensor);
}

} // namespace
} // namespace trisect::interp
