//===- Corpus.cpp - walking the folder, the tally and its text ------------------------------------------===//
#include "interp/tools/Corpus.h"
#include "core/support/Outcome.h"
#include "interp/exec/ShadowRun.h"
#include "interp/tools/CorpusModule.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace trisect::tools {

namespace {

namespace fs = std::filesystem;
using End = CorpusOutcome::End;
using Names = std::vector<std::string>;

/// What happened to which modules.
struct Tally {
  size_t all = 0, ran = 0;
  std::map<std::string, std::pair<size_t, size_t>> folders; ///< ran, all
  std::map<std::string, Names> ends[6];                     ///< by End, then by reason
  std::map<std::string, Names> findings;                    ///< by kind
  std::map<std::string, Names> plans;                       ///< of modules that ran
  Names threads, shadow, order;

  void add(const std::string &folder, const std::string &name, const CorpusOutcome &outcome) {
    ++all;
    ++folders[folder].second;
    if (outcome.end != End::Ran) {
      ends[static_cast<size_t>(outcome.end)][outcome.reason].push_back(name);
      return;
    }
    ++ran;
    ++folders[folder].first;
    plans[outcome.plan.text()].push_back(name);
    std::set<std::string> kinds;
    for (const Finding &finding : outcome.findings)
      kinds.insert(std::string(faultKindName(finding.kind)));
    for (const std::string &kind : kinds)
      findings[kind].push_back(name);
    if (outcome.threadsDisagree)
      threads.push_back(name);
    if (outcome.shadowDisagrees)
      shadow.push_back(name);
    if (outcome.orderDecides)
      order.push_back(name);
  }

  bool bad() const {
    return !ends[static_cast<size_t>(End::EngineError)].empty() || !threads.empty() || !shadow.empty();
  }
};

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

void printGroup(const char *title, const std::map<std::string, Names> &groups, bool named) {
  size_t count = 0;
  for (const auto &[label, names] : groups)
    count += names.size();
  std::printf("%s: %zu\n", title, count);
  for (const auto &[label, names] : groups) {
    std::printf("%6zu  %s\n", names.size(), label.c_str());
    for (size_t n = 0; named && n < names.size(); ++n)
      std::printf("          %s\n", names[n].c_str());
  }
}

void print(const Tally &tally) {
  if (tally.folders.size() > 1)
    for (const auto &[folder, counts] : tally.folders)
      std::printf("%s: ran %zu/%zu\n", folder.c_str(), counts.first, counts.second);
  std::printf("ran %zu/%zu\n", tally.ran, tally.all);
  auto ends = [&](End end) -> const auto & { return tally.ends[static_cast<size_t>(end)]; };
  printGroup("faults by kind", ends(End::Fault), false);
  printGroup("unsupported by operation", ends(End::Unsupported), true);
  printGroup("invalid modules", ends(End::Invalid), true);
  printGroup("engine errors", ends(End::EngineError), true);
  printGroup("stopped", ends(End::Stopped), true);
  printGroup("arguments", tally.plans, false);
  printGroup("findings of sanitizers, modules by kind", tally.findings, false);
  printGroup(
      "ways of running that disagree",
      {{"one thread and several, direct mode", tally.threads}, {"direct and shadow mode", tally.shadow}},
      true);
  printGroup("bytes that the order of programs decides", {{"any", tally.order}}, true);
}

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
  if (outcome.end != End::Ran)
    std::printf("%s: %s\n", file.c_str(), outcome.reason.c_str());
  else
    std::printf("%s: %s\n", file.c_str(), outcome.plan.text().c_str());
  for (const Finding &finding : outcome.findings)
    std::printf("%s: %s\n", file.c_str(), interp::faultText(finding).c_str());
}

} // namespace

int runCorpus(const std::vector<std::string> &words) {
  double limit = 10;
  bool listed = false;
  std::string folder;
  for (size_t n = 0; n < words.size(); ++n) {
    if (words[n] == "--limit" && n + 1 < words.size())
      limit = std::atof(words[++n].c_str());
    else if (words[n] == "--list")
      listed = true;
    else if (folder.empty() && !words[n].starts_with("--"))
      folder = words[n];
    else
      throw InvalidInput("--corpus takes one folder, --limit SECONDS and --list, not '" + words[n] + "'");
  }
  std::vector<fs::path> files = modulesIn(folder);
  Tally tally;
  {
    GuardedBuffers memory;
    Progress progress(files.size());
    for (const fs::path &file : files) {
      CorpusOutcome outcome = runCorpusModule(file.string(), memory, limit);
      fs::path relative = file == folder ? file.filename() : file.lexically_relative(folder);
      tally.add(relative.parent_path().string(), relative.string(), outcome);
      if (listed)
        list(file, outcome);
      progress.show(tally.all);
    }
  }
  print(tally);
  return tally.bad() ? 1 : 0;
}

} // namespace trisect::tools
