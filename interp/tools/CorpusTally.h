//===- CorpusTally.h - what happened to which modules of a corpus ---------------------------------------===//
//
// What: counts outcomes by how they ended, by kind of finding and by plan of arguments, holds faults and
// findings against the list of reasons, and prints all of it. Why: the last line is what a reader and a
// script look at. Limits: names are paths inside the corpus.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSTALLY_H
#define TRISECT_INTERP_TOOLS_CORPUSTALLY_H

#include "interp/tools/CorpusExplained.h"
#include "interp/tools/CorpusModule.h"
#include <filesystem>
#include <map>

namespace trisect::tools {

class CorpusTally {
public:
  explicit CorpusTally(CorpusExplained reasons) : reasons(std::move(reasons)) {}

  /// `module`: its path inside the corpus.
  void add(const std::filesystem::path &module, const CorpusOutcome &outcome);
  size_t modules() const { return all; }
  void print() const;
  /// An engine error, an invalid module, one that took too long, ways of running that disagree, a fault or
  /// finding without a reason, a reason without either.
  bool bad() const;

private:
  using Names = std::vector<std::string>;
  using Groups = std::map<std::string, Names>;

  const Groups &at(CorpusOutcome::End end) const { return ends[static_cast<size_t>(end)]; }

  CorpusExplained reasons;
  size_t all = 0, ran = 0;
  std::map<std::string, std::pair<size_t, size_t>> folders; ///< ran, all
  Groups ends[6];                                           ///< by End, then by reason
  Groups findings;                                          ///< by kind
  Groups plans;                                             ///< of modules that ran
  Groups disagreements, unrepeatable;
  Groups unexplained; ///< faults and findings by kind
  Names explained;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSTALLY_H
