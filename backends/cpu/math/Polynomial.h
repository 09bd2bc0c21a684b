//===- Polynomial.h - vector code for transcendental functions ------------------------------------------===//
//
// What: exp, exp2, log, log2, sin, cos, tanh, erf and powers of f32 scalars or vectors as straight code;
// everything else, and f64, as calls of the C library lane by lane. Why: LLVM turns a 16-lane exponential
// into scalar calls, ten times slower. Limits: the polynomials are within 2.2 ULP over the whole range,
// subnormals, infinities and NaN included. No number here comes from interp/: the tiers must not share
// mistakes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H
#define TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H

#include "backends/cpu/emit/Code.h"
#include "core/support/OpTable.h"

namespace trisect::cpu {

mlir::Value emitExp(Code &code, mlir::Value x);
mlir::Value emitExp2(Code &code, mlir::Value x);
mlir::Value emitLog(Code &code, mlir::Value x);
mlir::Value emitLog2(Code &code, mlir::Value x);
mlir::Value emitSin(Code &code, mlir::Value x);
mlir::Value emitCos(Code &code, mlir::Value x);
mlir::Value emitTanh(Code &code, mlir::Value x);
mlir::Value emitErf(Code &code, mlir::Value x);
mlir::Value emitPow(Code &code, mlir::Value x, mlir::Value y);

/// Calls the C library's function of the operands' format, `name` or `name` + `f`, for each lane.
mlir::Value callLibm(Code &code, llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);

/// The function of a `math` op on f32 or f64 values, or null if the op is none.
mlir::Value emitMathFunction(Code &code, OpId op, llvm::ArrayRef<mlir::Value> operands);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_MATH_POLYNOMIAL_H
