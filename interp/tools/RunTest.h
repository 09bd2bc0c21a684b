//===- RunTest.h - run-test files -----------------------------------------------------------------------===//
//
// What: runs a file of TTIR functions with `run` and `expect` lines (docs/run-tests.md) on a tier; every
// buffer that no line expects must keep its bytes. Limits: a run that takes longer than its limit is stopped
// through the interrupt flag and counts as failed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_RUNTEST_H
#define TRISECT_INTERP_TOOLS_RUNTEST_H

#include "core/support/Executable.h"
#include "interp/tools/Buffer.h"
#include "interp/tools/TestFile.h"
#include "mlir/IR/BuiltinOps.h"
#include <atomic>
#include <functional>

namespace trisect::tools {

/// One launch of a run test, before a tier has made it ready.
struct TestLaunch {
  mlir::ModuleOp module;
  std::string kernel; ///< the name of a function of the module
  const RunSettings &settings;
  const std::vector<Argument> &arguments;
  std::string way;         ///< one of the tier's
  std::atomic<bool> &stop; ///< becomes true when the time is over
};

/// A tier under test: it makes executables as any other does.
struct TestedTier {
  std::string name;
  /// Ways of running that must all give the same; the empty name is the plain one.
  std::vector<std::string> ways = {""};
  std::function<std::unique_ptr<Executable>(const TestLaunch &)> load;
  /// Whether it may refuse a part that says so, which is then skipped; the tier that defines what is right
  /// may not.
  bool mayRefuse = false;
};
TestedTier interpreterTier();

/// The name of a module's function, or of its only public one. Throws InvalidInput if it takes another
/// number of arguments.
std::string kernelNamed(mlir::ModuleOp module, const std::string &name, size_t arguments);

/// A buffer as the view behind an argument.
TensorView viewOf(const Buffer &buffer, size_t argument, const std::string &name);

enum class Verdict { Passed, Failed, Skipped };

struct CaseResult {
  std::string name; ///< file, and the part's number if it has several
  Verdict verdict = Verdict::Passed;
  std::string message;
  double seconds = 0;
};

/// Runs one part of a file; the result has no name.
CaseResult runTestPart(const TestPart &part, const TestedTier &tier, double limitSeconds);
/// Runs all parts of a file.
std::vector<CaseResult> runTestFile(const std::string &path, const TestedTier &tier, double limitSeconds);

void writeXunit(const std::string &path, const std::vector<CaseResult> &results);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_RUNTEST_H
