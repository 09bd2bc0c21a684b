//===- DumpInstrumentationTest.cpp - the IR before every pass -------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "core/support/Options.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {
std::string dumpOf(const std::vector<std::string> &passes) {
  mlir::MLIRContext context;
  tt::loadDialects(context);
  auto module = tt::parseModule("module { tt.func public @add(%x: i32) { tt.return } }", "m", context);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(succeeded(tt::runPipeline(*module, passes)));
  return testing::internal::GetCapturedStderr();
}

TEST(DumpInstrumentationTest, EveryPassOfTheKernelThatIsNamed) {
  EXPECT_EQ(dumpOf({"cse"}), "");
  for (const char *name : {"1", "add"}) {
    setOption(OptionId::MlirDump, name);
    std::string text = dumpOf({"canonicalize", "cse"});
    size_t first = text.find("// -----// add: before-canonicalize //----- //\n");
    size_t second = text.find("// -----// add: before-cse //----- //\n");
    EXPECT_LT(first, second) << text;
    EXPECT_NE(text.find("tt.func public @add", second), std::string::npos) << text;
  }
  setOption(OptionId::MlirDump, "mul");
  EXPECT_EQ(dumpOf({"cse"}), "");
  setOption(OptionId::MlirDump, std::nullopt);
}
} // namespace
