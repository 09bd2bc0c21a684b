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
#include <string>
#include <vector>

namespace trisect::mutants {

/// The names of the kinds of mistakes.
std::vector<std::string> kinds();

/// Makes the mistake at the n-th place of a module where it can be made; false if there are fewer.
bool mutate(mlir::ModuleOp module, const std::string &kind, unsigned site);

} // namespace trisect::mutants

#endif // TRISECT_TESTS_MUTANTS_MUTATE_H
