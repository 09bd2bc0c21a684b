//===- Mutate.h - mistakes that a compiler could make ---------------------------------------------------===//
//
// What: changes a module at one place, as a mistaken lowering would. Why: how many mistakes a check finds is
// a number that can be measured. Limits: works on TTIR; a mistake of threads or of memory layout is none of
// these.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_MUTANTS_MUTATE_H
#define TRISECT_TESTS_MUTANTS_MUTATE_H

#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>
#include <vector>

namespace trisect::mutants {

/// The names of the kinds of mistakes.
std::vector<std::string> kinds();

/// A place where a mistake was made.
struct Place {
  unsigned op = 0; ///< its number in the order of a walk, outer operations first; in the body of a reduce,
                   ///< scan or map that of the operation around it
  std::string name;
};

/// Makes the mistake at the n-th place of a module where it can be made; nothing if there are fewer. What
/// only looks on (jit/locate) is no place and is not counted.
std::optional<Place> mutate(mlir::ModuleOp module, const std::string &kind, unsigned site);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MUTATE_H
