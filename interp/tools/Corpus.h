//===- Corpus.h - running modules of which nothing is known ---------------------------------------------===//
//
// What: makes up arguments for each .ttir file of a folder (sizes from the constants in it), runs it through
// a policy that keeps accesses inside the made-up buffers, then, where all were inside, again directly, and
// compares. Limits: says that a module runs and that two ways of running agree, not that its numbers are
// right.
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
