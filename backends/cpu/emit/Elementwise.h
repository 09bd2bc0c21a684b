//===- Elementwise.h - code of one elementwise op over one chunk ----------------------------------------===//
//
// What: the value of an elementwise TTIR op from the values of its operands, scalars and chunks alike; also
// runs the ops of a reduce or scan region. Limits: no memory. What C calls undefined (division by zero, large
// shifts) gives some value here, never a trap.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_ELEMENTWISE_H
#define TRISECT_BACKENDS_CPU_EMIT_ELEMENTWISE_H

#include "backends/cpu/emit/LaneValue.h"
#include "core/support/OpTable.h"

namespace trisect::cpu {

/// True if emitElementwise() has code for the op.
bool isElementwise(mlir::Operation *op);
/// `lanes` is the width of the chunk that Uniform and Strided operands stand for. Throws Unsupported.
LaneValue emitElementwise(Code &code, mlir::Operation *op, llvm::ArrayRef<LaneValue> operands,
                          unsigned lanes);

/// Reports an op that this tier has no code for, with its position.
[[noreturn]] void unsupported(mlir::Operation *op, const llvm::Twine &why = "");

/// Families of emitElementwise(); each returns nothing for ops that are not its own.
LaneValue emitIntegerOp(Code &code, mlir::Operation *op, OpId id, llvm::ArrayRef<LaneValue> operands,
                        unsigned lanes);
LaneValue emitFloatOp(Code &code, mlir::Operation *op, OpId id, llvm::ArrayRef<LaneValue> operands,
                      unsigned lanes);
LaneValue emitCast(Code &code, mlir::Operation *op, OpId id, llvm::ArrayRef<LaneValue> operands,
                   unsigned lanes);

/// The op on values of a float format, as they are emitted.
mlir::Value emitFloatArithmetic(Code &code, OpId id, mlir::Type format, llvm::ArrayRef<mlir::Value> operands);
/// The larger of two f32 vectors or numbers where NaN loses, or the smaller, by one instruction of a machine
/// that has it (Code::isWide). The first holds no signaling NaN; below eight lanes neither may (`bothQuiet`).
mlir::Value emitWideExtreme(Code &code, mlir::Value quiet, mlir::Value more, bool largest, bool bothQuiet);
/// The quotient of a vector of f32 and a scalar, with the bits of a division.
mlir::Value emitQuotient(Code &code, mlir::Value x, mlir::Value divisor);
/// A quotient, remainder, logic or the like of two integers.
mlir::Value emitIntegerBinary(Code &code, OpId id, mlir::Value a, mlir::Value b);
mlir::Value emitIntegerToFloat(Code &code, mlir::Value value, mlir::Type to, bool isSigned);
mlir::Value emitFloatToInteger(Code &code, mlir::Value value, mlir::Type from, mlir::Type to, bool isSigned);
/// Calls a function of cpu/runtime on all lanes; `result` is a scalar or vector type.
mlir::Value callRuntime(Code &code, llvm::StringRef symbol, mlir::Type result,
                        llvm::ArrayRef<mlir::Value> operands);
LaneValue emitExtern(Code &code, mlir::Operation *op, llvm::ArrayRef<LaneValue> operands, unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_ELEMENTWISE_H
