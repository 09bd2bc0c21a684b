//===- EnvelopeTest.cpp - which launches comparisons speak for ------------------------------------------===//
#include "jit/tiers/Envelope.h"
#include <bit>
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::jit;

namespace {

struct Launches {
  std::vector<KernelParameter> parameters;
  Envelope envelope{parameters};
  std::vector<ArgBits> bits;

  explicit Launches(DType type) : parameters{{"x", type, DType::F32, "", false}}, envelope(parameters) {}
  LaunchRequest request(ArgBits value, Grid grid) {
    bits = {value};
    LaunchRequest request;
    request.grid = grid;
    request.args = bits;
    return request;
  }
  bool contains(ArgBits value, Grid grid = {4, 1, 1}) { return envelope.contains(request(value, grid)); }
  void widen(ArgBits value, Grid grid = {4, 1, 1}) { envelope.widen(request(value, grid)); }
};

TEST(Envelope, HoldsNothingAtFirst) { EXPECT_FALSE(Launches(DType::I32).contains(4)); }

TEST(Envelope, IntegersByOrderOfMagnitude) {
  Launches launches(DType::I32);
  launches.widen(5);
  EXPECT_TRUE(launches.contains(7));
  EXPECT_FALSE(launches.contains(8)) << "one order more";
  EXPECT_FALSE(launches.contains(3)) << "one less";
  EXPECT_FALSE(launches.contains(uint32_t(-5)));
  launches.widen(1000);
  EXPECT_TRUE(launches.contains(100));
  EXPECT_FALSE(launches.contains(1024));
}

TEST(Envelope, IntegersByTrailingZeros) {
  Launches launches(DType::I64);
  launches.widen(256);
  launches.widen(512);
  EXPECT_FALSE(launches.contains(300)) << "ragged";
  launches.widen(301);
  EXPECT_TRUE(launches.contains(400));
}

TEST(Envelope, PointersByAlignment) {
  Launches launches(DType::Ptr);
  launches.widen(0x1000);
  EXPECT_TRUE(launches.contains(0x7f000));
  EXPECT_FALSE(launches.contains(0x1004));
}

TEST(Envelope, FloatsByClass) {
  Launches launches(DType::F32);
  auto bits = [](float value) { return ArgBits(std::bit_cast<uint32_t>(value)); };
  launches.widen(bits(0.5f));
  EXPECT_TRUE(launches.contains(bits(0.25f)));
  EXPECT_FALSE(launches.contains(bits(-0.5f)));
  EXPECT_FALSE(launches.contains(bits(0.0f)));
  EXPECT_FALSE(launches.contains(bits(3.0f)));
  EXPECT_FALSE(launches.contains(bits(std::nanf(""))));
}

TEST(Envelope, TheGridByEighthsOfAnOrderOfMagnitude) {
  Launches launches(DType::I32);
  launches.widen(5, {64, 1, 1});
  EXPECT_TRUE(launches.contains(5, {71, 1, 1}));
  EXPECT_FALSE(launches.contains(5, {72, 1, 1}));
  EXPECT_FALSE(launches.contains(5, {64, 2, 1}));
  launches.widen(5, {1000, 1, 1});
  EXPECT_TRUE(launches.contains(5, {500, 1, 1}));
  EXPECT_FALSE(launches.contains(5, {1100, 1, 1}));
  launches.widen(5, {65535, 1, 1});
  EXPECT_FALSE(launches.contains(5, {65536, 1, 1}));
}

TEST(Envelope, ShapesOfDescriptors) {
  Launches launches(DType::Ptr);
  launches.parameters[0].descriptor = true;
  DescriptorArg small{0x1000, 2, 1, {16, 16}, {16, 1}}, large{0x1000, 2, 1, {16, 64}, {64, 1}};
  launches.widen(reinterpret_cast<uint64_t>(&small));
  EXPECT_TRUE(launches.contains(reinterpret_cast<uint64_t>(&small)));
  EXPECT_FALSE(launches.contains(reinterpret_cast<uint64_t>(&large)));
}

} // namespace
