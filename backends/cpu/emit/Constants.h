//===- Constants.h - blocks of constants ----------------------------------------------------------------===//
//
// What: the elements of a constant block at positions that the code computes. Limits: few elements are chosen
// by compares, more are read from a table that lies in the kernel's object.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_CONSTANTS_H
#define TRISECT_BACKENDS_CPU_EMIT_CONSTANTS_H

#include "backends/cpu/emit/LaneValue.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace trisect::cpu {

/// `position` counts in row-major order and lies inside the block.
LaneValue constantAt(Code &code, mlir::DenseElementsAttr dense, mlir::Type element, const LaneValue &position,
                     unsigned lanes);

/// The address of bytes that lie in the kernel's object, as an integer; equal ones lie there once.
mlir::Value constantBytes(Code &code, llvm::StringRef bytes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_CONSTANTS_H
