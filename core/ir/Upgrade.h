//===- Upgrade.h - from any release's spelling to the one that the rest of Trisect knows ----------------===//
//
// What: replaces what single releases spell in a way of their own: legacy operations (LegacyOps.td), cache
// policies, boolean flags, prints without signs, scaled products of bytes, unsigned loops. Why: passes, tiers
// and tests meet one form of each thing. Limits: runs before verification, on modules that only the parser
// has seen.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_UPGRADE_H
#define TRISECT_CORE_IR_UPGRADE_H

#include "mlir/IR/BuiltinOps.h"

namespace trisect::tt {

/// Failure (with a diagnostic) if a legacy operation breaks a rule of its own.
mlir::LogicalResult upgradeModule(mlir::ModuleOp module);

/// Text leaves some locations out even when it has others: those of loop arguments and of empty scf.yield.
/// The parser invents a position in the text (`name`); this gives them the location of the loop or if.
void settleImpliedLocations(mlir::ModuleOp module, llvm::StringRef name);

/// f8E4M3FNUZ becomes f8E4M3FN, constants by value: for text of 3.0 and 3.1 known to come from cuda, where
/// the type was misspelled.
void replaceFnuzByFn(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_UPGRADE_H
