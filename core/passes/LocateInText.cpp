//===- LocateInText.cpp - positions in the text of a module ---------------------------------------------===//
#include "core/passes/LocateInText.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/LocationSnapshot.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect::tt {

std::string locateInText(mlir::ModuleOp module, llvm::StringRef file) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::generateLocationsFromIR(stream, file, module, mlir::OpPrintingFlags());
  return text;
}

} // namespace trisect::tt
