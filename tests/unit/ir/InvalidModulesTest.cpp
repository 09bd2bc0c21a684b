//===- InvalidModulesTest.cpp - every refusal, word by word ---------------------------------------------===//
//
// What: reads the modules of tests/ir/invalid, which `// -----` separates. Each must be refused, with the
// diagnostics that its `// error LINE:COLUMN: text` and `// note ...` lines store; lines count from the
// separator. With TRISECT_BLESS set the stored lines are rewritten.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Outcome.h"
#include "mlir/IR/MLIRContext.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;
using namespace trisect;

namespace {

const fs::path folder = fs::path(TRISECT_TESTS_DIR) / "ir" / "invalid";
constexpr std::string_view separator = "// -----";

struct Case {
  std::string text;                     ///< without the stored lines
  std::vector<std::string> diagnostics; ///< the stored lines, without `// `
};

bool isStored(const std::string &line) {
  return line.starts_with("// error ") || line.starts_with("// note ");
}

std::vector<Case> readCases(const fs::path &file) {
  std::vector<Case> cases(1);
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line == separator)
      cases.emplace_back();
    else if (isStored(line))
      cases.back().diagnostics.push_back(line.substr(3));
    else
      cases.back().text += line + "\n";
  }
  return cases;
}

void writeCases(const fs::path &file, const std::vector<Case> &cases) {
  std::ofstream out(file);
  for (size_t i = 0; i < cases.size(); ++i) {
    out << (i ? std::string(separator) + "\n" : "") << cases[i].text;
    for (const std::string &line : cases[i].diagnostics)
      out << "// " << line << "\n";
  }
}

/// `error LINE:COLUMN: text` for each diagnostic of a refusal; nothing if the module was read.
std::vector<std::string> refuse(const std::string &text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  std::vector<std::string> lines;
  try {
    tt::parseModule(text, "case", context);
  } catch (const InvalidInput &refusal) {
    EXPECT_TRUE(refusal.position().known()) << refusal.what();
    EXPECT_GT(refusal.position().column, 0) << refusal.what();
    static const std::regex form("case:(\\d+:\\d+): (error|note): (.*)");
    std::istringstream in(refusal.what());
    for (std::string line; std::getline(in, line);)
      if (std::smatch match; std::regex_match(line, match, form))
        lines.push_back(match[2].str() + " " + match[1].str() + ": " + match[3].str());
  }
  return lines;
}

/// True unless a sentence of ours says what was expected and not what was found. MLIR's own count of results
/// is none of ours.
bool saysBoth(const std::string &line) {
  static const std::regex ours(".* op expected (?!\\d+ (results|operands)$).*");
  return !std::regex_match(line, ours) || line.find(", but ") != std::string::npos ||
         line.find(", since ") != std::string::npos;
}

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ttir")
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class InvalidModules : public testing::TestWithParam<fs::path> {};

TEST_P(InvalidModules, AreRefusedAsStored) {
  std::vector<Case> cases = readCases(GetParam());
  bool bless = std::getenv("TRISECT_BLESS");
  for (Case &invalid : cases) {
    std::vector<std::string> found = refuse(invalid.text);
    EXPECT_FALSE(found.empty()) << "read without complaint:\n" << invalid.text;
    for (const std::string &line : found)
      EXPECT_TRUE(saysBoth(line)) << line;
    if (bless)
      invalid.diagnostics = found;
    else
      EXPECT_EQ(found, invalid.diagnostics) << invalid.text << "(TRISECT_BLESS=1 rewrites)";
  }
  if (bless)
    writeCases(GetParam(), cases);
}

INSTANTIATE_TEST_SUITE_P(Themes, InvalidModules, testing::ValuesIn(files()),
                         [](const auto &info) { return info.param.stem().string(); });

TEST(InvalidModules, AreMany) {
  size_t count = 0;
  for (const fs::path &file : files())
    count += readCases(file).size();
  EXPECT_GE(count, 250u);
}

} // namespace
