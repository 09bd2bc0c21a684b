//===- DecodeTest.cpp - the shape of decoded programs ---------------------------------------------------===//
#include "interp/tools/SampleKernels.h"
#include "tests/unit/exec/ExecTest.h"
#include <algorithm>

namespace trisect::interp {
namespace {

size_t count(const Program &program, Opcode opcode) {
  return std::count_if(program.code.begin(), program.code.end(),
                       [&](const Instr &i) { return i.opcode == opcode; });
}

TEST_F(ExecTest, VectorAddIsOneGroup) {
  auto p = program(vectorAdd);
  EXPECT_EQ(count(*p, Opcode::Group), 1u);
  EXPECT_EQ(count(*p, Opcode::Load), 2u);
  EXPECT_EQ(p->parameters.size(), 4u);
  EXPECT_TRUE(p->writesMemory);
  EXPECT_FALSE(p->mayWait);
}

TEST_F(ExecTest, WhatAllProgramsShareRunsOnce) {
  auto p = program(vectorAdd);
  // The splats of three pointers and of the bound.
  EXPECT_EQ(p->uniformEnd, 4u);
  for (uint32_t at = 0; at < p->uniformEnd; ++at)
    EXPECT_EQ(p->code[at].opcode, Opcode::Splat);
}

TEST_F(ExecTest, DeadCodeIsDropped) {
  auto p = program(R"(
tt.func public @k(%in: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tt.load %in : !tt.ptr<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) : i32 {
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  tt.return
})");
  EXPECT_EQ(count(*p, Opcode::Load), 0u);
  EXPECT_EQ(count(*p, Opcode::Elementwise), 0u);
}

TEST_F(ExecTest, VolatileLoadsStay) {
  auto p = program(R"(
tt.func public @k(%in: !tt.ptr<f32>) {
  %x = tt.load %in {isVolatile = true} : !tt.ptr<f32>
  tt.return
})");
  EXPECT_EQ(count(*p, Opcode::Load), 1u);
}

TEST_F(ExecTest, ReducesOfOneOpUseItsKernel) {
  auto p = program(softmax);
  for (const Instr &i : p->code)
    if (i.opcode == Opcode::Reduce) {
      EXPECT_TRUE(p->extra(i).region.single);
      EXPECT_NE(p->extra(i).reduce, nullptr);
    }
  EXPECT_EQ(count(*p, Opcode::Reduce), 2u);
}

TEST_F(ExecTest, LoadsOfProductsAreReadInPlace) {
  auto p = program(matmul);
  for (const Instr &i : p->code) {
    if (i.opcode == Opcode::Load) {
      EXPECT_TRUE(i.flags & FlagInPlace);
    }
    // The accumulator dies in the product, so that it is updated where it lies.
    if (i.opcode == Opcode::Dot) {
      EXPECT_TRUE(p->dies(i, 2));
    }
  }
}

TEST_F(ExecTest, CallsKeepTheirPlaceInTheSource) {
  auto p = program(R"(
#k = loc("kernel.py":10:3)
#h = loc("helper.py":20:5)
module {
  tt.func public @k(%out: !tt.ptr<i32>) {
    tt.call @h(%out) : (!tt.ptr<i32>) -> () loc(#k)
    tt.return
  }
  tt.func private @h(%out: !tt.ptr<i32>) {
    %c = arith.constant 1 : i32 loc(#h)
    tt.store %out, %c : !tt.ptr<i32> loc(#h)
    tt.return
  }
})",
                   "k");
  for (const Instr &i : p->code)
    if (i.opcode == Opcode::Store) {
      EXPECT_EQ(p->position(i).str(), "helper.py:20:5");
      EXPECT_EQ(p->locations[p->locations[i.location].caller].position.str(), "kernel.py:10:3");
    }
}

TEST_F(ExecTest, NamesOfTheSource) {
  auto p = program(R"(
#a = loc("kernel.py":10:3)
tt.func public @k(%out: !tt.ptr<i32> loc("out_ptr"(#a))) {
  %c = arith.constant 1 : i32
  %d = tt.get_program_id x : i32 loc("pid"(#a))
  %e = arith.addi %c, %d : i32 loc("total"(#a))
  tt.store %out, %e : !tt.ptr<i32>
  tt.return
})");
  EXPECT_EQ(p->parameters[0].name, "out_ptr");
  std::vector<std::string> names;
  for (const SlotInfo &slot : p->slots)
    if (slot.name)
      names.push_back(p->strings[slot.name]);
  EXPECT_NE(std::find(names.begin(), names.end(), "pid"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "total"), names.end());
}

TEST_F(ExecTest, ChoosesTheKernel) {
  const char *two = R"(module {
  tt.func public @a() { tt.return }
  tt.func public @b() { tt.return }
})";
  EXPECT_EQ(program(two, "b")->kernel, "b");
  EXPECT_THROW(program(two), InvalidInput);
  EXPECT_THROW(program(two, "c"), InvalidInput);
}

TEST_F(ExecTest, UnknownOperationsAreNamedWithTheirPlace) {
  try {
    program(R"(
tt.func public @k(%x: i32, %out: !tt.ptr<i32>) {
  %s, %o = arith.addui_extended %x, %x : i32, i1 loc("kernel.py":7:1)
  tt.store %out, %s : !tt.ptr<i32>
  tt.return
})");
    FAIL() << "decoded";
  } catch (const Unsupported &reason) {
    EXPECT_EQ(reason.position().str(), "kernel.py:7:1");
    EXPECT_NE(std::string(reason.what()).find("arith.addui_extended"), std::string::npos) << reason.what();
  }
}

} // namespace
} // namespace trisect::interp
