//===- Suite.cpp - every part, kind and place -----------------------------------------------------------===//
#include "tests/mutants/Suite.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Hash.h"
#include "interp/tools/RunTest.h"
#include "mlir/IR/MLIRContext.h"
#include "tests/mutants/MutantTarget.h"
#include <cstdio>

namespace trisect::mutants {

namespace {
class SuiteRun {
public:
  SuiteRun(const std::function<bool(uint64_t)> &chosen, const std::filesystem::path &bundles, bool keep,
           bool progress)
      : chosen(chosen), bundles(bundles), keep(keep), progress(progress) {}
  Suite suite;

  void file(const std::filesystem::path &path) {
    for (const tools::TestPart &part : tools::readTestFile(path)) {
      if (!part.isFor("cpu"))
        continue;
      mlir::MLIRContext context;
      tt::loadDialects(context);
      auto module = tt::parseModule(part.body, path.string(), context);
      for (const tools::TestRun &run : part.runs) {
        if (run.settings.sanitizedAlone())
          continue;
        // the choice must not depend on the folder
        name = path.filename().string() + ", part " + std::to_string(++seen);
        try {
          mistakes(*module, run);
        } catch (const InvalidInput &error) {
          throw InvalidInput(path.string() + ": line " + std::to_string(run.line) + ": " + error.what());
        }
      }
    }
  }

private:
  struct Mistake {
    std::string kind;
    unsigned site;
  };
  std::vector<Mistake> chosenIn(mlir::ModuleOp module) const {
    std::vector<Mistake> found;
    for (const std::string &kind : kinds())
      for (unsigned site = 0;; ++site) {
        mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
        if (!mutate(*copy, kind, site))
          break;
        if (chosen(hashBytes(name + kind + std::to_string(site)).prefix()))
          found.push_back({kind, site});
      }
    return found;
  }

  void mistakes(mlir::ModuleOp module, const tools::TestRun &run) {
    std::vector<Mistake> mine = chosenIn(module);
    bool counts = chosen(hashBytes(name).prefix());
    if (mine.empty() && !counts)
      return;
    suite.parts += counts;
    std::vector<tools::Argument> arguments = tools::parseArguments(run.arguments);
    std::string kernel = tools::kernelNamed(module, run.settings.kernel, arguments.size());
    Trial trial(module, kernel, arguments, run.grid, bundles, keep);
    if (progress)
      std::fprintf(stderr, "%s: %zu mistakes; %zu have shown so far\n", name.c_str(), mine.size(),
                   suite.shown.size());
    if (!trial.skipped().empty() && counts)
      suite.skipped.push_back(name + ": " + trial.skipped());
    if (!trial.falseAlarm().empty() && counts)
      suite.falseAlarms.push_back(name + ": " + trial.falseAlarm());
    if (!trial.skipped().empty() || !trial.falseAlarm().empty())
      return;
    for (const Mistake &each : mine)
      one(trial, each.kind, each.site);
  }

  void one(Trial &trial, const std::string &kind, unsigned site) {
    ++suite.made;
    std::optional<Outcome> outcome = trial.run(kind, site);
    if (!outcome || !outcome->shown) {
      ++suite.silent;
      return;
    }
    suite.shown.push_back(std::move(*outcome));
    suite.names.push_back(name);
  }

  const std::function<bool(uint64_t)> &chosen;
  const std::filesystem::path &bundles;
  bool keep, progress;
  int seen = 0;     ///< runs so far
  std::string name; ///< of the run at hand
};
} // namespace

Suite runSuite(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
               const std::filesystem::path &bundles, bool keep, bool progress) {
  registerMutantTarget();
  SuiteRun run(chosen, bundles, keep, progress);
  for (const std::string &each : files)
    run.file(each);
  return std::move(run.suite);
}

} // namespace trisect::mutants
