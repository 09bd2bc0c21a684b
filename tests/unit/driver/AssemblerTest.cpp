//===- AssemblerTest.cpp - finding, running and reading ptxas -------------------------------------------===//
#include "backends/cuda/driver/Assembler.h"
#include "backends/cuda/driver/Program.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace trisect;
using namespace trisect::cuda::driver;

namespace {
constexpr const char *doubling = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry doubling(.param .u64 at) {
  .reg .b64 %rd<3>; .reg .f32 %f<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [at];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  ld.global.f32 %f1, [%rd2];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd2], %f2;
  ret;
}
)";

AssembleOptions hopper() {
  AssembleOptions options;
  options.architecture = "sm_90a";
  return options;
}

std::shared_ptr<const Assembler> installed() { return Assembler::find(); }

/// A program that says it is ptxas and does what `body` says.
std::string fakeAssembler(const TemporaryFolder &folder, const std::string &body) {
  std::string path = folder.file("ptxas");
  writeFile(path,
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Cuda tools, V99.1.2'; exit 0; fi\n" + body);
  chmod(path.c_str(), 0755);
  return path;
}

struct WithPath {
  explicit WithPath(const std::string &path) { setOption(OptionId::PtxasPath, path); }
  ~WithPath() { setOption(OptionId::PtxasPath, std::nullopt); }
};

TEST(AssemblerTest, AssemblesAndReports) {
  auto ptxas = installed();
  if (!ptxas)
    GTEST_SKIP() << "no ptxas on this machine";
  EXPECT_FALSE(ptxas->version().empty());
  Assembled made = ptxas->assemble(doubling, hopper());
  EXPECT_EQ(made.cubin.substr(1, 3), "ELF");
  EXPECT_GT(made.report.registers, 0);
  EXPECT_LE(made.report.registers, 32);
  EXPECT_EQ(made.report.spillStores, 0);
  EXPECT_TRUE(made.report.warnings.empty()) << made.log;
}

TEST(AssemblerTest, RefusalHoldsLogAndCommand) {
  auto ptxas = installed();
  if (!ptxas)
    GTEST_SKIP() << "no ptxas on this machine";
  try {
    ptxas->assemble(std::string(doubling) + "nonsense", hopper());
    FAIL();
  } catch (const AssemblerError &error) {
    std::string text = error.what();
    EXPECT_NE(text.find("`ptxas` failed with error code"), std::string::npos) << text;
    EXPECT_NE(text.find("Repro command: "), std::string::npos) << text;
    EXPECT_NE(text.find("line 14"), std::string::npos) << text;
  }
}

TEST(AssemblerTest, OptionsReachTheCommand) {
  TemporaryFolder folder;
  WithPath path(fakeAssembler(folder, "echo \"said: $*\"; exit 3\n"));
  AssembleOptions options = hopper();
  options.fuse = false;
  options.optimise = false;
  options.further = "--maxrregcount 64  --x=y";
  try {
    Assembler::find()->assemble("text", options);
    FAIL();
  } catch (const AssemblerError &error) {
    std::string text = error.what();
    for (const char *part : {"-v --gpu-name=sm_90a", "-lineinfo", "--fmad=false", "--opt-level 0",
                             "--maxrregcount 64 --x=y", "error code 3"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  EXPECT_EQ(Assembler::find()->version(), "99.1.2");
}

TEST(AssemblerTest, AProgramThatDiesIsReported) {
  TemporaryFolder folder;
  WithPath path(fakeAssembler(folder, "kill -SEGV $$\n"));
  try {
    Assembler::find()->assemble("text", hopper());
    FAIL();
  } catch (const AssemblerError &error) {
    EXPECT_NE(std::string(error.what()).find("error code 139"), std::string::npos) << error.what();
  }
}

TEST(AssemblerTest, APathThatIsNoProgramIsAnError) {
  WithPath path("/nowhere/ptxas");
  EXPECT_THROW(Assembler::find(), InvalidInput);
}

TEST(AssemblerTest, FoldersAreSearchedLast) {
  TemporaryFolder folder, empty;
  fakeAssembler(folder, "exit 1\n");
  std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  Assembler::addFolder(folder.file(""));
  auto first = Assembler::find();
  ASSERT_TRUE(first);
  setenv("PATH", (folder.file("") + ":" + before).c_str(), 1);
  EXPECT_EQ(Assembler::find()->version(), "99.1.2");
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(Assembler::find(), first);
}

TEST(AssemblerTest, ReadsALog) {
  AssemblyReport report = readAssemblerLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
      "ptxas info    : Function properties for k\n"
      "    24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 1 barriers, 24 bytes cumulative stack size, 49152 bytes "
      "smem\n");
  EXPECT_EQ(report.registers, 168);
  EXPECT_EQ(report.spillStores, 16);
  EXPECT_EQ(report.spillLoads, 20);
  EXPECT_EQ(report.stackBytes, 24);
  EXPECT_EQ(report.sharedBytes, 49152);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("C7510"), std::string::npos);
}
} // namespace
