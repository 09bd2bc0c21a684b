//===- CorpusTally.cpp - what happened to which modules of a corpus -------------------------------------===//
#include "interp/tools/CorpusTally.h"
#include <cstdio>
#include <set>

namespace trisect::tools {

namespace {

using End = CorpusOutcome::End;

/// The kinds of all that is wrong with a module that was understood.
std::set<std::string> kindsOf(const CorpusOutcome &outcome) {
  std::set<std::string> kinds;
  if (outcome.end == End::Fault)
    kinds.insert(outcome.reason);
  for (const Finding &finding : outcome.findings)
    kinds.insert(std::string(faultKindName(finding.kind)));
  return kinds;
}

size_t total(const std::map<std::string, std::vector<std::string>> &groups) {
  size_t count = 0;
  for (const auto &[label, names] : groups)
    count += names.size();
  return count;
}

void printGroups(const char *title, const std::map<std::string, std::vector<std::string>> &groups,
                 bool named = true) {
  std::printf("%s: %zu\n", title, total(groups));
  for (const auto &[label, names] : groups) {
    std::printf("%6zu  %s\n", names.size(), label.c_str());
    for (size_t n = 0; named && n < names.size(); ++n)
      std::printf("          %s\n", names[n].c_str());
  }
}

} // namespace

void CorpusTally::add(const std::filesystem::path &module, const CorpusOutcome &outcome) {
  std::string name = module.string(), file = module.filename().string();
  auto &folder = folders[module.parent_path().string()];
  ++all;
  ++folder.second;
  if (outcome.end == End::Ran) {
    ++ran;
    ++folder.first;
    plans[outcome.plan.text()].push_back(name);
  } else {
    ends[static_cast<size_t>(outcome.end)][outcome.reason].push_back(name);
  }
  if (outcome.threadsDisagree)
    disagreements["one thread and several, direct mode"].push_back(name);
  if (outcome.shadowDisagrees)
    disagreements["direct and shadow mode"].push_back(name);
  if (outcome.unrepeatable)
    unrepeatable["a clock or the order of programs decides some bytes"].push_back(name);

  reasons.seen(file);
  std::set<std::string> kinds = kindsOf(outcome);
  bool explains = !kinds.empty();
  for (const std::string &kind : kinds) {
    if (outcome.end == End::Ran)
      findings[kind].push_back(name);
    if (!reasons.explains(file, kind)) {
      unexplained[kind].push_back(name);
      explains = false;
    }
  }
  if (explains)
    explained.push_back(name);
}

bool CorpusTally::bad() const {
  return !at(End::EngineError).empty() || !at(End::Invalid).empty() || !at(End::Stopped).empty() ||
         !disagreements.empty() || !unexplained.empty() || !reasons.outdated().empty();
}

void CorpusTally::print() const {
  if (folders.size() > 1)
    for (const auto &[folder, counts] : folders)
      std::printf("%s: ran %zu/%zu\n", folder.c_str(), counts.first, counts.second);
  printGroups("arguments that were taken, by sizes, contents and grid", plans, false);
  printGroups("faults by kind", at(End::Fault));
  printGroups("unsupported by operation", at(End::Unsupported));
  printGroups("invalid modules", at(End::Invalid));
  printGroups("engine errors", at(End::EngineError));
  printGroups("stopped", at(End::Stopped));
  printGroups("modules with findings of the sanitizers, by kind", findings, false);
  printGroups("faults and findings without a reason", unexplained);
  for (const std::string &line : reasons.outdated())
    std::printf("nothing needs this reason any more: %s\n", line.c_str());
  printGroups("not repeatable", unrepeatable);
  printGroups("ways of running that disagree", disagreements);
  std::printf(
      "ran %zu/%zu, %zu faults, %zu unsupported, %zu engine errors, %zu with findings, %zu of all these "
      "explained, %zu disagreements\n",
      ran, all, total(at(End::Fault)), total(at(End::Unsupported)), total(at(End::EngineError)),
      total(findings), explained.size(), total(disagreements));
}

} // namespace trisect::tools
