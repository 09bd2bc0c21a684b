//===- AtomicsTest.cpp - mistakes beside atomics --------------------------------------------------------===//
//
// What: kernels that store what their atomics found there. A program alone comes to its scalar atomics in one
// order: what it stores has one right value, and code that stores another is found. So do lanes of a block
// that have a cell each. Those that meet in one have no order: a difference proves nothing, and tier 0 runs
// the launch.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "tests/mutants/MutantTarget.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace trisect::mutants {
namespace {

using namespace mlir;

constexpr int32_t programs = 16;

/// out[pid] is the number that the program drew.
const char *const tickets = R"(
tt.func public @tickets(%cell: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %yes = arith.constant true
  %pid = tt.get_program_id x : i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %cell, %one, %yes : (!tt.ptr<i32>, i32, i1) -> i32
  %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %to, %old : !tt.ptr<i32>
  tt.return
})";

/// Each of eight lanes draws one.
const char *const lanes = R"(
tt.func public @tickets(%cell: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %one = arith.constant dense<1> : tensor<8xi32>
  %eight = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %eight : i32
  %cells = tt.splat %cell : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %old = tt.atomic_rmw add, acq_rel, gpu, %cells, %one : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>) -> tensor<8xi32>
  %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %starts = tt.splat %start : i32 -> tensor<8xi32>
  %at = arith.addi %starts, %range : tensor<8xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %outs, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %to, %old : tensor<8x!tt.ptr<i32>>
  tt.return
})";

/// Each of eight lanes reads a number that is its own.
const char *const readers = R"(
tt.func public @tickets(%cells: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %eight = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %eight : i32
  %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %starts = tt.splat %start : i32 -> tensor<8xi32>
  %at = arith.addi %starts, %range : tensor<8xi32>
  %froms = tt.splat %cells : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %from = tt.addptr %froms, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %old = tt.atomic_load relaxed, gpu, %from : (tensor<8x!tt.ptr<i32>>) -> tensor<8xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %outs, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %to, %old : tensor<8x!tt.ptr<i32>>
  tt.return
})";

/// Draws a number under a lock.
const char *const locked = R"(
tt.func public @tickets(%lock: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  scf.while : () -> () {
    %old = tt.atomic_cas acq_rel, gpu, %lock, %zero, %one : (!tt.ptr<i32>, i32, i32) -> i32
    %held = arith.cmpi ne, %old, %zero : i32
    scf.condition(%held)
  } do {
    scf.yield
  }
  %cell = tt.addptr %lock, %one : !tt.ptr<i32>, i32
  %next = tt.load %cell : !tt.ptr<i32>
  %more = arith.addi %next, %one : i32
  tt.store %cell, %more : !tt.ptr<i32>
  %free = tt.atomic_rmw exch, release, gpu, %lock, %zero : (!tt.ptr<i32>, i32) -> i32
  %number = arith.subi %next, %one : i32
  %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %to, %number : !tt.ptr<i32>
  tt.return
})";

/// Each program but the last waits for the one behind it.
const char *const backwards = R"(
tt.func public @tickets(%turn: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 15 : i32
  %pid = tt.get_program_id x : i32
  %mine = arith.subi %last, %pid : i32
  scf.while : () -> () {
    %now = tt.atomic_rmw add, acquire, gpu, %turn, %zero : (!tt.ptr<i32>, i32) -> i32
    %early = arith.cmpi ne, %now, %mine : i32
    scf.condition(%early)
  } do {
    scf.yield
  }
  %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %to, %mine : !tt.ptr<i32>
  %old = tt.atomic_rmw add, acq_rel, gpu, %turn, %one : (!tt.ptr<i32>, i32) -> i32
  tt.return
})";

/// Stores one more than what is to be stored.
void plant(ModuleOp module) {
  tt::StoreOp store;
  module.walk([&](tt::StoreOp op) {
    if (!op->hasAttr("trisect_probe"))
      store = op;
  });
  OpBuilder b(store);
  Type type = store.getValue().getType();
  auto one = cast<TypedAttr>(isa<RankedTensorType>(type)
                                 ? Attribute(DenseElementsAttr::get(cast<ShapedType>(type), int32_t(1)))
                                 : Attribute(b.getI32IntegerAttr(1)));
  Value more = b.create<arith::ConstantOp>(store.getLoc(), one);
  store.getValueMutable().assign(b.create<arith::AddIOp>(store.getLoc(), store.getValue(), more));
}

class Atomics : public testing::Test {
protected:
  void SetUp() override {
    registerMutantTarget();
    setOption(OptionId::BundleCount, "0");
    setMistake(plant);
  }
  void TearDown() override {
    setMistake({});
    setOption(OptionId::BundleCount, std::nullopt);
  }

  /// The verdict of the first launch; all numbers were drawn once whatever it was.
  jit::VerdictKind launch(const char *text, int32_t each) {
    auto kernel = jit::TieredKernel::create(jit::Kernel::create(text, "tickets", {{"tier", "mutant"}}));
    std::vector<int32_t> out(size_t(programs * each), -1), cells = out;
    std::iota(cells.begin(), cells.end(), 0);
    std::vector<ArgBits> args = {reinterpret_cast<uint64_t>(cells.data()),
                                 reinterpret_cast<uint64_t>(out.data())};
    std::vector<TensorView> views = {{0, "cell", args[0], DType::I32, {programs * each}, {1}},
                                     {1, "out", args[1], DType::I32, {programs * each}, {1}}};
    LaunchRequest request;
    request.grid.x = programs;
    request.args = args;
    request.tensors = views;
    kernel->launch(request);
    std::ranges::sort(out);
    for (int32_t n = 0; n < programs * each; ++n)
      EXPECT_EQ(out[size_t(n)], n);
    auto verdicts = kernel->tally().verdicts;
    return static_cast<jit::VerdictKind>(std::ranges::max_element(verdicts) - verdicts.begin());
  }
};

TEST_F(Atomics, WhatAScalarOneFoundIsKnown) { EXPECT_EQ(launch(tickets, 1), jit::VerdictKind::Different); }

TEST_F(Atomics, WhatLanesFoundInOneCellIsNot) { EXPECT_EQ(launch(lanes, 8), jit::VerdictKind::Inconclusive); }

TEST_F(Atomics, WhatLanesFoundEachInItsOwnIsKnown) {
  std::string apart = lanes;
  apart.replace(apart.find("%old = "), 0,
                "%own = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>\n"
                "%first = tt.splat %start : i32 -> tensor<8xi32>\n"
                "%mine = arith.addi %own, %first : tensor<8xi32>\n"
                "%each = tt.addptr %cells, %mine : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n");
  apart.replace(apart.find("gpu, %cells, %one"), 11, "gpu, %each");
  EXPECT_EQ(launch(apart.c_str(), 8), jit::VerdictKind::Different);
}

TEST_F(Atomics, WhatLanesReadIsKnown) { EXPECT_EQ(launch(readers, 8), jit::VerdictKind::Different); }

TEST_F(Atomics, WhatIsDoneUnderALockIsKnownWhereNobodyHadToWait) {
  EXPECT_EQ(launch(locked, 1), jit::VerdictKind::Different);
}

TEST_F(Atomics, WhatProgramsDoThatMustWaitIsNot) {
  EXPECT_EQ(launch(backwards, 1), jit::VerdictKind::Inconclusive);
}

TEST_F(Atomics, RightCodeRaisesNoAlarm) {
  setMistake({});
  for (const char *text : {tickets, locked, backwards})
    EXPECT_EQ(launch(text, 1), jit::VerdictKind::Equal);
}

} // namespace
} // namespace trisect::mutants
