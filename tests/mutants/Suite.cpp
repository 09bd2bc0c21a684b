//===- Suite.cpp - every part, kind and place -----------------------------------------------------------===//
#include "tests/mutants/Suite.h"
#include "core/support/Hash.h"
#include "tests/mutants/MutantTarget.h"

namespace trisect::mutants {

Suite runSuite(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
               const std::filesystem::path &bundles, bool keep) {
  registerMutantTarget();
  Suite suite;
  std::string file;
  tools::TierUnderTest tier;
  tier.name = "cpu";
  tier.variants = {""};
  tier.mayRefuse = true;
  tier.launch = [&](mlir::ModuleOp module, const tools::RunSettings &settings, const std::string &,
                    const std::vector<tools::Argument> &arguments, Grid grid, std::atomic<bool> &) {
    ++suite.parts;
    std::string part = file + ", part " + std::to_string(suite.parts);
    Trial trial(module, settings.kernel, arguments, grid, bundles, keep);
    if (!trial.skipped().empty())
      return suite.skipped.push_back(part + ": " + trial.skipped());
    if (!trial.falseAlarm().empty())
      return suite.falseAlarms.push_back(part + ": " + trial.falseAlarm());
    for (const std::string &kind : kinds())
      for (unsigned site = 0;; ++site) {
        mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
        if (!mutate(*copy, kind, site))
          break;
        if (!chosen(hashBytes(part + kind + std::to_string(site)).prefix()))
          continue;
        ++suite.made;
        std::optional<Outcome> outcome = trial.run(kind, site);
        if (!outcome || !outcome->shown) {
          ++suite.silent;
          continue;
        }
        suite.shown.push_back(std::move(*outcome));
        suite.names.push_back(part);
      }
  };
  for (const std::string &each : files) {
    file = std::filesystem::path(each).filename().string(); // the choice must not depend on the folder
    tools::runTestFile(each, tier, /*limitSeconds=*/100000);
  }
  return suite;
}

} // namespace trisect::mutants
