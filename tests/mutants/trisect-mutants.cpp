//===- trisect-mutants.cpp - how many mistakes of a compiler are found ----------------------------------===//
//
// With --emulator: leaves out what orders the threads of tier 2 (CodeSuite.h), and counts what the emulator
// finds. Otherwise:
// What: makes each kind of mistake at each place of the kernels of run-test files, or a part of them, and
// counts, of those that change a byte beyond what the profile leaves open, how many are found by comparing
// the whole grid, by `always` and by `promote`, whether the operation is named and whether bundles can be run
// again. Lists what escapes. Work is split by --shard, each in a process of its own; tests/mutants/merge.py
// joins their records.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Files.h"
#include "core/support/Options.h"
#include "core/support/Text.h"
#include "core/support/Tool.h"
#include "tests/mutants/CodeSuite.h"
#include "tests/mutants/Suite.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace trisect;
namespace json = llvm::json;

constexpr const char *usage =
    "usage: trisect-mutants [--emulator] [--every N] [--shard I/N] [--json FILE] [--keep DIR] FILE...\n"
    "  --emulator  leaves out what orders threads of tier 2, in the emulator\n"
    "  --every N   one mistake in N, chosen by a hash of its name\n"
    "  --shard I/N part I, from 0, of N of them\n"
    "  --json FILE the counts\n"
    "  --keep DIR  bundles stay in this folder\n";

struct Count {
  int shown = 0, full = 0, always = 0, promote = 0, named = 0, bundled = 0, replayed = 0;
  void add(const mutants::Outcome &outcome) {
    ++shown;
    full += outcome.full;
    always += outcome.always;
    promote += outcome.promote;
    named += outcome.promote && outcome.sameOp;
    bundled += outcome.bundled;
    replayed += outcome.replayed;
  }
  json::Object object() const {
    return json::Object{{"shown", shown}, {"full", full},       {"always", always},    {"promote", promote},
                        {"named", named}, {"bundled", bundled}, {"replayed", replayed}};
  }
};

void writeRecord(const std::string &path, json::Object record) {
  writeFile(path, {llvm::formatv("{0:2}\n", json::Value(std::move(record))).str()});
}

void writeRecord(const std::string &path, const mutants::Suite &suite, const Count &all,
                 const std::map<std::string, Count> &kinds, const std::vector<std::string> &survivors) {
  json::Object byKind;
  for (const auto &[kind, count] : kinds)
    byKind[kind] = count.object();
  json::Object record{{"parts", suite.parts},
                      {"skipped parts", static_cast<int64_t>(suite.skipped.size())},
                      {"false alarms", static_cast<int64_t>(suite.falseAlarms.size())},
                      {"mistakes", suite.made},
                      {"change nothing beyond what is open", suite.silent},
                      {"all", all.object()},
                      {"kinds", std::move(byKind)},
                      {"survivors", json::Array(survivors)}};
  writeRecord(path, std::move(record));
}

struct Request {
  uint64_t every = 1, shard = 0, shards = 1;
  std::string record, kept;
  std::vector<std::string> files;
  bool emulator = false;

  explicit Request(const std::vector<std::string> &words) {
    files = readOptions(words, {flagOption("--emulator", emulator),
                                wholeOption("--every", every, 1),
                                {"--shard", [this](const std::string &value) { takeShard(value); }},
                                textOption("--json", record),
                                textOption("--keep", kept)});
    if (files.empty())
      throw WrongUse("name run-test files");
    for (const std::string &file : files)
      checkFile(file);
  }

private:
  /// `I/N`.
  void takeShard(const std::string &value) {
    size_t slash = std::min(value.find('/'), value.size());
    std::optional<int64_t> part = parseInteger(value.substr(0, slash)), parts;
    if (slash < value.size())
      parts = parseInteger(value.substr(slash + 1));
    if (!part || !parts || *part < 0 || *part >= *parts)
      throw WrongUse("--shard takes I/N with I below N, such as 0/16, not '" + value + "'");
    shard = static_cast<uint64_t>(*part);
    shards = static_cast<uint64_t>(*parts);
  }

  /// Before the first of them runs: a file without runs would count as one without mistakes.
  static void checkFile(const std::string &file) {
    for (const tools::TestPart &part : tools::readTestFile(file))
      if (part.runs.empty())
        throw InvalidInput(file + ": line " + std::to_string(part.line) + ": no 'run:' line");
  }
};

/// What the emulator finds; 98 % of what can be found are enough.
int runEmulator(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
                const std::string &record) {
  constexpr unsigned seeds = 8;
  mutants::CodeSuite suite = mutants::runCodeSuite(files, chosen, seeds, /*progress=*/true);
  for (const std::string &each : suite.wrong)
    std::printf("WRONG WITHOUT A MISTAKE: %s\n", each.c_str());
  for (const std::string &each : suite.missed)
    std::printf("not found: %s\n", each.c_str());
  json::Object byKind;
  auto object = [](const mutants::CodeCount &count) {
    return json::Object{{"made", count.made}, {"found", count.found}, {"idle", count.idle}};
  };
  std::printf("%-24s %6s %6s %6s\n", "left out", "made", "found", "idle");
  for (const auto &[kind, count] : suite.kinds) {
    std::printf("%-24s %6d %6d %6d\n", kind.c_str(), count.made, count.found, count.idle);
    byKind[kind] = object(count);
  }
  mutants::CodeCount all = suite.total();
  int open = all.made - all.idle;
  std::printf("%d mistakes in %d runs: %d of %d found (%.2f %%), %d did nothing\n", all.made, suite.runs,
              all.found, open, 100.0 * all.found / std::max(1, open), all.idle);
  if (!record.empty())
    writeRecord(record, json::Object{{"runs", suite.runs},
                                     {"wrong", json::Array(suite.wrong)},
                                     {"all", object(all)},
                                     {"kinds", std::move(byKind)},
                                     {"missed", json::Array(suite.missed)}});
  return suite.wrong.empty() && all.found * 100 >= open * 98 ? 0 : 1;
}

/// Where bundles go; without a name to a folder that ends with this.
struct BundleFolder {
  std::filesystem::path path;

  explicit BundleFolder(const std::string &kept)
      : path(kept.empty()
                 ? std::filesystem::temp_directory_path() / ("trisect-mutants-" + std::to_string(getpid()))
                 : std::filesystem::path(kept)),
        removed(kept.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(path, problem);
    if (problem || access(path.c_str(), W_OK) != 0)
      throw InvalidInput("bundles cannot be kept in '" + path.string() +
                         "': " + (problem ? problem.message() : std::strerror(errno)));
  }
  ~BundleFolder() {
    std::error_code ignored;
    if (removed)
      std::filesystem::remove_all(path, ignored);
  }
  BundleFolder(const BundleFolder &) = delete;
  BundleFolder &operator=(const BundleFolder &) = delete;

private:
  bool removed;
};

int run(const std::vector<std::string> &words) {
  Request asked(words);
  const std::string &kept = asked.kept;
  auto chosen = [&](uint64_t number) {
    return number % asked.every == 0 && number / asked.every % asked.shards == asked.shard;
  };
  if (asked.emulator)
    return runEmulator(asked.files, chosen, asked.record);
  BundleFolder folder(kept);
  // A lock that is never given back, or a flag that is never set, must not keep the other mistakes waiting.
  setOption(OptionId::Timeout, "20");
  mutants::Suite suite =
      mutants::runSuite(asked.files, chosen, folder.path, !kept.empty(), /*progress=*/true);
  std::map<std::string, Count> kinds;
  Count all;
  std::vector<std::string> survivors;
  for (size_t n = 0; n < suite.shown.size(); ++n) {
    const mutants::Outcome &outcome = suite.shown[n];
    all.add(outcome);
    kinds[outcome.kind].add(outcome);
    std::string lacks = !outcome.full                           ? "not found by the full grid"
                        : !outcome.always                       ? "not found by always"
                        : !outcome.promote                      ? "not found by promote"
                        : !outcome.sameOp                       ? "another operation is named"
                        : !outcome.bundled || !outcome.replayed ? "no bundle that replays"
                                                                : "";
    if (!lacks.empty())
      survivors.push_back(lacks + ": " + suite.names[n] + ", " + outcome.kind + " at " + outcome.place.name +
                          " (operation " + std::to_string(outcome.place.op) + "): " + outcome.said);
  }
  for (const std::string &each : suite.skipped)
    std::printf("skipped: %s\n", each.c_str());
  for (const std::string &each : suite.falseAlarms)
    std::printf("FALSE ALARM: %s\n", each.c_str());
  for (const std::string &each : survivors)
    std::printf("%s\n", each.c_str());
  std::printf("%-30s %6s %6s %6s %7s %6s %7s\n", "mistake", "shown", "full", "always", "promote", "named",
              "replay");
  kinds["all"] = all;
  for (const auto &[kind, c] : kinds)
    std::printf("%-30s %6d %6d %6d %7d %6d %7d\n", kind.c_str(), c.shown, c.full, c.always, c.promote,
                c.named, c.replayed);
  std::printf("%d mistakes in %d parts, %d of them change nothing beyond what is open; %zu parts skipped, "
              "%zu false alarms\n",
              suite.made, suite.parts, suite.silent, suite.skipped.size(), suite.falseAlarms.size());
  kinds.erase("all");
  if (!asked.record.empty())
    writeRecord(asked.record, suite, all, kinds, survivors);
  bool enough = all.full * 1000 >= all.shown * 995 && all.always * 100 >= all.shown * 99 &&
                all.promote * 100 >= all.shown * 97 && all.named * 100 >= all.promote * 95 &&
                all.replayed == all.bundled && suite.falseAlarms.empty();
  return enough ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-mutants", usage}, argc, argv, run); }
