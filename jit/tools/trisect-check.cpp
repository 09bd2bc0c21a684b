//===- trisect-check.cpp - compiled tiers against run-test files ----------------------------------------===//
//
// What: runs the files of tests/ops on a compiled tier. A part that the tier cannot run is skipped and
// listed with the reason. Tier cuda runs in the emulator, with --device on the GPU. With --pace each run is
// timed beside tier 0. With --corpus: a folder of modules beside tier 0.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Outcome.h"
#include "jit/tools/CompiledTier.h"
#include "jit/tools/CorpusCheck.h"
#include "jit/tools/EmulatedTier.h"
#include "jit/tools/PacedTier.h"
#include <cstdio>
#include <cstdlib>

namespace {

using namespace trisect;
using namespace trisect::tools;

constexpr const char *usage =
    "usage: trisect-check [--tier NAME] [--device] [--pace] [--seeds N] [--warps N] "
    "[--limit SECONDS] [--xunit=FILE] FILE...\n"
    "       trisect-check --corpus FOLDER [--tier NAME] [--limit SECONDS] [--list] "
    "[--json FILE]\n";

int run(const std::vector<std::string> &words) {
  if (!words.empty() && words[0] == "--corpus")
    return checkCorpus({words.begin() + 1, words.end()});
  std::string tierName = "cpu", xunit;
  double limit = 20;
  unsigned seeds = 2, warps = 4;
  bool onDevice = false, paced = false;
  std::vector<std::string> files;
  for (size_t n = 0; n < words.size(); ++n) {
    if (words[n] == "--tier" && n + 1 < words.size())
      tierName = words[++n];
    else if (words[n] == "--device")
      onDevice = true;
    else if (words[n] == "--pace")
      paced = true;
    else if (words[n] == "--seeds" && n + 1 < words.size())
      seeds = static_cast<unsigned>(std::atoi(words[++n].c_str()));
    else if (words[n] == "--warps" && n + 1 < words.size())
      warps = static_cast<unsigned>(std::atoi(words[++n].c_str()));
    else if (words[n] == "--limit" && n + 1 < words.size())
      limit = std::atof(words[++n].c_str());
    else if (words[n].starts_with("--xunit="))
      xunit = words[n].substr(8);
    else if (words[n].starts_with("--"))
      throw InvalidInput("unknown option " + words[n] + "\n" + usage);
    else
      files.push_back(words[n]);
  }
  TestedTier tier = paced                             ? pacedTier(tierName)
                    : tierName == "cuda" && !onDevice ? emulatedTier(seeds, warps)
                                                      : compiledTier(tierName);
  size_t passed = 0, failed = 0, skipped = 0;
  std::vector<CaseResult> all;
  for (const std::string &file : files) {
    if (paced)
      std::printf("file %s\n", file.c_str());
    for (CaseResult &result : runTestFile(file, tier, limit)) {
      switch (result.verdict) {
      case Verdict::Passed:
        ++passed;
        break;
      case Verdict::Failed:
        ++failed;
        std::printf("FAILED  %s\n  %s\n", result.name.c_str(), result.message.c_str());
        break;
      case Verdict::Skipped:
        ++skipped;
        std::printf("skipped %s\n  %s\n", result.name.c_str(), result.message.c_str());
        break;
      }
      all.push_back(std::move(result));
    }
  }
  std::printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
  if (!xunit.empty())
    writeXunit(xunit, all);
  return failed || all.empty() ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception &error) {
    std::fprintf(stderr, "trisect-check: %s\n", error.what());
    return 2;
  }
}
