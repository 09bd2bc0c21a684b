//===- ReductionPatterns.h - simpler forms of operations, for shrinking ---------------------------------===//
//
// What: the patterns that the reduction tree of trisect-reduce tries besides erasing operations.
// Limits: they change what a module computes; only the script of the reduction says whether that matters.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_REDUCTIONPATTERNS_H
#define TRISECT_CORE_TOOLS_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
}

namespace trisect::tt {

void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace trisect::tt

#endif // TRISECT_CORE_TOOLS_REDUCTIONPATTERNS_H
