//===- CorpusCheck.h - a corpus on a compiled tier beside tier 0 ----------------------------------------===//
//
// What: compiles each module in its forms and compares all programs of a launch that is made up for it with
// tier 0, as the cross-check does. Why: code that others wrote shows what our own tests do not, wrong code
// and false alarms alike. Limits: launches are small, and those that CorpusModule.h finds; a module that tier
// 0 does not run is counted, not compared.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_CORPUSCHECK_H
#define TRISECT_JIT_TOOLS_CORPUSCHECK_H

#include <string>
#include <vector>

namespace trisect::tools {

/// The words after `--corpus`: FOLDER [--tier NAME] [--limit SECONDS] [--list] [--json FILE]. Returns the
/// exit status: 1 if a form was found different, or an engine failed.
int checkCorpus(const std::vector<std::string> &words);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_CORPUSCHECK_H
