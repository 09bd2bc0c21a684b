//===- DiagnosticsTest.cpp - text of messages -----------------------------------------------------------===//
#include "core/support/Diagnostics.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace trisect;

namespace {
constexpr std::string_view kernel = "@jit\ndef add(x):\n    y = load(x + 1)\n";

TEST(DiagnosticsTest, MessageExcerptCaretAndNotes) {
  Diagnostic diagnostic{Severity::Error, {"add.py", 3, 9}, "pointer expected, found i32", 11, {}};
  diagnostic.notes.push_back({Severity::Note, {"add.py", 2, 9}, "declared here", 1, {}});
  EXPECT_EQ(render(diagnostic, {"add.py", kernel}), "add.py:3:9: error: pointer expected, found i32\n"
                                                    "      y = load(x + 1)\n"
                                                    "          ^~~~~~~~~~~\n"
                                                    "add.py:2:9: note: declared here\n"
                                                    "  def add(x):\n"
                                                    "          ^\n");
}

TEST(DiagnosticsTest, ReadsTheFileWhenNoTextIsGiven) {
  std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "diagnostics_source.py";
  std::ofstream(file) << kernel;
  EXPECT_EQ(excerpt({file.string(), 2, 5}, 3), "  def add(x):\n      ^~~\n");
  std::filesystem::remove(file);
  EXPECT_EQ(excerpt({file.string(), 2, 5}, 3), "");
}

TEST(DiagnosticsTest, PositionsOutsideTheTextDoNoHarm) {
  SourceText source{"k", "ab\ncd"};
  EXPECT_EQ(excerpt({"k", 0, 0}, 1, source), "");
  EXPECT_EQ(excerpt({"k", 9, 1}, 1, source), "");
  EXPECT_EQ(excerpt({"k", 2, 0}, 1, source), "  cd\n");
  EXPECT_EQ(excerpt({"k", 2, 1}, 99, source), "  cd\n  ^~\n");
  EXPECT_EQ(excerpt({"k", 2, 99}, 1, source), "  cd\n    ^\n");
  EXPECT_EQ(excerpt({"k", 1, 1}, -5, source), "  ab\n  ^\n");
  EXPECT_EQ(render({Severity::Warning, {}, "no position", 1, {}}), "warning: no position\n");
}

TEST(DiagnosticsTest, CaretCountsCharactersNotBytes) {
  EXPECT_EQ(excerpt({"k", 1, 8}, 1, {"k", "x = 'é' + z"}), "  x = 'é' + z\n        ^\n");
  EXPECT_EQ(excerpt({"k", 1, 3}, 1, {"k", "\t\tz\r"}), "    z\n    ^\n");
}

TEST(DiagnosticsTest, LongLinesAreCutAroundTheCaret) {
  std::string line = std::string(500, 'a') + "B" + std::string(500, 'c');
  std::string text = excerpt({"k", 1, 501}, 1, {"k", line});
  size_t newline = text.find('\n');
  EXPECT_LT(newline, 180u);
  EXPECT_EQ(text[text.find('^') - newline - 1], 'B');
}

TEST(DiagnosticsTest, BytesThatAreNoText) {
  std::string line(1000, '\x80');
  for (int column : {1, 500, 1000, 1001})
    EXPECT_NE(excerpt({"k", 1, column}, 3, {"k", line}).find('^'), std::string::npos) << column;
}

TEST(DiagnosticsTest, ColourOnlyWhenAsked) {
  Diagnostic diagnostic{Severity::Error, {"k", 1, 1}, "bad", 1, {}};
  EXPECT_EQ(render(diagnostic, {"k", "x"}).find('\033'), std::string::npos);
  EXPECT_NE(render(diagnostic, {"k", "x"}, true).find("\033[1;31merror:\033[0m"), std::string::npos);
}
} // namespace
