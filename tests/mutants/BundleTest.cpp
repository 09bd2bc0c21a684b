//===- BundleTest.cpp - what is kept of a difference, and what can be done with it ----------------------===//
#include "core/ir/Ops.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "jit/launch/TieredKernel.h"
#include "jit/replay/Bisect.h"
#include "jit/replay/OldPages.h"
#include "jit/replay/Replay.h"
#include "jit/replay/Shrink.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tests/mutants/MappedMemory.h"
#include "tests/mutants/MutantTarget.h"
#include <fstream>
#include <gtest/gtest.h>

namespace trisect::mutants {
namespace {

using namespace mlir;
namespace fs = std::filesystem;

const char *const kernelText = R"(
tt.func public @affine(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32) {
  %c16 = arith.constant 16 : i32
  %two = arith.constant dense<2.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c16 : i32
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %firsts = tt.splat %first : i32 -> tensor<16xi32>
  %at = arith.addi %firsts, %range : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %from = tt.addptr %xs, %at : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %value = tt.load %from : tensor<16x!tt.ptr<f32>>
  %scaled = arith.mulf %value, %two : tensor<16xf32>
  %shifted = arith.subf %scaled, %one : tensor<16xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %to = tt.addptr %outs, %at : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %to, %shifted : tensor<16x!tt.ptr<f32>>
  tt.return
})";

void swapSubtraction(ModuleOp module) {
  module.walk([](arith::SubFOp op) {
    if (op->hasAttr("trisect_probe"))
      return;
    Value left = op.getLhs();
    op->setOperand(0, op.getRhs());
    op->setOperand(1, left);
  });
}

class Bundles : public testing::Test {
protected:
  void SetUp() override {
    registerMutantTarget();
    folder = fs::temp_directory_path() / ("bundle-test-" + std::to_string(getpid()));
    setOption(OptionId::Bundles, folder.string());
    setMistake(swapSubtraction);
  }
  void TearDown() override {
    setMistake({});
    for (OptionId id : {OptionId::Bundles, OptionId::BundleCount, OptionId::BundleMib})
      setOption(id, std::nullopt);
    fs::remove_all(folder);
  }

  /// Launches four programs and gives the last event; the memory is free again afterwards.
  std::string launch() {
    MappedMemory memory;
    uint64_t x = memory.allocate(256), out = memory.allocate(256);
    for (int i = 0; i < 64; ++i)
      reinterpret_cast<float *>(x)[i] = static_cast<float>(i) + 3;
    std::vector<ArgBits> args = {x, out, 64};
    std::vector<TensorView> views = {{0, "x", x, DType::F32, {64}, {1}},
                                     {1, "out", out, DType::F32, {64}, {1}}};
    LaunchRequest request;
    request.grid.x = 4;
    request.args = args;
    request.tensors = views;
    auto kernel = jit::TieredKernel::create(jit::Kernel::create(kernelText, "affine", {{"tier", "mutant"}}));
    std::string text;
    try {
      kernel->launch(request);
      for (int i = 0; i < 64; ++i)
        EXPECT_EQ(reinterpret_cast<float *>(out)[i], 2 * (static_cast<float>(i) + 3) - 1);
    } catch (const EngineError &) {
      text = "threw; ";
    }
    memory.release(x);
    memory.release(out);
    return text + kernel->events().back().text;
  }

  static fs::path bundleOf(const std::string &event) {
    constexpr std::string_view mark = "; bundle in ";
    size_t at = event.find(mark);
    EXPECT_NE(at, std::string::npos) << event;
    return at == std::string::npos ? fs::path() : fs::path(event.substr(at + mark.size()));
  }

  fs::path folder;
};

TEST_F(Bundles, NameTheOperationAndItsValues) {
  std::string event = launch();
  EXPECT_NE(event.find("it comes from arith.subf"), std::string::npos) << event;
  jit::Bundle bundle = jit::Bundle::read(bundleOf(event));
  EXPECT_EQ(bundle.kernel, "affine");
  ASSERT_TRUE(bundle.evidence);
  EXPECT_EQ(bundle.evidence->programs.first, 3); // the last program is compared first
  EXPECT_EQ(bundle.evidence->tensors.size(), 2U);
}

TEST_F(Bundles, ReplayByteForByte) {
  fs::path directory = bundleOf(launch());
  jit::Replayed again = jit::replay(jit::Bundle::read(directory));
  EXPECT_TRUE(again.reference && again.code && again.stillWrong) << again.text;
  setMistake({});
  jit::Replayed mended = jit::replay(jit::Bundle::read(directory));
  EXPECT_TRUE(mended.reference && mended.code && !mended.stillWrong) << mended.text;
}

TEST_F(Bundles, ReplayTellsWhatIsNotAsStored) {
  jit::Bundle bundle = jit::Bundle::read(bundleOf(launch()));
  for (jit::EvidencePage &page : bundle.evidence->pages)
    if (page.expected != page.before)
      page.expected[page.written.find('\1')] ^= 1;
  jit::Replayed again = jit::replay(bundle);
  EXPECT_FALSE(again.reference) << again.text;
  EXPECT_TRUE(again.code) << again.text;
}

TEST_F(Bundles, ThatSomebodyChangedAreRefused) {
  fs::path directory = bundleOf(launch());
  std::fstream(directory / "pages.bin", std::ios::in | std::ios::out | std::ios::binary) << "x";
  EXPECT_THROW(jit::Bundle::read(directory), InvalidInput);
  EXPECT_THROW(jit::Bundle::read(directory / "nowhere"), InvalidInput);
}

TEST_F(Bundles, AddressesInUseAreTold) {
  jit::Bundle bundle = jit::Bundle::read(bundleOf(launch()));
  jit::OldPages taken(*bundle.evidence);
  EXPECT_THROW(jit::replay(bundle), jit::AddressesTaken);
}

TEST_F(Bundles, BisectNamesThePass) {
  fs::path directory = bundleOf(launch());
  jit::Bundle bundle = jit::Bundle::read(directory);
  jit::Bisected found = jit::bisect(bundle);
  EXPECT_EQ(found.pass, "mistake") << found.text;
  EXPECT_GT(found.passes, 4) << found.text;
  setMistake({});
  EXPECT_EQ(jit::bisect(jit::Bundle::read(directory)).pass, "");
}

TEST_F(Bundles, ShrinkTakesOperationsAndPrograms) {
  jit::Bundle bundle = jit::Bundle::read(bundleOf(launch()));
  jit::Shrunk small = jit::shrink(bundle, std::chrono::seconds(60));
  EXPECT_LT(small.operations, small.operationsBefore - 3);
  EXPECT_EQ(small.bundle.evidence->grid.programs(), 1);
  EXPECT_NE(small.bundle.ttir.find("arith.subf"), std::string::npos) << small.bundle.ttir;
  small.bundle.write(folder / "small");
  jit::Bundle read = jit::Bundle::read(folder / "small");
  EXPECT_TRUE(jit::replay(read).code);
}

TEST_F(Bundles, OfACompileThatBreaks) {
  setMistake([](ModuleOp) { throw EngineError("the compiler is broken"); });
  std::string event = launch();
  jit::Bundle bundle = jit::Bundle::read(bundleOf(event));
  EXPECT_FALSE(bundle.evidence);
  EXPECT_NE(bundle.sentence.find("the compiler is broken"), std::string::npos);
  EXPECT_TRUE(jit::replay(bundle).stillWrong);
}

TEST_F(Bundles, AreLimitedInNumberAndSize) {
  setOption(OptionId::BundleCount, "2");
  for (int i = 0; i < 4; ++i)
    launch();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
  setOption(OptionId::BundleCount, "0");
  EXPECT_EQ(launch().find("bundle"), std::string::npos);
}

} // namespace
} // namespace trisect::mutants
