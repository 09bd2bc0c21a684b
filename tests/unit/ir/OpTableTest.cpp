//===- OpTableTest.cpp - core/ops.def against the dialects, both ways -----------------------------------===//
#include "core/ir/LegacyOps.h"
#include "core/ir/Registry.h"
#include "core/support/OpFacts.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <set>

using namespace trisect;

namespace {

class OpTableTest : public testing::Test {
protected:
  OpTableTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    tt::loadDialects(context);
    context.loadAllAvailableDialects();
  }
  mlir::MLIRContext context;
};

TEST_F(OpTableTest, EveryRowIsARegisteredOperation) {
  for (const OpInfo &row : opTable())
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(row.mnemonic, &context)) << row.mnemonic;
}

TEST_F(OpTableTest, EveryOperationOfTheDialectHasARow) {
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    bool ours = name.getDialectNamespace() == "tt" || name.getDialectNamespace() == "ttg";
    if (ours && !name.hasTrait<tt::LegacySpelling>())
      EXPECT_TRUE(opFromMnemonic(std::string_view(name.getStringRef()))) << name.getStringRef().str();
  }
}

TEST_F(OpTableTest, LegacySpellingsHaveNone) {
  int legacy = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasTrait<tt::LegacySpelling>()) {
      ++legacy;
      EXPECT_FALSE(opFromMnemonic(std::string_view(name.getStringRef()))) << name.getStringRef().str();
    }
  EXPECT_GT(legacy, 0);
}

TEST_F(OpTableTest, MnemonicsAndIdentifiersAgree) {
  std::set<std::string_view> seen;
  for (const OpInfo &row : opTable()) {
    EXPECT_TRUE(seen.insert(row.mnemonic).second) << row.mnemonic << " occurs twice";
    EXPECT_EQ(opFromMnemonic(row.mnemonic), row.id);
  }
}

/// How many operands an operation takes by its definition.
int operandsOf(mlir::RegisteredOperationName name) {
  using namespace mlir::OpTrait;
  if (name.hasTrait<ZeroOperands>())
    return 0;
  if (name.hasTrait<OneOperand>())
    return 1;
  if (name.hasTrait<NOperands<2>::Impl>())
    return 2;
  return name.hasTrait<NOperands<3>::Impl>() ? 3 : OpFacts::Any;
}

TEST_F(OpTableTest, RowsTellTheNumberOfOperands) {
  for (const OpInfo &row : opTable()) {
    auto name = mlir::RegisteredOperationName::lookup(row.mnemonic, &context);
    ASSERT_TRUE(name) << row.mnemonic;
    EXPECT_EQ(factsOf(row.id).operands, operandsOf(*name)) << row.mnemonic;
  }
}

TEST(OpFacts, WhatClassAndColumnsSayAgrees) {
  for (const OpInfo &row : opTable()) {
    const OpFacts &facts = factsOf(row.id);
    bool touches = row.cls == OpClass::Memory || row.cls == OpClass::Atomic;
    bool inMemory = facts.effects == Effects::Reads || facts.effects == Effects::Writes ||
                    facts.effects == Effects::Updates;
    EXPECT_TRUE(touches || !inMemory) << row.mnemonic;
    EXPECT_TRUE(row.cls != OpClass::Elementwise || facts.effects == Effects::None) << row.mnemonic;
    EXPECT_TRUE(facts.taints != TaintRule::Access || inMemory) << row.mnemonic;
    EXPECT_EQ(facts.tiers == Tiers::Every, refusalOf(row.id).empty()) << row.mnemonic;
  }
}

} // namespace
