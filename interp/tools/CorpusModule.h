//===- CorpusModule.h - one module of a corpus, run in every way ----------------------------------------===//
//
// What: reads a module, looks for arguments under which the sanitizers are silent, runs it in shadow mode, on
// several threads and on one, compares the memory after each, and says how it ended. Why: a corpus shows what
// is not understood and where two ways of running disagree. Limits: says nothing about whether the numbers
// are right.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSMODULE_H
#define TRISECT_INTERP_TOOLS_CORPUSMODULE_H

#include "core/support/Finding.h"
#include "interp/tools/CorpusArguments.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace trisect::tools {

struct CorpusOutcome {
  enum class End : uint8_t { Ran, Fault, Unsupported, Invalid, EngineError, Stopped };

  End end = End::Ran;
  CorpusPlan plan;               ///< by which arguments were made
  std::string reason;            ///< of every end but Ran: a fault's kind, or what was said
  std::vector<Finding> findings; ///< of the sanitizers
  bool threadsDisagree = false;  ///< other bytes on several threads than on one
  bool shadowDisagrees = false;  ///< other bytes in shadow mode, with no finding that explains it
  bool unrepeatable = false;     ///< a clock, or programs in another order, give other bytes
};

/// Never throws what the module is to blame for. `limit`: seconds for a run, thrice that for the search.
CorpusOutcome runCorpusModule(const std::string &path, CorpusMemory &memory, double limit);

/// A module whose arguments were found.
struct CorpusLaunch {
  mlir::ModuleOp module;
  std::string kernel;
  LaunchRequest request;
  std::vector<HostRange> ranges; ///< all memory that the arguments lead to
};

/// Looks for arguments only; where the kernel runs with them in shadow mode, gives the launch to `visit`,
/// with memory as it was at the start.
CorpusOutcome planCorpusModule(const std::string &path, CorpusMemory &memory, double limit,
                               const std::function<void(const CorpusLaunch &)> &visit);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSMODULE_H
