//===- AxisTransfer.h - axis facts of results from those of operands ------------------------------------===//
//
// What: one function a theme; each gives the facts of an operation's results, or nothing for operations of
// another theme. transferAxes() asks them all, and adds what hints on the operation say. Limits: all operands
// must have been reached; control flow is AxisAnalysis's part.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_AXISTRANSFER_H
#define TRISECT_CORE_ANALYSIS_AXISTRANSFER_H

#include "core/analysis/AxisInfo.h"
#include "mlir/IR/Operation.h"

namespace trisect::tt {

using AxisOperands = llvm::ArrayRef<const AxisInfo *>;

/// Facts of one result of any operation.
AxisInfo transferAxes(mlir::OpResult result, AxisOperands operands);
/// Raises facts to what hint attributes (tt.divisibility, tt.contiguity, tt.constancy) say.
void applyAxisHints(AxisInfo &info, mlir::Type type, mlir::DictionaryAttr attributes);

/// Integer arithmetic, comparisons, selects and conversions.
std::optional<AxisInfo> transferArith(mlir::OpResult result, AxisOperands operands);
/// Ranges, splats, broadcasts and other ways to place elements; constants.
std::optional<AxisInfo> transferShape(mlir::OpResult result, AxisOperands operands);
/// Pointer arithmetic, block pointers, loads.
std::optional<AxisInfo> transferPointer(mlir::OpResult result, AxisOperands operands);

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_AXISTRANSFER_H
