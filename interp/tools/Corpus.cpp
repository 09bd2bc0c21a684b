//===- Corpus.cpp - walking the folder, the tally and its text ------------------------------------------===//
#include "interp/tools/Corpus.h"
#include "core/support/Outcome.h"
#include "interp/exec/ShadowRun.h"
#include "interp/tools/CorpusExplained.h"
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

/// The kinds of all that is wrong with a module that was understood.
std::set<std::string> kindsOf(const CorpusOutcome &outcome) {
  std::set<std::string> kinds;
  if (outcome.end == End::Fault)
    kinds.insert(outcome.reason);
  for (const Finding &finding : outcome.findings)
    kinds.insert(std::string(faultKindName(finding.kind)));
  return kinds;
}

/// What happened to which modules.
struct Tally {
  size_t all = 0, ran = 0;
  std::map<std::string, std::pair<size_t, size_t>> folders; ///< ran, all
  std::map<std::string, Names> ends[6];                     ///< by End, then by reason
  std::map<std::string, Names> findings;                    ///< by kind
  std::map<std::string, Names> plans;                       ///< of modules that ran
  Names threads, shadow, order;
  Names unexplained, outdated; ///< faults and findings; lines of the list of reasons
  size_t explained = 0;        ///< modules

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
    for (const std::string &kind : kindsOf(outcome))
      findings[kind].push_back(name);
    if (outcome.threadsDisagree)
      threads.push_back(name);
    if (outcome.shadowDisagrees)
      shadow.push_back(name);
    if (outcome.orderDecides)
      order.push_back(name);
  }

  const std::map<std::string, Names> &at(End end) const { return ends[static_cast<size_t>(end)]; }

  bool bad() const {
    return !at(End::EngineError).empty() || !at(End::Invalid).empty() || !threads.empty() ||
           !shadow.empty() || !unexplained.empty() || !outdated.empty();
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
  printGroup("faults by kind", tally.at(End::Fault), false);
  printGroup("unsupported by operation", tally.at(End::Unsupported), true);
  printGroup("invalid modules", tally.at(End::Invalid), true);
  printGroup("engine errors", tally.at(End::EngineError), true);
  printGroup("stopped", tally.at(End::Stopped), true);
  printGroup("arguments", tally.plans, false);
  printGroup("findings of sanitizers, modules by kind", tally.findings, false);
  printGroup(
      "ways of running that disagree",
      {{"one thread and several, direct mode", tally.threads}, {"direct and shadow mode", tally.shadow}},
      true);
  std::printf("modules with faults or findings that the list of reasons explains: %zu\n", tally.explained);
  printGroup("without a reason", {{"faults and findings", tally.unexplained}}, true);
  printGroup("reasons for what no longer occurs", {{"lines", tally.outdated}}, true);
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

/// Looks up the reasons for what is wrong with a module.
void judge(Tally &tally, CorpusExplained &reasons, const fs::path &module, const CorpusOutcome &outcome) {
  std::string name = module.filename().string();
  reasons.seen(name);
  std::set<std::string> kinds = kindsOf(outcome);
  bool all = true;
  for (const std::string &kind : kinds)
    if (!reasons.explains(name, kind)) {
      tally.unexplained.push_back(module.string() + ": " + kind);
      all = false;
    }
  tally.explained += all && !kinds.empty();
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
  Tally tally;
  {
    GuardedBuffers memory;
    Progress progress(files.size());
    for (const fs::path &file : files) {
      CorpusOutcome outcome = runCorpusModule(file.string(), memory, limit);
      fs::path relative = file == folder ? file.filename() : file.lexically_relative(folder);
      tally.add(relative.parent_path().string(), relative.string(), outcome);
      judge(tally, reasons, relative, outcome);
      if (listed)
        list(file, outcome);
      progress.show(tally.all);
    }
  }
  tally.outdated = reasons.outdated();
  print(tally);
  return tally.bad() ? 1 : 0;
}

} // namespace trisect::tools
