//===- trisect-cuda-corpus.cpp - compiles a corpus for NVIDIA GPUs --------------------------------------===//
//
// What: every TTIR module of a folder or archive to PTX and through ptxas, for several GPUs; prints what was
// refused and why, and writes a list of what each kernel takes. Exit status 1 if anything failed, that is,
// was neither assembled nor refused by name.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/Capabilities.h"
#include "backends/cuda/tools/CompileCorpus.h"
#include "core/support/Files.h"
#include "core/support/Tool.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace trisect;
using namespace trisect::cuda;

constexpr const char *usage =
    "usage: trisect-cuda-corpus PATH [--capability N]... [--jobs N] [--only N] [--list] [--figures FILE]\n"
    "PATH is a folder of .ttir files, or an archive of them.\n"
    "  --capability N  a GPU to compile for, 90 for sm_90 (default: 90 and 80)\n"
    "  --jobs N        modules at a time (default: one a core)\n"
    "  --only N        one module in N\n"
    "  --list          names the modules that were refused or failed\n"
    "  --figures FILE  what each kernel takes\n";

struct Request {
  std::string path, figures;
  std::vector<unsigned> capabilities;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  size_t only = 1; ///< every which module
  bool list = false;

  explicit Request(const std::vector<std::string> &words) {
    auto takeCapability = [this](const std::string &value) {
      capabilities.push_back(parseCapability(value));
    };
    path = onlyWord(readOptions(words, {flagOption("--list", list),
                                        {"--capability", takeCapability, true, true},
                                        wholeOption("--jobs", jobs, 1, 4096),
                                        wholeOption("--only", only, 1),
                                        textOption("--figures", figures)}),
                    "a folder or an archive of .ttir files");
    if (capabilities.empty())
      capabilities = {90, 80};
  }
};

std::vector<corpus::ModuleText> chosen(const Request &asked) {
  std::vector<corpus::ModuleText> all = corpus::readModules(asked.path), some;
  for (size_t n = 0; n < all.size(); n += asked.only)
    some.push_back(std::move(all[n]));
  return some;
}

/// A line that moves on a terminal, one each thousand modules elsewhere.
void showProgress(size_t done, size_t total) {
  if (isatty(2))
    std::fprintf(stderr, "\r%zu of %zu modules", done, total);
  else if (done % 1000 == 0)
    std::fprintf(stderr, "%zu of %zu modules\n", done, total);
  if (isatty(2) && done == total)
    std::fprintf(stderr, "\n");
}

/// A row a GPU; gives whether nothing failed.
bool printTotals(const std::vector<CorpusRow> &rows) {
  std::map<std::string, std::map<Fate, int>> fates;
  std::map<std::string, int> spills, warned;
  for (const CorpusRow &row : rows) {
    ++fates[row.architecture][row.fate];
    spills[row.architecture] += row.report.spillStores + row.report.spillLoads > 0;
    warned[row.architecture] += !row.report.warnings.empty();
  }
  bool good = true, any = false; // a corpus without one module was no corpus
  std::printf("%-8s %9s %8s %8s %7s %11s %9s\n", "gpu", "assembled", "refused", "invalid", "failed",
              "with spills", "warnings");
  for (auto &[gpu, counts] : fates) {
    std::printf("%-8s %9d %8d %8d %7d %11d %9d\n", gpu.c_str(), counts[Fate::Assembled],
                counts[Fate::Refused], counts[Fate::Invalid], counts[Fate::Failed], spills[gpu], warned[gpu]);
    good = good && counts[Fate::Failed] == 0;
    any = any || counts[Fate::Assembled] + counts[Fate::Refused] > 0;
  }
  return good && any;
}

void printReasons(const std::vector<CorpusRow> &rows, bool list) {
  std::map<std::string, std::vector<const CorpusRow *>> reasons;
  for (const CorpusRow &row : rows)
    if (row.fate != Fate::Assembled)
      reasons[row.architecture + ": " + row.reason.substr(0, 300)].push_back(&row);
  for (auto &[reason, found] : reasons) {
    std::printf("%5zu  %s\n", found.size(), reason.c_str());
    for (const CorpusRow *row : found)
      if (list)
        std::printf("         %s\n", row->module.c_str());
  }
}

void writeFigures(const std::string &path, const std::vector<CorpusRow> &rows) {
  std::ostringstream file;
  file << "# module, GPU: registers, spilled bytes, bytes of shared memory, accesses of four words\n";
  for (const CorpusRow &row : rows)
    if (row.fate == Fate::Assembled)
      file << row.module << " " << row.architecture << " " << row.report.registers << " "
           << row.report.spillStores + row.report.spillLoads << " " << row.report.sharedBytes << " "
           << row.wideAccesses << "\n";
  writeFile(path, {file.view()});
}

int run(const std::vector<std::string> &words) {
  Request asked(words);
  std::vector<corpus::ModuleText> modules = chosen(asked);
  auto rows = compileCorpus(modules, asked.capabilities, asked.jobs,
                            [&](size_t done) { showProgress(done, modules.size()); });
  bool good = printTotals(rows);
  printReasons(rows, asked.list);
  if (!asked.figures.empty())
    writeFigures(asked.figures, rows);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-cuda-corpus", usage}, argc, argv, run); }
