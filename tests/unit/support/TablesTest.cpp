//===- TablesTest.cpp - element types, op table, fault names --------------------------------------------===//
#include "core/support/DType.h"
#include "core/support/OpTable.h"
#include "core/support/Outcome.h"
#include <gtest/gtest.h>
#include <set>

using namespace trisect;

namespace {
TEST(TablesTest, ElementTypes) {
  std::set<std::string_view> names;
  for (int i = 0; i < numDTypes; ++i) {
    auto type = static_cast<DType>(i);
    EXPECT_TRUE(names.insert(name(type)).second) << name(type) << " twice";
    EXPECT_LE(bitWidth(type), 8 * byteSize(type)) << name(type);
    EXPECT_EQ(isInteger(type) + isFloat(type) + (type == DType::Ptr), 1) << name(type);
  }
  EXPECT_EQ(bitWidth(DType::I1), 1u);
  EXPECT_EQ(bitWidth(DType::I4), 4u);
  EXPECT_EQ(byteSize(DType::BF16), 2u);
  EXPECT_TRUE(isFloat8(DType::F8E4M3FN));
  EXPECT_FALSE(isFloat8(DType::F16));
}

TEST(TablesTest, OpsAreFoundByTheirOwnName) {
  size_t index = 0;
  for (const OpInfo &row : opTable()) {
    EXPECT_EQ(static_cast<size_t>(row.id), index++);
    EXPECT_EQ(opFromMnemonic(row.mnemonic), row.id) << row.mnemonic;
    EXPECT_NE(row.mnemonic.find('.'), std::string_view::npos) << row.mnemonic;
  }
  EXPECT_EQ(opFromMnemonic("tt.dots"), std::nullopt);
}

TEST(TablesTest, FaultKindsRoundTrip) {
  for (int i = 0; i <= static_cast<int>(FaultKind::NanOrigin); ++i) {
    auto kind = static_cast<FaultKind>(i);
    EXPECT_EQ(faultKindFromName(faultKindName(kind)), kind);
  }
  EXPECT_EQ(faultKindFromName("out of bounds"), std::nullopt);
}

TEST(TablesTest, PositionsAsText) {
  EXPECT_EQ((SourcePosition{"k.py", 3, 7}).str(), "k.py:3:7");
  EXPECT_EQ((SourcePosition{"k.py", 3, 0}).str(), "k.py:3");
  EXPECT_EQ((SourcePosition{"k.py", 0, 7}).str(), "<unknown>");
}
} // namespace
