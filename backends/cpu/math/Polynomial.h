//===- Polynomial.h - vector code for transcendental functions ------------------------------------------===//
//
// What: the functions of f32 scalars or vectors as straight code, step by step as docs/functions.md fixes
// them, so that tier 0, which takes the same steps in code of its own, gives the same bits; f64 as calls of
// the C library lane by lane, as in tier 0. Why: LLVM turns a 16-lane exponential into scalar calls, ten
// times slower. Limits: the bounds of docs/numerics.md hold over the whole range, subnormals, infinities and
// NaN included.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H
#define TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H

#include "backends/cpu/emit/Code.h"
#include "core/support/OpTable.h"

namespace trisect::cpu {

mlir::Value emitExp(Code &code, mlir::Value x);
mlir::Value emitExp2(Code &code, mlir::Value x);
/// The same bits for operands that are known to be at most zero, or NaN, in fewer steps.
mlir::Value emitExpBelow(Code &code, mlir::Value x);
mlir::Value emitExp2Below(Code &code, mlir::Value x);
/// The same bits for operands that are known to lie within 100 of zero, and for NaN, in fewer steps.
mlir::Value emitSmallExp2(Code &code, mlir::Value x);
mlir::Value emitLog(Code &code, mlir::Value x);
mlir::Value emitLog2(Code &code, mlir::Value x);
mlir::Value emitSin(Code &code, mlir::Value x);
mlir::Value emitCos(Code &code, mlir::Value x);
mlir::Value emitTan(Code &code, mlir::Value x);
mlir::Value emitAsin(Code &code, mlir::Value x);
mlir::Value emitAcos(Code &code, mlir::Value x);
mlir::Value emitAtan(Code &code, mlir::Value x);
mlir::Value emitAtan2(Code &code, mlir::Value y, mlir::Value x);
mlir::Value emitExpm1(Code &code, mlir::Value x);
mlir::Value emitLog10(Code &code, mlir::Value x);
mlir::Value emitLog1p(Code &code, mlir::Value x);
mlir::Value emitSinh(Code &code, mlir::Value x);
mlir::Value emitCosh(Code &code, mlir::Value x);
mlir::Value emitAsinh(Code &code, mlir::Value x);
mlir::Value emitAcosh(Code &code, mlir::Value x);
mlir::Value emitAtanh(Code &code, mlir::Value x);
mlir::Value emitTanh(Code &code, mlir::Value x);
mlir::Value emitErf(Code &code, mlir::Value x);
mlir::Value emitPow(Code &code, mlir::Value x, mlir::Value y);
mlir::Value emitCbrt(Code &code, mlir::Value x);
/// Of f32 or f64.
mlir::Value emitRsqrt(Code &code, mlir::Value x);
/// Of f64.
mlir::Value emitWideCbrt(Code &code, mlir::Value x);

/// Calls the C library's function of the operands' format, `name` or `name` + `f`, for each lane.
mlir::Value callLibm(Code &code, llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);

/// The function of a `math` op on f32 or f64 values, or null if the op is none.
mlir::Value emitMathFunction(Code &code, OpId op, llvm::ArrayRef<mlir::Value> operands);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H
