//===- Judge.h - whether a compiled tier is right about a kernel ----------------------------------------===//
//
// What: runs a kernel in tier 0 and on a partner and compares every byte, as the cross-check of launches
// does: bits where the profile leaves nothing open, else bounds. Why: the fuzzer's kernels are defined, so
// that none of the excuses of the cross-check holds for them: what is not equal, within bounds or in doubt by
// its floats alone is a mistake, of a tier or of the generator. Limits: the programs run one after another.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_JUDGE_H
#define TRISECT_TESTS_FUZZ_KERNELS_JUDGE_H

#include "tests/fuzz/kernels/Case.h"
#include <memory>

namespace trisect {
class Target;
} // namespace trisect

namespace trisect::fuzz {

/// Who is compared with tier 0.
struct Partner {
  bool emulator = false;     ///< tier 2 in the emulator, else the CPU
  std::string arch = "host"; ///< of the CPU
  bool disjoint = true;      ///< the form that takes it that arguments do not overlap, if they do not
  unsigned warps = 4;        ///< of the emulator
  uint64_t order = 0;        ///< of its threads

  std::string describe() const;
};

enum class Ruling : uint8_t {
  Equal,
  Within,    ///< what differs is as right as tier 0's value
  Doubtful,  ///< all that differs depends on floats that are open
  Refused,   ///< the partner says that it cannot run it
  Different, ///< the partner is wrong
  Undefined, ///< tier 0 faults, or finds that the kernel has no one right answer: the generator is wrong
  Broken,    ///< InvalidInput or EngineError: someone is wrong
};
constexpr int numRulings = static_cast<int>(Ruling::Broken) + 1;
std::string_view rulingName(Ruling ruling);
constexpr bool isFailure(Ruling ruling) { return ruling >= Ruling::Different; }

struct Judgement {
  Ruling ruling = Ruling::Equal;
  std::string text;
};

class Judge {
public:
  /// `cpu` is the target that stands for the CPU: another one to plant mistakes.
  explicit Judge(Target &cpu);
  ~Judge();
  Judge(const Judge &) = delete;
  Judge &operator=(const Judge &) = delete;

  Judgement judge(const Case &kernel, const Partner &partner);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The CPUs of which this machine runs code.
std::vector<std::string> archs(Target &cpu);

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_JUDGE_H
