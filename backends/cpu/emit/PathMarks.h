//===- PathMarks.h - the ways through compiled code get numbers -----------------------------------------===//
//
// What: an emitter that makes a choice between two versions of the same work, or follows a branch of the
// kernel, marks it; once a kernel is emitted, each side of a mark gets a number (Artifact::paths) and asks at
// its beginning whether it may be taken (PathQuestions.h). A mark that is decided by the same values as one
// that every program comes by before it is the same path, and is not asked about again. Why: marks need
// nothing of who emits; a byte that is read where a path begins costs next to nothing. Limits: mostPaths of a
// kernel; those behind are not asked about.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_PATHMARKS_H
#define TRISECT_BACKENDS_CPU_EMIT_PATHMARKS_H

#include "backends/cpu/orc/Machine.h"
#include "backends/target/Artifact.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace trisect::cpu {

/// Marks a choice; what each side is for, in words. A side that is not there has no path.
void markPaths(mlir::scf::IfOp choice, llvm::StringRef yes, llvm::StringRef no);
/// Marks a loop that is one of two ways to do its work: a path that is taken where the loop has a round.
void markPath(mlir::scf::ForOp loop, llvm::StringRef purpose);

/// Marks a byte that is not 0 where its launch is to go the first way.
void markPaths(mlir::LLVM::LoadOp flag, llvm::StringRef on, llvm::StringRef off);

/// Numbers the marks of all functions of a lowered module, in their order; `program` runs one program.
/// `keeps`: what a program writes before it comes to one is worth keeping (KeepMarks.h).
std::vector<Path> numberPaths(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp program, const Machine &machine,
                              bool keeps);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_PATHMARKS_H
