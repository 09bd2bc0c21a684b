//===- KeepMarks.h - what is written over is kept before ------------------------------------------------===//
//
// What: before each store of a lowered module the hook is asked whether old bytes are kept
// (AssertHook::keeps) and, if so, called. Why: a program that ends before a path which was never compared
// leaves nothing behind (backends/cpu/launch/OldBytes.h). Limits: stores as Effects finds them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_KEEPMARKS_H
#define TRISECT_BACKENDS_CPU_EMIT_KEEPMARKS_H

#include "backends/cpu/plan/Pointers.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace trisect::cpu {

/// Whether programs of the kernel may find what others of the launch wrote, arguments that share memory left
/// aside: such a launch cannot begin again.
bool readsWhatItWrites(tt::FuncOp kernel, Pointers &pointers);

/// `program` runs one program of the grid.
void keepBefore(llvm::ArrayRef<mlir::Operation *> stores, mlir::LLVM::LLVMFuncOp program);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_KEEPMARKS_H
