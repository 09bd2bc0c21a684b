//===- AtomicResult.h - what a read-modify-write leaves -------------------------------------------------===//
//
// What: the value that an atomic puts in the place of an old one, of one element or of some lanes, as bits.
// How memory is changed is another matter (Atomics.cpp, PlainAtomics.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_ATOMICRESULT_H
#define TRISECT_BACKENDS_CPU_EMIT_ATOMICRESULT_H

#include "backends/cpu/emit/Code.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace trisect::cpu {

/// The machine's operation; nothing for a float sum.
std::optional<mlir::LLVM::AtomicBinOp> machineKind(tt::RmwKind kind);
/// The bits of a value as integers.
mlir::Value asInteger(Code &code, mlir::Value value);
/// What an atomic leaves of `old`, bits as well.
mlir::Value freshBits(Code &code, std::optional<mlir::LLVM::AtomicBinOp> kind, mlir::Value old,
                      mlir::Value value, mlir::Type element);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_ATOMICRESULT_H
