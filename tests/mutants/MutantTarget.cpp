//===- MutantTarget.cpp - compiles a copy that was changed ----------------------------------------------===//
#include "tests/mutants/MutantTarget.h"
#include "mlir/IR/OwningOpRef.h"
#include "tests/mutants/Mutate.h"

namespace trisect::mutants {

Artifact MutantTarget::compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                               Form form) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  applied |= mutate(*copy, kind, site);
  return right.compile(*copy, kernel, options, form);
}

} // namespace trisect::mutants
