//===- Planted.cpp - a mistaken target and its kernels --------------------------------------------------===//
#include "tests/fuzz/kernels/Planted.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/mutants/MutantTarget.h"

namespace trisect::fuzz {

Hunt hunt(Target &cpu, const std::string &kind, uint64_t first, uint64_t most) {
  mutants::MutantTarget mistaken(cpu);
  mistaken.kind = kind;
  Judge judge(mistaken);
  Hunt hunt;
  for (; hunt.kernels < most && !hunt.found; ++hunt.kernels) {
    mistaken.site = static_cast<unsigned>(hunt.kernels % 3);
    mistaken.applied = false;
    Judgement judgement = judge.judge(kernelOf(first + hunt.kernels), {});
    hunt.planted += mistaken.applied;
    hunt.found = mistaken.applied && isFailure(judgement.ruling);
  }
  return hunt;
}

} // namespace trisect::fuzz
