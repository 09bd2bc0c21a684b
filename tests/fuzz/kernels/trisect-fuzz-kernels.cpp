//===- trisect-fuzz-kernels.cpp - random kernels through tier 0 and compiled tiers ----------------------===//
//
// What: runs the kernels of consecutive seeds, shrinks and keeps those that fail, and counts. A kernel is its
// seed: `--show SEED` prints it. Limits: one thread; whoever starts it must see to crashes and hangs, for
// which `--progress FILE` holds the seed at hand.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "core/support/Outcome.h"
#include "tests/fuzz/kernels/Planted.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/mutants/Mutate.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

using namespace trisect;
using namespace trisect::fuzz;

constexpr const char *usage =
    "usage: trisect-fuzz-kernels [--first SEED] [--count N] [--seconds S] [--emulated PERCENT]\n"
    "                            [--shrink SECONDS] [--keep FOLDER] [--progress FILE]\n"
    "       trisect-fuzz-kernels --show SEED | --replay FILE... | --plant KERNELS\n";

struct Settings {
  uint64_t first = 0, count = UINT64_MAX;
  double seconds = 60;
  uint32_t emulated = 0;
  int shrinkSeconds = 30;
  std::string keep, progress;
  std::vector<std::string> replay;
  bool show = false;
  uint64_t plant = 0;
};

Settings read(int argc, char **argv) {
  Settings settings;
  for (int n = 1; n < argc; ++n) {
    std::string word = argv[n];
    if (!word.starts_with("--")) {
      settings.replay.push_back(word);
      continue;
    }
    if (word == "--replay")
      continue;
    if (n + 1 == argc)
      throw InvalidInput(word + " needs a value\n" + usage);
    std::string value = argv[++n];
    if (word == "--first" || word == "--show")
      settings.first = std::stoull(value), settings.show = word == "--show";
    else if (word == "--count")
      settings.count = std::stoull(value), settings.seconds = 1e9;
    else if (word == "--plant")
      settings.plant = std::stoull(value);
    else if (word == "--seconds")
      settings.seconds = std::stod(value);
    else if (word == "--emulated")
      settings.emulated = static_cast<uint32_t>(std::stoul(value));
    else if (word == "--shrink")
      settings.shrinkSeconds = std::stoi(value);
    else if (word == "--keep")
      settings.keep = value;
    else if (word == "--progress")
      settings.progress = value;
    else
      throw InvalidInput("unknown option " + word + "\n" + usage);
  }
  return settings;
}

void report(Session &session, uint64_t seed, const Judgement &judgement, const Settings &settings) {
  std::printf("seed %llu: %s (%s)\n  %s\n", static_cast<unsigned long long>(seed),
              std::string(rulingName(judgement.ruling)).c_str(), session.partnerOf(seed).describe().c_str(),
              judgement.text.c_str());
  std::fflush(stdout);
  Case small = session.shrunk(seed, std::chrono::seconds(settings.shrinkSeconds));
  if (settings.keep.empty()) {
    std::printf("%s", small.text().c_str());
  } else {
    std::string path = settings.keep + "/kernel-" + std::to_string(seed) + ".ttir";
    std::ofstream(path) << small.text();
    std::printf("  kept as %s\n", path.c_str());
  }
  std::fflush(stdout);
}

int runSeeds(Session &session, const Settings &settings) {
  int progress =
      settings.progress.empty() ? -1 : open(settings.progress.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  auto started = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  uint64_t done = 0, failures = 0;
  for (; done < settings.count && elapsed() < settings.seconds; ++done) {
    uint64_t seed = settings.first + done;
    if (progress >= 0) {
      char text[32];
      auto length = static_cast<size_t>(
          std::snprintf(text, sizeof text, "%20llu\n", static_cast<unsigned long long>(seed)));
      if (pwrite(progress, text, length, 0) < 0)
        throw EngineError("cannot write " + settings.progress);
    }
    Judgement judgement = session.run(seed);
    if (isFailure(judgement.ruling)) {
      ++failures;
      report(session, seed, judgement, settings);
    }
  }
  std::printf("kernels %llu", static_cast<unsigned long long>(done));
  for (int n = 0; n < numRulings; ++n)
    std::printf(", %s %llu", std::string(rulingName(static_cast<Ruling>(n))).c_str(),
                static_cast<unsigned long long>(session.counts()[static_cast<size_t>(n)]));
  std::printf(", seconds %.1f\n", elapsed());
  return failures != 0;
}

int replay(Session &session, const std::vector<std::string> &files) {
  int failures = 0;
  for (const std::string &file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    Judgement judgement = session.runAll(Case::read(text.str()));
    std::printf("%s: %s %s\n", file.c_str(), std::string(rulingName(judgement.ruling)).c_str(),
                judgement.text.c_str());
    failures += isFailure(judgement.ruling);
  }
  return failures != 0;
}

/// How many kernels it takes to find each kind of mistake.
int plant(Target &cpu, const Settings &settings) {
  int missed = 0;
  for (const std::string &kind : mutants::kinds()) {
    Hunt outcome = hunt(cpu, kind, settings.first, settings.plant);
    missed += !outcome.found;
    std::printf("%-30s %s after %llu kernels, %llu of them mistaken\n", kind.c_str(),
                outcome.found ? "found " : "MISSED", static_cast<unsigned long long>(outcome.kernels),
                static_cast<unsigned long long>(outcome.planted));
    std::fflush(stdout);
  }
  return missed != 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    Settings settings = read(argc, argv);
    if (settings.show) {
      std::printf("%s", kernelOf(settings.first).text().c_str());
      return 0;
    }
    registerTargets();
    Target *cpu = TargetRegistry::find("cpu");
    if (!cpu)
      throw InvalidInput("there is no cpu tier here");
    if (settings.plant)
      return plant(*cpu, settings);
    Session session(*cpu, settings.emulated);
    return settings.replay.empty() ? runSeeds(session, settings) : replay(session, settings.replay);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "trisect-fuzz-kernels: %s\n", error.what());
    return 2;
  }
}
