//===- Extremes.h - the greatest and the least of f32 without AVX-512 -----------------------------------===//
//
// What: maxnumf and minnumf over a row, where -0 lies below +0 and NaN loses, take six instructions a
// register without the one that AVX-512 has for it. But an extreme is the same in any order: the machine's
// own maximum goes over the row, blind to the sign of zeros, and two registers more keep what it cannot tell:
// whether a zero with the sign that wins was there, and whether there was any number at all.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_EXTREMES_H
#define TRISECT_BACKENDS_CPU_EMIT_EXTREMES_H

#include "backends/cpu/emit/Reduction.h"

namespace trisect::cpu {

/// Whether a reduction is one of these, on vectors of so many lanes.
bool isPlainExtreme(Code &code, tt::ReduceOp op, unsigned lanes);
/// Accumulators for each chunk; the first one's have what is kept beside.
llvm::SmallVector<Parts> startExtremes(Code &code, tt::ReduceOp op, unsigned lanes, unsigned chunks);
void joinExtreme(Code &code, tt::ReduceOp op, llvm::SmallVector<Parts> &accumulators, unsigned chunk,
                 mlir::Value more);
mlir::Value finishExtremes(Code &code, tt::ReduceOp op, const llvm::SmallVector<Parts> &accumulators);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_EXTREMES_H
