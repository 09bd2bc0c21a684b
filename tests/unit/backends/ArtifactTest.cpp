//===- ArtifactTest.cpp - compiled kernels as bytes, and what they assume -------------------------------===//
#include "backends/target/Artifact.h"
#include "backends/target/Guards.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {

Artifact example() {
  Artifact artifact;
  artifact.target = "cpu";
  artifact.isa = "x86-64-v3";
  artifact.kernel = "add";
  artifact.symbol = "entry";
  artifact.abi = 7;
  artifact.numerics = NumericProfile::Cuda;
  artifact.code = std::string("\0\x7f"
                              "ELF\xff",
                              6);
  artifact.stages = {{"llir", "define void @entry()", false}, {"cubin", std::string("\0\1", 2), true}};
  artifact.resources = {1 << 20, 49152, 168, -1, 1024, 4};
  artifact.guards = {{Guard::Kind::Disjoint, {0, 2}}};
  artifact.asserts = {{AssertionKind::LoopStep, "i < n", {"kernel.py", 12, 5}}, {}};
  artifact.paths = {{"all lanes on", {"kernel.py", 14, 0}}};
  artifact.streamed = {{4096, {}},
                       {512, {{FormulaStep::Kind::Argument, 3}, {FormulaStep::Kind::Extend, 32}}}};
  artifact.sources = {{"kernel.py", 10, 20}, {"helpers.py", 3, 4}};
  return artifact;
}

TEST(Artifact, ComesBackFromItsBytes) {
  Artifact artifact = example();
  EXPECT_EQ(deserialize(serialize(artifact)), artifact);
  EXPECT_EQ(deserialize(serialize(Artifact())), Artifact());
}

TEST(Artifact, FindsItsStages) {
  Artifact artifact = example();
  ASSERT_NE(artifact.stage("llir"), nullptr);
  EXPECT_EQ(artifact.stage("llir")->content, "define void @entry()");
  EXPECT_EQ(artifact.stage("ptx"), nullptr);
}

TEST(Artifact, AnyChangedOrMissingByteIsNoticed) {
  std::string bytes = serialize(example());
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] ^= 1;
    EXPECT_THROW(deserialize(damaged), InvalidInput) << at;
    EXPECT_THROW(deserialize(std::string_view(bytes).substr(0, at)), InvalidInput) << at;
  }
  EXPECT_THROW(deserialize(bytes + "x"), InvalidInput);
}

/// A view of `elements` floats that starts at an address.
TensorView view(unsigned argument, uint64_t address, int64_t elements, int64_t stride = 1) {
  TensorView result;
  result.argument = argument;
  result.address = address;
  result.shape = {elements};
  result.strides = {stride};
  return result;
}

bool disjoint(std::vector<TensorView> views, std::vector<uint32_t> arguments) {
  LaunchRequest request;
  request.tensors = views;
  return holds(Guard{Guard::Kind::Disjoint, std::move(arguments)}, request);
}

TEST(Guards, DisjointMeansNoCommonByte) {
  EXPECT_TRUE(disjoint({view(0, 1000, 4), view(1, 1016, 4)}, {0, 1}));
  EXPECT_FALSE(disjoint({view(0, 1000, 4), view(1, 1015, 4)}, {0, 1}));
  EXPECT_FALSE(disjoint({view(0, 1000, 4), view(1, 1000, 4)}, {0, 1}));
  EXPECT_TRUE(disjoint({view(0, 1000, 4), view(1, 1000, 4)}, {0})) << "the other is not written";
  EXPECT_TRUE(disjoint({view(0, 1000, 4), view(1, 1000, 0)}, {0, 1})) << "an empty tensor reaches nothing";
}

TEST(Guards, ReachFollowsStrides) {
  EXPECT_FALSE(disjoint({view(0, 1000, 4, 2), view(1, 1024, 4)}, {0, 1}));
  EXPECT_FALSE(disjoint({view(0, 1012, 4, -1), view(1, 1000, 1)}, {0, 1}));
  EXPECT_TRUE(disjoint({view(0, 1012, 4, -1), view(1, 996, 1)}, {0, 1}));
  EXPECT_FALSE(disjoint({view(0, 1000, 100, 0), view(1, 1003, 1)}, {0, 1}));
}

TEST(Guards, AnArgumentWithoutAViewMayReachAnything) {
  EXPECT_FALSE(disjoint({view(0, 1000, 4)}, {0, 1}));
  Artifact artifact;
  EXPECT_TRUE(holds(artifact, {})) << "no guards";
  artifact.guards = {{Guard::Kind::Disjoint, {0}}};
  EXPECT_FALSE(holds(artifact, {}));
}

} // namespace
