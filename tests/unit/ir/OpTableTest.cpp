//===- OpTableTest.cpp - core/ops.def against the dialects, both ways -----------------------------------===//
#include "core/support/OpTable.h"
#include "core/ir/LegacyOps.h"
#include "core/ir/Registry.h"
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

} // namespace
