//===- SimplerForms.h - simpler forms of operations, for shrinking --------------------------------------===//
//
// What: patterns by which an operation becomes its operand, zero or nothing.
// Limits: they change what a module computes; only whoever shrinks knows whether that matters.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_SIMPLERFORMS_H
#define TRISECT_CORE_PASSES_SIMPLERFORMS_H

namespace mlir {
class RewritePatternSet;
}

namespace trisect::tt {

/// `erase`: operations that nobody needs go too.
void addSimplerForms(mlir::RewritePatternSet &patterns, bool erase);

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_SIMPLERFORMS_H
