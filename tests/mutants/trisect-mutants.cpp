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
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "tests/mutants/CodeSuite.h"
#include "tests/mutants/Suite.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cstdio>
#include <fstream>
#include <tuple>
#include <unistd.h>

namespace {

using namespace trisect;
namespace json = llvm::json;

constexpr const char *usage =
    "usage: trisect-mutants [--emulator] [--every N] [--shard I/N] [--json FILE] [--keep DIR] "
    "FILE...\n"
    "  --every N   one mistake in N, chosen by a hash of its name\n"
    "  --shard I/N part I, from 0, of N of them\n"
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
  std::ofstream(path) << llvm::formatv("{0:2}\n", json::Value(std::move(record))).str();
}

/// `I/N`.
std::pair<uint64_t, uint64_t> readShard(const std::string &word) {
  unsigned long long shard = 0, shards = 0;
  if (std::sscanf(word.c_str(), "%llu/%llu", &shard, &shards) != 2 || shard >= shards)
    throw InvalidInput("--shard takes I/N with I below N, such as 0/16; " + word + " was given");
  return {shard, shards};
}

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
    std::ofstream(record) << llvm::formatv("{0:2}\n",
                                           json::Value(json::Object{{"runs", suite.runs},
                                                                    {"wrong", json::Array(suite.wrong)},
                                                                    {"all", object(all)},
                                                                    {"kinds", std::move(byKind)},
                                                                    {"missed", json::Array(suite.missed)}}))
                                 .str();
  return suite.wrong.empty() && all.found * 100 >= open * 98 ? 0 : 1;
}

int run(const std::vector<std::string> &words) {
  uint64_t every = 1, shard = 0, shards = 1;
  std::string record, kept;
  std::vector<std::string> files;
  bool emulator = false;
  for (size_t n = 0; n < words.size(); ++n)
    if (words[n] == "--emulator")
      emulator = true;
    else if (words[n] == "--every" && n + 1 < words.size())
      every = std::max(1ull, std::stoull(words[++n]));
    else if (words[n] == "--shard" && n + 1 < words.size())
      std::tie(shard, shards) = readShard(words[++n]);
    else if (words[n] == "--json" && n + 1 < words.size())
      record = words[++n];
    else if (words[n] == "--keep" && n + 1 < words.size())
      kept = words[++n];
    else if (words[n].starts_with("--"))
      throw InvalidInput("unknown option " + words[n] + "\n" + usage);
    else
      files.push_back(words[n]);
  auto chosen = [&](uint64_t number) { return number % every == 0 && number / every % shards == shard; };
  if (emulator)
    return runEmulator(files, chosen, record);
  std::filesystem::path folder = kept;
  if (kept.empty())
    folder = std::filesystem::temp_directory_path() / ("trisect-mutants-" + std::to_string(getpid()));
  // A lock that is never given back, or a flag that is never set, must not keep the other mistakes waiting.
  setOption(OptionId::Timeout, "20");
  mutants::Suite suite = mutants::runSuite(files, chosen, folder, !kept.empty(), /*progress=*/true);
  if (kept.empty())
    std::filesystem::remove_all(folder);
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
  if (!record.empty())
    writeRecord(record, suite, all, kinds, survivors);
  bool enough = all.full * 1000 >= all.shown * 995 && all.always * 100 >= all.shown * 99 &&
                all.promote * 100 >= all.shown * 97 && all.named * 100 >= all.promote * 95 &&
                all.replayed == all.bundled && suite.falseAlarms.empty();
  return enough ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception &error) {
    std::fprintf(stderr, "trisect-mutants: %s\n", error.what());
    return 2;
  }
}
