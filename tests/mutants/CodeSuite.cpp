//===- CodeSuite.cpp - every run, kind and place --------------------------------------------------------===//
#include "tests/mutants/CodeSuite.h"
#include "core/support/Hash.h"
#include "jit/tools/EmulatedTier.h"
#include "tests/mutants/MutateCode.h"
#include <cstdio>
#include <filesystem>

namespace trisect::mutants {

namespace {
constexpr double limitSeconds = 20;

class CodeRun {
public:
  CodeRun(const std::function<bool(uint64_t)> &chosen, unsigned seeds) : chosen(chosen), seeds(seeds) {}
  CodeSuite suite;

  void file(const std::filesystem::path &path) {
    for (const tools::TestPart &part : tools::readTestFile(path)) {
      if (!part.isFor("cuda") || part.refused.contains("cuda"))
        continue;
      for (const tools::TestRun &run : part.runs) {
        tools::TestPart alone = part;
        alone.runs = {run};
        // the choice must not depend on the folder
        name = path.filename().string() + ", line " + std::to_string(run.line);
        if (!run.settings.sanitizedAlone())
          mistakes(alone);
      }
    }
  }

private:
  tools::CaseResult go(const tools::TestPart &part, unsigned orders, cuda::CodeChange change) const {
    return tools::runTestPart(part, tools::emulatedTier(orders, /*warps=*/4, std::move(change)),
                              limitSeconds);
  }

  void mistakes(const tools::TestPart &part) {
    std::map<std::string, std::vector<Place>> places;
    tools::CaseResult right = go(part, 0, [&](llvm::Module &code, const cuda::Machine &machine) {
      for (const std::string &kind : codeKinds())
        places[kind] = codePlaces(code, machine, kind);
    });
    ++suite.runs;
    if (right.verdict == tools::Verdict::Failed)
      suite.wrong.push_back(name + ": " + right.message);
    if (right.verdict != tools::Verdict::Passed)
      return;
    for (const auto &[kind, all] : places)
      for (unsigned site = 0; site < all.size(); ++site)
        if (chosen(hashBytes(name + kind + std::to_string(site)).prefix()))
          one(part, all[site], site);
  }

  void one(const tools::TestPart &part, const Place &place, unsigned site) {
    CodeCount &count = suite.kinds[place.name];
    ++count.made;
    auto runs = [&](unsigned orders, Mistake mistake) {
      return go(part, orders, [&](llvm::Module &code, const cuda::Machine &machine) {
        mutateCode(code, machine, place.name, site, mistake);
      });
    };
    if (runs(seeds, Mistake::LeftOut).verdict == tools::Verdict::Failed)
      ++count.found;
    else if (mayBeIdle(place.name) && runs(0, Mistake::Wild).verdict == tools::Verdict::Passed)
      ++count.idle;
    else
      suite.missed.push_back(name + ": " + place.name + " " + std::to_string(site) + ", source line " +
                             std::to_string(place.op));
  }

  const std::function<bool(uint64_t)> &chosen;
  unsigned seeds;
  std::string name; ///< of the run at hand
};
} // namespace

CodeCount CodeSuite::total() const {
  CodeCount all;
  for (const auto &[kind, count] : kinds) {
    all.made += count.made;
    all.found += count.found;
    all.idle += count.idle;
  }
  return all;
}

CodeSuite runCodeSuite(const std::vector<std::string> &files, const std::function<bool(uint64_t)> &chosen,
                       unsigned seeds, bool progress) {
  CodeRun run(chosen, seeds);
  for (const std::string &each : files) {
    run.file(each);
    CodeCount all = run.suite.total();
    if (progress)
      std::fprintf(stderr, "%s: %d mistakes so far, %d found, %d idle\n", each.c_str(), all.made, all.found,
                   all.idle);
  }
  return std::move(run.suite);
}

} // namespace trisect::mutants
