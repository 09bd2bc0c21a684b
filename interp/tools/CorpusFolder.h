//===- CorpusFolder.h - the modules of a corpus, and how far a run over them is -------------------------===//
//
// What: finds the TTIR files of a folder and shows progress. Limits: archives are unpacked by others.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSFOLDER_H
#define TRISECT_INTERP_TOOLS_CORPUSFOLDER_H

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace trisect::tools {

/// The .ttir files below a folder, in order, or the one file that is named. Throws InvalidInput if there is
/// none.
std::vector<std::filesystem::path> modulesIn(const std::string &folder);

/// The path inside the corpus; of a single file its name.
std::filesystem::path nameInCorpus(const std::filesystem::path &file, const std::filesystem::path &folder);

/// On standard error: a line that moves on a terminal, else one now and then.
class CorpusProgress {
public:
  explicit CorpusProgress(size_t all);
  ~CorpusProgress();
  CorpusProgress(const CorpusProgress &) = delete;
  CorpusProgress &operator=(const CorpusProgress &) = delete;
  void show(size_t done);

private:
  size_t all;
  bool terminal;
  std::chrono::steady_clock::time_point shown = std::chrono::steady_clock::now();
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSFOLDER_H
