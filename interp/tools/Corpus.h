//===- Corpus.h - every module of a folder in tier 0 ----------------------------------------------------===//
//
// What: runs each TTIR module of a folder with arguments made up for it, in direct mode on all threads and on
// one and in shadow mode, and counts: ran, faults by kind, unsupported by operation, findings of the
// sanitizers, ways of running that disagree. Why: a corpus of real modules shows what is not understood, and
// whether the ways of running agree. Limits: see CorpusModule.h.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUS_H
#define TRISECT_INTERP_TOOLS_CORPUS_H

#include <string>
#include <vector>

namespace trisect::tools {

/// The words after `--corpus`; returns the exit status: 0 if there was no engine error and no disagreement.
int runCorpus(const std::vector<std::string> &words);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUS_H
