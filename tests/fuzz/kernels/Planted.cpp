//===- Planted.cpp - a mistaken target and its kernels --------------------------------------------------===//
#include "tests/fuzz/kernels/Planted.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/mutants/MutantTarget.h"
#include "tests/mutants/Mutate.h"

namespace trisect::fuzz {

Hunt hunt(Target &cpu, const std::string &kind, uint64_t first, uint64_t most) {
  mutants::MutantTarget mistaken(cpu);
  unsigned site = 0;
  bool applied = false;
  mistaken.mistake = [&](mlir::ModuleOp module) {
    applied |= mutants::mutate(module, kind, site).has_value();
  };
  Judge judge(mistaken);
  Hunt hunt;
  for (; hunt.kernels < most && !hunt.found; ++hunt.kernels) {
    site = static_cast<unsigned>(hunt.kernels % 3);
    applied = false;
    Judgement judgement = judge.judge(kernelOf(first + hunt.kernels), {});
    hunt.planted += applied;
    hunt.found = applied && isFailure(judgement.ruling);
  }
  return hunt;
}

} // namespace trisect::fuzz
