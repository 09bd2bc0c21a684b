//===- trisect-fuzz-kernels.cpp - random kernels through tier 0 and compiled tiers ----------------------===//
//
// What: runs the kernels of consecutive seeds, shrinks and keeps those that fail, and counts. A kernel is its
// seed: `--show SEED` prints it. Limits: one thread; whoever starts it must see to crashes and hangs, for
// which `--progress FILE` holds the seed at hand.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "core/support/Files.h"
#include "core/support/Tool.h"
#include "tests/fuzz/kernels/Planted.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/mutants/Mutate.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace trisect;
using namespace trisect::fuzz;

constexpr const char *usage =
    "usage: trisect-fuzz-kernels [--first SEED] [--count N] [--seconds S] [--emulated PERCENT]\n"
    "                            [--shrink SECONDS] [--keep FOLDER] [--progress FILE]\n"
    "       trisect-fuzz-kernels --show SEED\n"
    "       trisect-fuzz-kernels --plant KERNELS [--first SEED]\n"
    "       trisect-fuzz-kernels [--replay] FILE... [--emulated PERCENT]\n"
    "  --first, --count, --seconds  the first seed (0), how many, and for how long (60 without --count)\n"
    "  --emulated PERCENT           of the kernels go to the emulator of tier 2 too (0)\n"
    "  --shrink SECONDS             for making a kernel that fails smaller (30)\n"
    "  --keep FOLDER                kernels that fail stay there\n"
    "  --progress FILE              holds the seed at hand\n"
    "  --show SEED                  prints the kernel of a seed\n"
    "  --plant KERNELS              how many kernels it takes to find each planted mistake\n"
    "  --replay                     runs kernels that were kept\n";

struct Settings {
  uint64_t first = 0, plant = 0;
  std::optional<uint64_t> count, shown;
  std::optional<double> seconds;
  uint32_t emulated = 0;
  int shrinkSeconds = 30;
  std::string keep, progress;
  std::vector<std::string> replay;

  explicit Settings(const std::vector<std::string> &words) {
    bool replays = false;
    auto takeSeconds = [this](const std::string &value) { seconds = realNumber(value, "--seconds", 0, 1e9); };
    replay = readOptions(words, {wholeOption("--first", first, 0),
                                 wholeOption("--count", count, 1),
                                 {"--seconds", takeSeconds},
                                 wholeOption("--emulated", emulated, 0, 100),
                                 wholeOption("--shrink", shrinkSeconds, 0, 1'000'000),
                                 textOption("--keep", keep),
                                 textOption("--progress", progress),
                                 wholeOption("--show", shown, 0),
                                 wholeOption("--plant", plant, 1),
                                 flagOption("--replay", replays)});
    if (replays && replay.empty())
      throw WrongUse("--replay needs files of kernels");
    if (!replay.empty() + shown.has_value() + (plant > 0) > 1)
      throw WrongUse("one of --show, --plant and files of kernels at a time");
    if (!keep.empty() && !std::filesystem::is_directory(keep))
      throw WrongUse("--keep takes a folder, and '" + keep + "' is none");
  }
};

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
    try {
      writeFile(path, {small.text()});
      std::printf("  kept as %s\n", path.c_str());
    } catch (const InvalidInput &) { // which must not lose the kernel
      std::printf("%s", small.text().c_str());
      throw;
    }
  }
  std::fflush(stdout);
}

/// A file that holds the seed at hand.
class Progress {
public:
  explicit Progress(const std::string &path) : path(path) {
    if (!path.empty() && (file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644)) < 0)
      fail();
  }
  ~Progress() { close(file); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void show(uint64_t seed) const {
    char text[32];
    int length = std::snprintf(text, sizeof text, "%20llu\n", static_cast<unsigned long long>(seed));
    if (!path.empty() && pwrite(file, text, static_cast<size_t>(length), 0) != length)
      fail();
  }

private:
  [[noreturn]] void fail() const {
    throw InvalidInput("cannot write '" + path + "': " + std::strerror(errno));
  }

  std::string path;
  int file = -1;
};

int runSeeds(Session &session, const Settings &settings) {
  Progress progress(settings.progress);
  const uint64_t count = settings.count.value_or(UINT64_MAX);
  const double seconds = settings.seconds.value_or(settings.count ? 1e9 : 60);
  auto started = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  uint64_t done = 0, failures = 0;
  for (; done < count && elapsed() < seconds; ++done) {
    uint64_t seed = settings.first + done;
    progress.show(seed);
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
  std::vector<Case> kernels; // all are read before the first runs
  for (const std::string &file : files)
    try {
      kernels.push_back(Case::read(readFile(file)));
    } catch (const InvalidInput &error) {
      throw InvalidInput(file + ": " + error.what());
    }
  int failures = 0;
  for (size_t n = 0; n < files.size(); ++n) {
    Judgement judgement = session.runAll(kernels[n]);
    std::printf("%s: %s %s\n", files[n].c_str(), std::string(rulingName(judgement.ruling)).c_str(),
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

int run(const std::vector<std::string> &words) {
  Settings settings(words);
  if (settings.shown) {
    std::printf("%s", kernelOf(*settings.shown).text().c_str());
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
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-fuzz-kernels", usage}, argc, argv, run); }
