//===- CorpusExplained.h - findings with a stored reason ------------------------------------------------===//
//
// What: a list of `module | kind | reason` lines, where the module is a file name with wildcards; says
// whether a fault or finding of a module has a reason, and which lines no longer fit any. Why: a finding in a
// corpus is either a false alarm of ours or a defect of the module; the second is said once, and checked.
// Limits: lines about modules that the run does not hold are left alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSEXPLAINED_H
#define TRISECT_INTERP_TOOLS_CORPUSEXPLAINED_H

#include <string>
#include <vector>

namespace trisect::tools {

class CorpusExplained {
public:
  CorpusExplained() = default;
  /// Lines that begin with `#` and empty lines do not count. Throws InvalidInput.
  explicit CorpusExplained(const std::string &path);

  /// To be called for every module of the run.
  void seen(const std::string &module);
  bool explains(const std::string &module, const std::string &kind);
  /// Lines about modules that were seen, without a fault or finding that they explain.
  std::vector<std::string> outdated() const;

private:
  struct Line {
    std::string module, kind, reason;
    bool seen = false, used = false;
  };
  std::vector<Line> lines;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSEXPLAINED_H
