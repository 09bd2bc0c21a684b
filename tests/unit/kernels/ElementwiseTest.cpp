//===- ElementwiseTest.cpp - every elementwise kernel against the scalar level --------------------------===//
//
// What: walks the whole table of each ISA level, so that no kernel can be forgotten: same entries as the
// scalar level, same values for edge and random inputs, for every pattern of splats, for lengths that leave
// remainders, and in place.
//
//===----------------------------------------------------------------------------------------------------===//
#include "Samples.h"
#include "interp/kernels/RegistryMaps.h"
#include <gtest/gtest.h>
#include <set>

using namespace trisect;
using namespace trisect::interp;

namespace {

/// The element types of an op's operands, from its key.
std::vector<DType> operandTypes(OpId op, DType operand) {
  switch (op) {
  case OpId::arith_select:
    return {DType::I1, operand, operand};
  case OpId::tt_addptr:
    return {DType::Ptr, operand};
  case OpId::math_fma:
  case OpId::tt_clampf:
    return {operand, operand, operand};
  default:
    break;
  }
  static const std::set<std::string_view> unary = {
      "tt.int_to_ptr",   "tt.ptr_to_int",    "tt.bitcast",        "arith.extsi",   "arith.extui",
      "arith.trunci",    "arith.negf",       "arith.extf",        "arith.truncf",  "arith.sitofp",
      "arith.uitofp",    "arith.fptosi",     "arith.fptoui",      "arith.bitcast", "tt.fp_to_fp",
      "tt.precise_sqrt", "arith.index_cast", "arith.index_castui"};
  const std::string_view mnemonic = info(op).mnemonic;
  const bool binaryMath = op == OpId::math_atan2 || op == OpId::math_powf || op == OpId::math_copysign;
  if (unary.count(mnemonic) || (mnemonic.starts_with("math.") && !binaryMath))
    return {operand};
  return {operand, operand};
}

std::vector<uint64_t> attributes(OpId op) {
  switch (op) {
  case OpId::arith_cmpi:
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  case OpId::arith_cmpf:
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  case OpId::tt_fp_to_fp:
    return {0, 1};
  case OpId::tt_clampf:
    return {0, 65535};
  case OpId::tt_addptr:
    return {1, 2, 4, 8};
  default:
    return {0};
  }
}

class PerIsa : public testing::TestWithParam<Isa> {
protected:
  void SetUp() override {
    if (!isaAvailable(GetParam()))
      GTEST_SKIP() << "this machine lacks " << isaName(GetParam());
  }
};

void compareKernel(OpId op, DType operand, DType result, ElementwiseFn oracle, ElementwiseFn fn) {
  const auto types = operandTypes(op, operand);
  for (int64_t n : {int64_t(1), int64_t(7), int64_t(771)})
    for (uint64_t attribute : attributes(op))
      for (unsigned splats = 0; splats < (1u << types.size()); ++splats) {
        std::vector<Block> blocks;
        std::vector<Strip> strips;
        for (size_t i = 0; i < types.size(); ++i)
          blocks.push_back(sample(types[i], n, 17 * n + i + attribute));
        for (size_t i = 0; i < types.size(); ++i)
          strips.push_back({blocks[i].data(), (splats >> i & 1) != 0});
        Block expected(result, n), actual(result, n);
        oracle(expected.data(), strips.data(), n, attribute);
        fn(actual.data(), strips.data(), n, attribute);
        ASSERT_EQ(firstDifference(expected, actual), "")
            << info(op).mnemonic << " " << name(operand) << " -> " << name(result) << ", n = " << n
            << ", attribute " << attribute << ", splats " << splats;
        if (splats || byteSize(types.back()) != byteSize(result))
          continue;
        fn(blocks.back().data(), strips.data(), n, attribute);
        Block inPlace(result, n);
        for (int64_t i = 0; i < n; ++i)
          inPlace.setBits(i, blocks.back().bits(i));
        ASSERT_EQ(firstDifference(expected, inPlace), "") << info(op).mnemonic << " in place";
      }
}

TEST_P(PerIsa, HasEveryKernelOfTheScalarLevel) {
  const auto &oracle = registryOf(Isa::Scalar).maps(), &level = registryOf(GetParam()).maps();
  EXPECT_EQ(oracle.elementwise.size(), level.elementwise.size());
  for (const auto &[key, fn] : oracle.elementwise)
    EXPECT_TRUE(level.elementwise.count(key)) << info(std::get<0>(key)).mnemonic;
}

TEST_P(PerIsa, AgreesWithTheScalarLevel) {
  const auto &level = registryOf(GetParam()).maps().elementwise;
  for (const auto &[key, oracle] : registryOf(Isa::Scalar).maps().elementwise) {
    const auto &[op, operand, result, numerics] = key;
    compareKernel(op, operand, result, oracle, level.at(key));
  }
}

TEST(Elementwise, EveryOpOfTheTableHasAKernel) {
  std::set<OpId> found;
  for (const auto &[key, fn] : registryOf(Isa::Scalar).maps().elementwise)
    found.insert(std::get<0>(key));
  for (const OpInfo &row : opTable()) {
    if (row.cls != OpClass::Elementwise || row.id == OpId::tt_extern_elementwise ||
        row.id == OpId::tt_elementwise_inline_asm)
      continue;
    EXPECT_TRUE(found.count(row.id)) << row.mnemonic;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, PerIsa, testing::ValuesIn(isaLevels),
                         [](const auto &info) { return std::string(isaName(info.param)); });

} // namespace
