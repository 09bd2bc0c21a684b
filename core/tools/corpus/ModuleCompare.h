//===- ModuleCompare.h - do two modules say the same? ---------------------------------------------------===//
//
// What: compares two modules of one context op by op: names, attributes, types, operands, successors,
// locations. Why not OperationEquivalence: it calls some equal modules different, and never says where.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_CORPUS_MODULECOMPARE_H
#define TRISECT_CORE_TOOLS_CORPUS_MODULECOMPARE_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace trisect::corpus {

enum class Locations {
  All,
  /// Not those that the custom form of scf.for, scf.while and scf.yield has no place for.
  InCustomForm,
};

/// Nothing if they are equal, else a sentence about the first operation that differs.
std::optional<std::string> firstDifference(mlir::Operation *before, mlir::Operation *after,
                                           Locations locations);

} // namespace trisect::corpus

#endif // TRISECT_CORE_TOOLS_CORPUS_MODULECOMPARE_H
