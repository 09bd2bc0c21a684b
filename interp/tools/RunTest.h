//===- RunTest.h - run-test files -----------------------------------------------------------------------===//
//
// What: reads a file of TTIR functions with `run` and `expect` lines (docs/run-tests.md) and runs it on a
// tier; every buffer that no line expects must keep its bytes. Limits: a run that takes longer than its limit
// is stopped through the interrupt flag and counts as failed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_RUNTEST_H
#define TRISECT_INTERP_TOOLS_RUNTEST_H

#include "core/support/Outcome.h"
#include "interp/tools/Buffer.h"
#include "mlir/IR/BuiltinOps.h"
#include <atomic>
#include <functional>
#include <optional>

namespace trisect::tools {

struct RunSettings {
  std::string kernel; ///< empty: the module's only public function
  std::optional<uint64_t> seed;
  int threads = 0;
  bool cudaNumerics = false;
  std::string sanitize = "on"; ///< of the run in shadow mode
};

/// How a tier runs a kernel of a module.
struct TierUnderTest {
  std::string name;
  /// Ways of running that must all give the same; the empty name is the plain one.
  std::vector<std::string> variants;
  /// `stop` becomes true when the time is over.
  std::function<void(mlir::ModuleOp, const RunSettings &, const std::string &variant,
                     const std::vector<Argument> &, Grid, std::atomic<bool> &stop)>
      launch;
  /// Whether it may refuse a part that says so, which is then skipped; the tier that defines what is right
  /// may not.
  bool mayRefuse = false;
};
TierUnderTest interpreterTier();

/// A buffer as the view behind an argument.
TensorView viewOf(const Buffer &buffer, size_t argument, const std::string &name);

enum class Verdict { Passed, Failed, Skipped };

struct CaseResult {
  std::string name; ///< file, and the part's number if it has several
  Verdict verdict = Verdict::Passed;
  std::string message;
  double seconds = 0;
};

/// Runs all parts of a file.
std::vector<CaseResult> runTestFile(const std::string &path, const TierUnderTest &tier, double limitSeconds);

void writeXunit(const std::string &path, const std::vector<CaseResult> &results);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_RUNTEST_H
