//===- Locations.h - from MLIR locations to positions in source -----------------------------------------===//
#ifndef TRISECT_CORE_IR_LOCATIONS_H
#define TRISECT_CORE_IR_LOCATIONS_H

#include "core/support/Outcome.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"

namespace trisect::tt {

/// Where a location points: through names, the callee of a call site, the first known part of a fusion.
/// Unknown if nothing names a file.
SourcePosition positionOf(mlir::Location location);

/// Throws InvalidInput that names the first operation or block argument without a known position.
void requireLocations(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_LOCATIONS_H
