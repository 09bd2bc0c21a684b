//===- CorpusFolder.cpp - the modules of a corpus, and how far a run over them is -----------------------===//
#include "interp/tools/CorpusFolder.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace trisect::tools {

namespace fs = std::filesystem;

std::vector<fs::path> modulesIn(const std::string &folder) {
  if (!fs::exists(folder))
    throw InvalidInput("no folder '" + folder + "'");
  if (fs::is_regular_file(folder))
    return {folder};
  if (!fs::is_directory(folder))
    throw InvalidInput("'" + folder + "' is neither a folder nor a file");
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ttir" && entry.is_regular_file())
      files.push_back(entry.path());
  if (files.empty())
    throw InvalidInput("no .ttir file in '" + folder + "'");
  std::sort(files.begin(), files.end());
  return files;
}

fs::path nameInCorpus(const fs::path &file, const fs::path &folder) {
  return file == folder ? file.filename() : file.lexically_relative(folder);
}

CorpusProgress::CorpusProgress(size_t all) : all(all), terminal(isatty(STDERR_FILENO)) {}

CorpusProgress::~CorpusProgress() {
  if (terminal)
    std::fputs("\r\033[K", stderr);
}

void CorpusProgress::show(size_t done) {
  auto now = std::chrono::steady_clock::now();
  if (now - shown < (terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(10)))
    return;
  shown = now;
  std::fprintf(stderr, terminal ? "\r%zu of %zu modules" : "%zu of %zu modules\n", done, all);
  std::fflush(stderr);
}

} // namespace trisect::tools
