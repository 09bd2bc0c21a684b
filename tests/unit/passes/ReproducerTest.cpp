//===- ReproducerTest.cpp - modules that repeat a stage, or the pass that failed ------------------------===//
#include "core/passes/Reproducer.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace trisect;

namespace {
constexpr const char *kText = R"(module {
  tt.func public @add(%x: i32, %y: !tt.ptr<i32>) {
    %a = arith.addi %x, %x : i32
    %b = arith.addi %x, %x : i32
    %c = arith.muli %a, %b : i32
    tt.store %y, %c : !tt.ptr<i32>
    tt.return
  }
})";

/// Fails after it has spoilt the module.
struct Spoils : mlir::PassWrapper<Spoils, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Spoils)
  llvm::StringRef getArgument() const override { return "spoils"; }
  void runOnOperation() override {
    getOperation().getBody()->clear();
    signalPassFailure();
  }
};

class ReproducerTest : public testing::Test {
protected:
  void SetUp() override {
    path = testing::TempDir() + "reproducer-" + std::to_string(getpid()) + ".mlir";
    setOption(OptionId::ReproducerPath, path);
    tt::loadDialects(context);
    module = tt::parseModule(kText, "m", context);
  }
  void TearDown() override {
    setOption(OptionId::ReproducerPath, std::nullopt);
    std::filesystem::remove(path);
  }
  std::string written() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(ReproducerTest, AStageIsWrittenBeforeItRuns) {
  ASSERT_TRUE(succeeded(tt::runPipeline(*module, {"canonicalize", "cse"})));
  std::string text = written();
  EXPECT_NE(text.find("%1 = arith.addi"), std::string::npos) << text; // which cse takes away
  EXPECT_NE(text.find("pipeline: \"builtin.module(canonicalize"), std::string::npos) << text;
  EXPECT_NE(text.find(",cse)\""), std::string::npos) << text;
}

TEST_F(ReproducerTest, TheFailingPassAloneAndTheModuleBeforeIt) {
  mlir::PassManager passes(&context, mlir::ModuleOp::getOperationName());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(std::make_unique<Spoils>());
  passes.addPass(mlir::createCanonicalizerPass());
  tt::saveReproducerIfAsked(passes, *module);
  EXPECT_TRUE(failed(passes.run(*module)));
  std::string text = written();
  EXPECT_NE(text.find("pipeline: \"builtin.module(spoils)\""), std::string::npos) << text;
  EXPECT_NE(text.find("arith.muli"), std::string::npos) << text;
  EXPECT_EQ(text.find("%1 = arith.addi"), std::string::npos) << text;
}

TEST_F(ReproducerTest, APathThatCannotBeWrittenIsAnError) {
  setOption(OptionId::ReproducerPath, "/nowhere/at/all.mlir");
  EXPECT_THROW((void)tt::runPipeline(*module, {"cse"}), InvalidInput);
}
} // namespace
