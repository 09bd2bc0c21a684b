//===- trisect-check.cpp - compiled tiers against run-test files ----------------------------------------===//
//
// What: runs the files of tests/ops on a compiled tier. A part that the tier cannot run is skipped and
// listed with the reason. Tier cuda runs in the emulator, with --device on the GPU. With --pace each run is
// timed beside tier 0. With --corpus: a folder of modules beside tier 0. With --emulator: tier 1 for another
// processor, whose code runs in an emulator.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Tool.h"
#include "jit/tools/CompiledTier.h"
#include "jit/tools/CorpusCheck.h"
#include "jit/tools/EmulatedTier.h"
#include "jit/tools/PacedTier.h"
#include <bit>
#include <cstdio>

namespace {

using namespace trisect;
using namespace trisect::tools;

constexpr const char *usage =
    "usage: trisect-check [--tier NAME] [--device] [--pace] [--seeds N] [--warps N] [--limit SECONDS]\n"
    "                     [--xunit FILE] FILE...\n"
    "       trisect-check --machine NAME --emulator COMMAND [--limit SECONDS] [--xunit FILE] FILE...\n"
    "       trisect-check --corpus FOLDER [--tier NAME] [--limit SECONDS] [--list] [--json FILE]\n"
    "  --tier NAME   cpu (default) or another compiled tier\n"
    "  --device      tier cuda on the GPU, not in the emulator\n"
    "  --pace        times every run beside tier 0\n"
    "  --seeds N     orders of the emulator's threads that are drawn (2)\n"
    "  --warps N     warps of a program in the emulator (4)\n"
    "  --limit S     seconds of a run (20) or of a module (10)\n"
    "  --xunit FILE  the results as JUnit XML\n"
    "  --machine M   tier cpu for a machine by name (docs/tiers.md)\n"
    "  --emulator C  what runs its code: an emulator, its options, and the worker that tests/arm builds\n"
    "  --corpus      every module of a folder beside tier 0; --list names each, --json keeps the counts\n";

int run(const std::vector<std::string> &words) {
  if (words[0] == "--corpus")
    return checkCorpus({words.begin() + 1, words.end()});
  std::string tierName = "cpu", machine, emulator, xunit;
  double limit = 20;
  unsigned seeds = 2, warps = 4;
  bool onDevice = false, paced = false;
  std::vector<std::string> files = readOptions(
      words, {textOption("--tier", tierName), flagOption("--device", onDevice), flagOption("--pace", paced),
              wholeOption("--seeds", seeds, 0, 10000), wholeOption("--warps", warps, 1, 32),
              realOption("--limit", limit, leastSeconds, mostSeconds), textOption("--machine", machine),
              textOption("--emulator", emulator), textOption("--xunit", xunit)});
  if (files.empty())
    throw WrongUse("name run-test files");
  if (!std::has_single_bit(warps))
    throw WrongUse("--warps is a power of two, not " + std::to_string(warps));
  if (machine.empty() != emulator.empty())
    throw WrongUse("--machine and --emulator go together");
  TestedTier tier = !machine.empty()                  ? compiledTier(emulatedPlace(machine, emulator, limit))
                    : paced                           ? pacedTier(tierName)
                    : tierName == "cuda" && !onDevice ? emulatedTier(seeds, warps)
                                                      : compiledTier(placeOf(tierName));
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
  return failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-check", usage}, argc, argv, run); }
