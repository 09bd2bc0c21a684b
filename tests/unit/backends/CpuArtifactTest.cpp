//===- CpuArtifactTest.cpp - kernels of the target cpu as values ----------------------------------------===//
#include "backends/Targets.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace trisect;

namespace {

constexpr int block = 64;

/// out[i] = in[i] + in[i], a block a program.
constexpr const char *doubling = R"(
tt.func public @twice(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %size = arith.constant 64 : i32
  %id = tt.get_program_id x : i32
  %start = arith.muli %id, %size : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %offs = arith.addi %starts, %range : tensor<64xi32>
  %is = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ip = tt.addptr %is, %offs : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %ip : tensor<64x!tt.ptr<f32>>
  %y = arith.addf %x, %x : tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %offs : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %y : tensor<64x!tt.ptr<f32>>
  tt.return
})";

Target &cpuTarget() {
  registerTargets();
  return *TargetRegistry::find("cpu");
}

Artifact compile(const OptionTexts &options = {}, Form form = Form::Any, const std::string &text = doubling) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModule(text, "test", context);
  return cpuTarget().compile(*module, "twice", *cpuTarget().readOptions(options), form);
}

/// The output of a launch of two programs, or of a part of them, over zeros.
std::vector<float> run(const Artifact &artifact, std::optional<ProgramRange> part = std::nullopt) {
  auto loaded = cpuTarget().device({})->load(std::make_shared<const Artifact>(artifact));
  std::vector<float> in(2 * block, 1.5F), out(2 * block);
  ArgBits args[] = {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.data())};
  LaunchRequest request;
  request.grid.x = 2;
  request.args = args;
  request.part = part;
  loaded->launch(request);
  return out;
}

TEST(CpuArtifact, RunsFromItsBytesAlone) {
  std::string bytes = serialize(compile());
  EXPECT_EQ(run(deserialize(bytes)), std::vector<float>(2 * block, 3.0F));
}

TEST(CpuArtifact, IsTheSameEachTime) { EXPECT_EQ(serialize(compile()), serialize(compile())); }

// A thread keeps the passes that make code.
TEST(CpuArtifact, IsTheSameWhateverTheThreadHasCompiled) {
  std::string first;
  std::thread([&] { first = serialize(compile()); }).join();
  std::string wide = doubling;
  for (size_t at; (at = wide.find("f32")) != std::string::npos;)
    wide.replace(at, 3, "f64");
  std::string other = serialize(compile({}, Form::Any, wide));
  EXPECT_NE(other, first);
  EXPECT_EQ(serialize(compile()), first);
  EXPECT_EQ(serialize(compile({}, Form::Any, wide)), other);
}

TEST(CpuArtifact, RunsARangeOfPrograms) {
  std::vector<float> want(2 * block);
  EXPECT_EQ(run(compile(), ProgramRange{1, 0}), want);
  std::fill(want.begin() + block, want.end(), 3.0F);
  EXPECT_EQ(run(compile(), ProgramRange{1, 1}), want);
}

TEST(CpuArtifact, SaysWhatItAssumes) {
  EXPECT_TRUE(compile({}, Form::Any).guards.empty());
  for (const Guard &guard : compile({}, Form::Disjoint).guards)
    EXPECT_EQ(guard.arguments, (std::vector<uint32_t>{0, 1}));
}

TEST(CpuArtifact, MachinesAreValues) {
  std::set<std::string> codes;
  for (const char *level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    Artifact artifact = compile({{"arch", level}});
    EXPECT_NE(artifact.isa.find(level), std::string::npos) << artifact.isa;
    codes.insert(artifact.code);
    if (cpu::runsHere(artifact.isa))
      EXPECT_EQ(run(artifact), std::vector<float>(2 * block, 3.0F)) << level;
    else
      EXPECT_THROW(run(artifact), InvalidInput) << level;
  }
  EXPECT_EQ(codes.size(), 3u) << "each level has its own code";
  EXPECT_TRUE(cpu::runsHere(cpu::hostMachine().describe()));
  EXPECT_THROW(compile({{"arch", "pentium"}}), InvalidInput);
}

TEST(CpuArtifact, OfElsewhereIsRefused) {
  Artifact foreign = compile();
  foreign.isa = "riscv64-linux-gnu:generic:+v";
  EXPECT_THROW(run(foreign), InvalidInput);
  foreign = compile();
  foreign.isa += ",+no-such-feature";
  EXPECT_THROW(run(foreign), InvalidInput);
  foreign = compile();
  foreign.abi += 1;
  EXPECT_THROW(run(foreign), InvalidInput);
  foreign = compile();
  foreign.target = "cuda";
  EXPECT_THROW(run(foreign), InvalidInput);
  foreign = compile();
  foreign.code = foreign.code.substr(0, 100);
  EXPECT_THROW(run(foreign), EngineError);
}

/// Programs share the rows; each goes over its own in blocks of 512.
constexpr const char *rows = R"(
tt.func public @twice(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %width: i32, %height: i32) {
  %zero = arith.constant 0 : i32
  %block = arith.constant 512 : i32
  %most = arith.constant 511 : i32
  %one = arith.constant 1 : i32
  %id = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %padded = arith.addi %width, %most : i32
  %blocks = arith.divsi %padded, %block : i32
  scf.for %row = %id to %height step %programs : i32 {
    scf.for %k = %zero to %blocks step %one : i32 {
      %from = arith.muli %row, %width : i32
      %column = arith.muli %k, %block : i32
      %start = arith.addi %from, %column : i32
      %ip = tt.addptr %in, %start : !tt.ptr<f32>, i32
      %ips = tt.splat %ip : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
      %read = tt.addptr %ips, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %x = tt.load %read : tensor<512x!tt.ptr<f32>>
      %op = tt.addptr %out, %start : !tt.ptr<f32>, i32
      %ops = tt.splat %op : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
      %write = tt.addptr %ops, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      tt.store %write, %x : tensor<512x!tt.ptr<f32>>
    }
  }
  tt.return
})";

TEST(CpuArtifact, WhatLoopsWriteIsCountedByTheirRounds) {
  Artifact artifact = compile({}, Form::Disjoint, rows);
  ASSERT_EQ(artifact.streamed.size(), 1u);
  EXPECT_EQ(artifact.streamed[0].bytes, 2048);
  auto rounds = [&](uint32_t width, uint32_t height, int32_t programs) {
    ArgBits args[] = {0, 0, width, height};
    LaunchRequest request;
    request.grid.x = programs;
    request.args = args;
    return valueOf(artifact.streamed[0].rounds, request);
  };
  EXPECT_EQ(rounds(5000, 9, 4), 10 * 3);
  EXPECT_EQ(rounds(512, 4, 4), 1);
  EXPECT_EQ(rounds(0, 4, 4), 1) << "a loop that the first program does not enter";
  EXPECT_EQ(rounds(512, static_cast<uint32_t>(-1), 4), 1);

  Artifact plain = compile({}, Form::Disjoint);
  ASSERT_EQ(plain.streamed.size(), 1u);
  EXPECT_EQ(plain.streamed[0], (Streamed{block * 4, {}}));
}

} // namespace
