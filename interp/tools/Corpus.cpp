//===- Corpus.cpp - walking the folder ------------------------------------------------------------------===//
#include "interp/tools/Corpus.h"
#include "core/support/Tool.h"
#include "interp/shadow/ShadowRun.h"
#include "interp/tools/CorpusFolder.h"
#include "interp/tools/CorpusModule.h"
#include "interp/tools/CorpusTally.h"
#include <cstdio>
#include <filesystem>

namespace trisect::tools {

namespace {

namespace fs = std::filesystem;

void list(const fs::path &file, const CorpusOutcome &outcome) {
  bool ran = outcome.end == CorpusOutcome::End::Ran;
  std::printf("%s: %s\n", file.c_str(), (ran ? outcome.plan.text() : outcome.reason).c_str());
  for (const Finding &finding : outcome.findings)
    std::printf("%s: %s\n", file.c_str(), interp::faultText(finding).c_str());
}

} // namespace

int runCorpus(const std::vector<std::string> &words) {
  double limit = 10;
  bool listed = false;
  std::string explained;
  std::string folder =
      onlyWord(readOptions(words, {realOption("--limit", limit, leastSeconds, mostSeconds),
                                   textOption("--reasons", explained), flagOption("--list", listed)}),
               "a folder of .ttir files");
  CorpusExplained reasons;
  if (!explained.empty())
    reasons = CorpusExplained(explained);
  std::vector<fs::path> files = modulesIn(folder);
  CorpusTally tally(std::move(reasons));
  {
    CorpusMemory memory;
    CorpusProgress progress(files.size());
    for (const fs::path &file : files) {
      CorpusOutcome outcome = runCorpusModule(file.string(), memory, limit);
      tally.add(nameInCorpus(file, folder), outcome);
      if (listed)
        list(file, outcome);
      progress.show(tally.modules());
    }
  }
  tally.print();
  return tally.bad() ? 1 : 0;
}

} // namespace trisect::tools
