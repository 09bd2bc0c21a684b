//===- KeptContextTest.cpp - which uses of a context are the first --------------------------------------===//
#include "core/ir/KeptContext.h"
#include "core/support/Outcome.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <gtest/gtest.h>
#include <thread>

using namespace trisect;

namespace {
// A context that nobody used has no vector dialect; whoever asks leaves it there.
bool wasUsed() {
  tt::KeptContext context(0, "to test");
  bool used = (*context).getLoadedDialect<mlir::vector::VectorDialect>() != nullptr;
  (*context).loadDialect<mlir::vector::VectorDialect>();
  return used;
}

// Each test has a thread of its own, on which nobody compiled yet.
void onThread(void (*test)()) { std::thread(test).join(); }
} // namespace

TEST(KeptContext, ServesManyUses) {
  onThread([] {
    EXPECT_FALSE(wasUsed());
    for (int i = 1; i < tt::KeptContext::mostUses; ++i)
      EXPECT_TRUE(wasUsed()) << i;
    EXPECT_FALSE(wasUsed()) << "kept for ever, it only grows";
    EXPECT_TRUE(wasUsed());
  });
}

TEST(KeptContext, EndsWithAnException) {
  onThread([] {
    wasUsed();
    auto compile = [] {
      tt::KeptContext context(0, "to test");
      throw InvalidInput("in the middle of a compile");
    };
    EXPECT_THROW(compile(), InvalidInput);
    EXPECT_FALSE(wasUsed());
  });
}

TEST(KeptContext, OneInUseIsNobodyElses) {
  onThread([] {
    wasUsed();
    tt::KeptContext outer(0, "to test");
    EXPECT_FALSE(wasUsed());
    onThread([] { EXPECT_FALSE(wasUsed()); });
  });
}
