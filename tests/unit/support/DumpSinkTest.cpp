//===- DumpSinkTest.cpp - what is printed and what is written -------------------------------------------===//
#include "core/support/DumpSink.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace trisect;
namespace fs = std::filesystem;

namespace {
class DumpSinkTest : public testing::Test {
protected:
  DumpSinkTest() : root(fs::path(testing::TempDir()) / ("dumpsink-" + std::to_string(getpid()))) {
    fs::remove_all(root);
  }
  ~DumpSinkTest() override { fs::remove_all(root); }
  void TearDown() override {
    for (const OptionInfo &row : optionTable())
      setOption(row.id, std::nullopt);
  }

  static std::string read(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path root;
};

TEST_F(DumpSinkTest, SilentByDefault) {
  DumpSink sink("add");
  testing::internal::CaptureStderr();
  for (DumpKind kind : {DumpKind::Mlir, DumpKind::LlvmIr, DumpKind::Ptx, DumpKind::Assembly, DumpKind::Text,
                        DumpKind::Binary}) {
    EXPECT_FALSE(sink.wants(kind));
    sink.write(kind, "stage", "content");
  }
  sink.writeFile("replay.sh", "content");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(fs::exists(root));
}

TEST_F(DumpSinkTest, WritesStagesInOrder) {
  setOption(OptionId::Dump, root.string());
  DumpSink sink("add");
  EXPECT_TRUE(sink.wants(DumpKind::Binary));
  sink.write(DumpKind::Mlir, "ttir", "module {}\n");
  sink.write(DumpKind::Binary, "object", std::string("\0\1", 2));
  sink.writeFile("replay.sh", "trisect replay\n");
  EXPECT_EQ(read(root / "add" / "00-ttir.mlir"), "module {}\n");
  EXPECT_EQ(read(root / "add" / "01-object.bin"), std::string("\0\1", 2));
  EXPECT_EQ(read(root / "add" / "replay.sh"), "trisect replay\n");
}

TEST_F(DumpSinkTest, EveryCompilationHasItsFolder) {
  setOption(OptionId::Dump, root.string());
  EXPECT_EQ(DumpSink("add").folder(), root / "add");
  EXPECT_EQ(DumpSink("add").folder(), root / "add.1");
  EXPECT_EQ(DumpSink("../evil").folder().parent_path(), root);
}

TEST_F(DumpSinkTest, FolderThatCannotBeWritten) {
  setOption(OptionId::Dump, "/proc/self/dumps");
  EXPECT_THROW(DumpSink("add"), InvalidInput);
  EXPECT_THROW(requireDumpsWritable(), InvalidInput);
}

TEST_F(DumpSinkTest, PlacesThatCannotBeWrittenAreNamed) {
  fs::create_directories(root);
  std::string file = (root / "file").string();
  std::ofstream(file) << "x";
  auto refusal = [] {
    try {
      requireDumpsWritable();
    } catch (const InvalidInput &error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  setOption(OptionId::Dump, file);
  EXPECT_TRUE(refusal().starts_with("TRISECT_DUMP='" + file + "' cannot be written")) << refusal();
  setOption(OptionId::Dump, std::nullopt);
  setOption(OptionId::MlirDumpPath, file + "/all.mlir");
  EXPECT_EQ(refusal(), "accepted") << "nothing is printed";
  setOption(OptionId::MlirDump, "1");
  EXPECT_TRUE(refusal().starts_with("MLIR_DUMP_PATH='" + file + "/all.mlir' cannot be written")) << refusal();
  EXPECT_THROW(DumpSink("add"), InvalidInput);
}

TEST_F(DumpSinkTest, WhatIsLostLaterIsToldOnce) {
  setOption(OptionId::Dump, root.string());
  DumpSink sink("add");
  fs::remove_all(root);
  testing::internal::CaptureStderr();
  sink.write(DumpKind::Text, "plan", "1");
  sink.write(DumpKind::Text, "plan", "2");
  std::string told = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(told.starts_with("trisect: what TRISECT_DUMP asks for is not whole: '" + root.string()))
      << told;
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1);
}

TEST_F(DumpSinkTest, MlirForAllKernelsOrOne) {
  setOption(OptionId::MlirDump, "1");
  EXPECT_TRUE(DumpSink::wantsEveryPass("add"));
  setOption(OptionId::MlirDump, "mul");
  EXPECT_FALSE(DumpSink::wantsEveryPass("add"));
  EXPECT_TRUE(DumpSink("mul").wants(DumpKind::Mlir));
  for (const char *yes : {"1", "True", "ON", "y"}) {
    setOption(OptionId::MlirDump, yes);
    EXPECT_TRUE(DumpSink::wantsEveryPass("add")) << yes;
  }
  for (const char *no : {"0", "False", "n"}) {
    setOption(OptionId::MlirDump, no);
    EXPECT_FALSE(DumpSink(no).wants(DumpKind::Mlir)) << no;
  }
}

TEST_F(DumpSinkTest, PrintsToStderrOrAFile) {
  setOption(OptionId::MlirDump, "1");
  DumpSink toStderr("add");
  testing::internal::CaptureStderr();
  toStderr.write(DumpKind::Mlir, "ttir", "module {}");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "// -----// add: ttir //----- //\nmodule {}\n\n");

  fs::create_directories(root);
  setOption(OptionId::MlirDumpPath, (root / "all.mlir").string());
  DumpSink toFile("add");
  testing::internal::CaptureStderr();
  toFile.write(DumpKind::Mlir, "a", "1\n");
  toFile.write(DumpKind::Mlir, "b", "2\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(read(root / "all.mlir"),
            "// -----// add: a //----- //\n1\n\n// -----// add: b //----- //\n2\n\n");
}

TEST_F(DumpSinkTest, EachTargetTextHasItsVariable) {
  setOption(OptionId::NvptxDump, "1");
  DumpSink sink("add");
  EXPECT_TRUE(sink.wants(DumpKind::Ptx));
  EXPECT_FALSE(sink.wants(DumpKind::LlvmIr));
  setOption(OptionId::LlvmIrDump, "1");
  EXPECT_TRUE(DumpSink("add").wants(DumpKind::LlvmIr));
}
} // namespace
