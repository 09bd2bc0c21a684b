//===- Elementwise.h - families of elementwise ops ------------------------------------------------------===//
//
// What: each family emits one element of the ops that it knows; null: not one of its own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_ELEMENTWISE_H
#define TRISECT_BACKENDS_CUDA_EMIT_ELEMENTWISE_H

#include "backends/cuda/emit/Emitter.h"

namespace trisect::cuda {

llvm::Value *emitIntegerOp(Emitter &e, mlir::Operation *op, OpId id, llvm::ArrayRef<llvm::Value *> operands);
llvm::Value *emitFloatOp(Emitter &e, mlir::Operation *op, OpId id, llvm::ArrayRef<llvm::Value *> operands);
/// Two elements of f16 an instruction; false where that cannot be.
bool emitHalfPairs(Emitter &e, mlir::Operation *op, OpId id, const Parts &x, const Parts &y, Parts &result);
/// On f32 and f64 alone.
llvm::Value *emitMathOp(Emitter &e, mlir::Operation *op, OpId id, llvm::ArrayRef<llvm::Value *> operands);

/// Ops that change the type of an element: they work on all parts, since machines convert pairs.
bool isConversion(OpId id);
Parts convertParts(Emitter &e, mlir::Operation *op, OpId id, const Parts &parts);

/// Between float formats; narrow floats are their bits.
void convertFloats(Emitter &e, llvm::MutableArrayRef<llvm::Value *> values, DType from, DType to,
                   Rounding rounding = Rounding::Nearest);
llvm::Value *convertFloat(Emitter &e, llvm::Value *value, DType from, DType to,
                          Rounding rounding = Rounding::Nearest);
/// The format in which arithmetic on `type` happens: f32, or f64.
DType computeType(DType type);

/// The function of libdevice for a name such as `expf`.
llvm::Value *callLibdevice(Emitter &e, const llvm::Twine &name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> operands);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_ELEMENTWISE_H
