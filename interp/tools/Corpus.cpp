//===- Corpus.cpp - walking the folder ------------------------------------------------------------------===//
#include "interp/tools/Corpus.h"
#include "core/support/Outcome.h"
#include "interp/shadow/ShadowRun.h"
#include "interp/tools/CorpusModule.h"
#include "interp/tools/CorpusTally.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace trisect::tools {

namespace {

namespace fs = std::filesystem;

/// A line on a terminal, else one now and then.
class Progress {
public:
  explicit Progress(size_t all) : all(all), terminal(isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (terminal)
      std::fputs("\r\033[K", stderr);
  }
  void show(size_t done) {
    auto now = std::chrono::steady_clock::now();
    if (now - shown < (terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(10)))
      return;
    shown = now;
    std::fprintf(stderr, terminal ? "\r%zu of %zu modules" : "%zu of %zu modules\n", done, all);
    std::fflush(stderr);
  }

private:
  size_t all;
  bool terminal;
  std::chrono::steady_clock::time_point shown = std::chrono::steady_clock::now();
};

std::vector<fs::path> modulesIn(const std::string &folder) {
  if (!fs::exists(folder))
    throw InvalidInput("no folder '" + folder + "'");
  if (fs::is_regular_file(folder))
    return {folder};
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ttir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

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
  std::string folder;
  CorpusExplained reasons;
  for (size_t n = 0; n < words.size(); ++n) {
    if (words[n] == "--limit" && n + 1 < words.size())
      limit = std::atof(words[++n].c_str());
    else if (words[n] == "--reasons" && n + 1 < words.size())
      reasons = CorpusExplained(words[++n]);
    else if (words[n] == "--list")
      listed = true;
    else if (folder.empty() && !words[n].starts_with("--"))
      folder = words[n];
    else
      throw InvalidInput("--corpus takes one folder, --limit SECONDS, --reasons FILE and --list, not '" +
                         words[n] + "'");
  }
  std::vector<fs::path> files = modulesIn(folder);
  if (files.empty())
    throw InvalidInput("no .ttir file in '" + folder + "'");
  CorpusTally tally(std::move(reasons));
  {
    CorpusMemory memory;
    Progress progress(files.size());
    for (const fs::path &file : files) {
      CorpusOutcome outcome = runCorpusModule(file.string(), memory, limit);
      tally.add(file == folder ? file.filename() : file.lexically_relative(folder), outcome);
      if (listed)
        list(file, outcome);
      progress.show(tally.modules());
    }
  }
  tally.print();
  return tally.bad() ? 1 : 0;
}

} // namespace trisect::tools
