//===- TrisectCorpus.cpp - reads, prints and transforms every module of a corpus ------------------------===//
//
// What: `trisect-corpus PATH` checks every .ttir file of a folder or archive (ModuleCheck.h) on all cores,
// prints one row a subfolder and the totals, and the first failures. Exit status 1 if any module failed.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "core/support/Threads.h"
#include "core/support/Tool.h"
#include "core/tools/corpus/ModuleCheck.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <unistd.h>

using namespace trisect;
using namespace trisect::corpus;

namespace {

constexpr int maxShownFailures = 5;
/// A context keeps every attribute and location that it has seen; a fresh one now and then bounds memory.
constexpr int modulesPerContext = 256;

struct Tally {
  int modules = 0, roundTrips = 0, passes = 0;
  void add(const Verdict &verdict) {
    ++modules;
    roundTrips += verdict.roundTrip;
    passes += verdict.passes;
  }
  bool clean() const { return roundTrips == modules && passes == modules; }
};

/// Shown while the work runs, on a terminal only.
class Progress {
public:
  explicit Progress(size_t total) : total(total), shown(isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown)
      std::fputs("\r\033[K", stderr);
  }
  void tick(size_t done) const {
    if (shown && done % 64 == 0)
      std::fprintf(stderr, "\r%zu/%zu", done, total);
  }

private:
  size_t total;
  bool shown;
};

std::vector<Verdict> checkAll(const std::vector<ModuleText> &modules) {
  std::vector<Verdict> verdicts(modules.size());
  std::atomic<size_t> next = 0;
  Progress progress(modules.size());
  auto work = [&] {
    for (bool more = true; more;) {
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      tt::loadDialects(context);
      for (int i = 0; i < modulesPerContext && more; ++i) {
        size_t index = next++;
        more = index < modules.size();
        if (more) {
          verdicts[index] = checkModule(modules[index], context);
          progress.tick(index + 1);
        }
      }
    }
  };
  onThreads(availableThreads(), [&](int) { work(); });
  return verdicts;
}

std::string folderOf(const std::string &name) {
  size_t slash = name.find('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

void printTally(const std::string &label, const Tally &tally, const char *separator) {
  std::printf("%s%d/%d parsed, verified, printed and reparsed equal (custom, generic, bytecode)%s",
              label.c_str(), tally.roundTrips, tally.modules, separator);
  std::printf("%d/%d verified after the pass pipeline\n", tally.passes, tally.modules);
}

int report(const std::vector<ModuleText> &modules, const std::vector<Verdict> &verdicts, double seconds) {
  std::map<std::string, Tally> rows;
  Tally all;
  int failures = 0;
  for (size_t i = 0; i < modules.size(); ++i) {
    rows[folderOf(modules[i].name)].add(verdicts[i]);
    all.add(verdicts[i]);
    if (!verdicts[i].failure.empty() && failures++ < maxShownFailures)
      std::fprintf(stderr, "%s\n", verdicts[i].failure.c_str());
  }
  if (failures > maxShownFailures)
    std::fprintf(stderr, "... and %d more failures\n", failures - maxShownFailures);
  if (rows.size() > 1)
    for (const auto &[folder, tally] : rows)
      printTally((folder.empty() ? "." : folder) + ": ", tally, "; ");
  printTally("", all, "\n");
  std::printf("%.1f s\n", seconds);
  return all.clean() ? 0 : 1;
}

constexpr const char *usage =
    "usage: trisect-corpus FOLDER|ARCHIVE\n"
    "Reads, prints and transforms every .ttir file of a folder or of a .tar, .tar.xz or .tar.gz archive.\n";

int run(const std::vector<std::string> &words) {
  auto start = std::chrono::steady_clock::now();
  std::vector<ModuleText> modules = readModules(onlyWord(readOptions(words, {}), "a folder or an archive"));
  std::vector<Verdict> verdicts = checkAll(modules);
  return report(modules, verdicts,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-corpus", usage}, argc, argv, run); }
