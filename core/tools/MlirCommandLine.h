//===- MlirCommandLine.h - options that MLIR knows ------------------------------------------------------===//
//
// What: LLVM's reader of command lines, with errors of ours. Why: by itself it ends the process, with the
// status of a pass that failed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_MLIRCOMMANDLINE_H
#define TRISECT_CORE_TOOLS_MLIRCOMMANDLINE_H

#include "core/support/Files.h"
#include "core/support/Tool.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace trisect::tt {

/// Throws WrongUse.
inline void readMlirCommandLine(const char *tool, int argc, char **argv, const char *overview) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return;
  llvm::StringRef told = llvm::StringRef(problems).trim();
  told.consume_front(std::string(tool) + ": ");
  throw WrongUse(told.str());
}

/// To a file, or for `-` to standard output. Throws InvalidInput.
inline void writeOutput(const std::string &path, const std::string &text) {
  if (path == "-")
    std::fwrite(text.data(), 1, text.size(), stdout);
  else
    writeFile(path, {text});
}

} // namespace trisect::tt

#endif // TRISECT_CORE_TOOLS_MLIRCOMMANDLINE_H
