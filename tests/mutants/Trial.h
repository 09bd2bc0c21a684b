//===- Trial.h - one mistake, and whether the cross-check finds it --------------------------------------===//
//
// What: takes one launch of a run test, makes a mistake in what its kernel is compiled from, and tells
// whether the mistake changes a byte beyond what the profile leaves open, by what it is found, whether the
// operation is named and whether the bundle can be run again. Limits: each program alone decides what is
// open.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_TRIAL_H
#define TRISECT_TESTS_MUTANTS_TRIAL_H

#include "interp/tools/RunTest.h"
#include "jit/kernel/Kernel.h"
#include "tests/mutants/MappedMemory.h"
#include "tests/mutants/Mutate.h"
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trisect::mutants {

struct Outcome {
  std::string kind;
  unsigned site = 0;
  Place place;
  bool shown = false;                                 ///< it changes a byte beyond what is open
  bool full = false, always = false, promote = false; ///< found by
  bool sameOp = false;                                ///< the report names the operation with the mistake
  bool bundled = false, replayed = false;
  std::string said; ///< the event's sentence, or why nothing was found
};

class Trial {
public:
  Trial(mlir::ModuleOp module, const std::string &kernelName, const std::vector<tools::Argument> &arguments,
        Grid grid, std::filesystem::path bundles, bool keep);
  /// Why there is nothing to try; empty if there is.
  const std::string &skipped() const { return skip; }
  /// What the compiled form without a mistake is taken for; empty: it agrees.
  const std::string &falseAlarm() const { return alarm; }
  /// Nothing if the kernel has no such place.
  std::optional<Outcome> run(const std::string &kind, unsigned site);

private:
  using Bytes = std::vector<std::vector<uint8_t>>;
  struct Result {
    Bytes bytes;
    bool faulted = false;
  };
  template <class Launch> Result onCopies(Launch launch);
  Result compiled();
  bool showsBeyond(const Result &mutant);
  bool foundByAll();
  void launches(const char *check, int times, Outcome &outcome, bool &found);
  void replay(const std::string &sentence, Outcome &outcome) const;

  mlir::ModuleOp module;
  std::shared_ptr<const jit::Kernel> kernel;
  const std::vector<tools::Argument> &arguments;
  Grid grid;
  std::filesystem::path bundles;
  bool keep; ///< bundles stay
  MappedMemory memory;
  Result reference, right;
  std::string skip, alarm;
};

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_TRIAL_H
