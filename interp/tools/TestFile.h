//===- TestFile.h - what stands in a run-test file ------------------------------------------------------===//
//
// What: the parts of a file: a module's text each, with its runs and what they must leave
// (docs/run-tests.md). Limits: reads the lines alone; the modules are parsed by whoever runs them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_TESTFILE_H
#define TRISECT_INTERP_TOOLS_TESTFILE_H

#include "core/support/Launch.h"
#include "core/support/Numbers.h"
#include "interp/tools/Tolerance.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::tools {

inline constexpr int mostThreads = 4096;
/// `X`, `X,Y` or `X,Y,Z`; throws InvalidInput.
Grid parseGrid(std::string_view text);

struct RunSettings {
  std::string kernel; ///< empty: the module's only public function
  std::optional<uint64_t> seed;
  int threads = 0;
  bool cudaNumerics = false;
  std::string sanitize = "on"; ///< of the run in shadow mode

  /// Whether the run goes in shadow mode alone: for a defect that only a sanitizer sees.
  bool sanitizedAlone() const { return sanitize != "on" && sanitize != "off"; }
};

struct Expectation {
  size_t argument = 0;
  std::string text;
  int line = 0;
};

struct TestRun {
  int line = 0;
  Grid grid;
  std::string arguments;
  RunSettings settings;
  std::vector<Expectation> expects;
  std::string fault, faultText; ///< expected kind and a piece of its message
  std::string unsupported;      ///< expected piece of an Unsupported message
};

struct TestPart {
  int line = 1;
  std::string body;
  std::vector<std::string> tiers = {"interp"};
  Tolerance tolerance;
  std::map<std::string, Tolerance> tolerances; ///< of tiers that have one of their own
  std::vector<TestRun> runs;
  std::map<std::string, std::string> refused; ///< by tier: why it cannot run the part
  /// By tier: why the assembler of a device may refuse the part's code.
  std::map<std::string, std::string> unassembled;

  bool isFor(const std::string &tier) const;
};

/// Throws InvalidInput with the line that makes no sense.
std::vector<TestPart> readTestFile(const std::string &path);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_TESTFILE_H
