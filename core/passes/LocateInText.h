//===- LocateInText.h - positions in the text of a module -----------------------------------------------===//
//
// What: gives each operation of a module the place where the module's own text has it. Why: who reads a stage
// of a compilation wants to know which of its lines an address, a fault or a profile means (USE_IR_LOC).
// Limits: the positions in the source are lost.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_LOCATEINTEXT_H
#define TRISECT_CORE_PASSES_LOCATEINTEXT_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace trisect::tt {

/// The text, without positions, which is to be the content of `file`.
std::string locateInText(mlir::ModuleOp module, llvm::StringRef file);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_LOCATEINTEXT_H
