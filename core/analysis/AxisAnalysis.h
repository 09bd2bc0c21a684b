//===- AxisAnalysis.h - axis facts of every value of a module -------------------------------------------===//
//
// What: solves for the axis facts (AxisInfo.h) of all values, through loops, branches and calls, starting
// from the hints on function arguments. How: MLIR's sparse data flow, from "not reached" towards "unknown";
// arguments of private functions join what their callers pass. Limits: facts are those of the module when
// they were asked for; a change of it makes them stale. Values that cannot be reached are unknown.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_AXISANALYSIS_H
#define TRISECT_CORE_ANALYSIS_AXISANALYSIS_H

#include "core/analysis/AxisInfo.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Operation.h"

namespace trisect::tt {

class AxisFacts {
public:
  /// Analyses everything within `root`, a module or a function.
  explicit AxisFacts(mlir::Operation *root);
  AxisInfo of(mlir::Value value) const;

private:
  mlir::DataFlowSolver solver;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_AXISANALYSIS_H
