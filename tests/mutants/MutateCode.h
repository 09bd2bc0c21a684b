//===- MutateCode.h - mistakes of threads ---------------------------------------------------------------===//
//
// What: leaves out one barrier, predicate, wait or conversion of what was emitted for the emulated machine.
// Why: whether the emulator finds what a GPU leaves to chance is a number that can be measured. Limits: of a
// conversion that only renames registers nothing is left out.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_MUTATECODE_H
#define TRISECT_TESTS_MUTANTS_MUTATECODE_H

#include "backends/cuda/emit/Machine.h"
#include "tests/mutants/Mutate.h"

namespace trisect::mutants {

/// The names of the kinds of mistakes that codePlaces() and mutateCode() know.
std::vector<std::string> codeKinds();

/// The places of a kind; `op` of a place is the line of the source.
std::vector<Place> codePlaces(llvm::Module &code, const cuda::Machine &machine, const std::string &kind);

/// Whether what a kind leaves out may do nothing in a run: no thread comes there, or its predicate is true.
bool mayBeIdle(const std::string &kind);

enum class Mistake : uint8_t {
  LeftOut,
  Wild, ///< what the place does cannot be missed, so that its not doing anything is seen
};

/// Makes the mistake at one of the places.
void mutateCode(llvm::Module &code, const cuda::Machine &machine, const std::string &kind, unsigned site,
                Mistake mistake = Mistake::LeftOut);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MUTATECODE_H
