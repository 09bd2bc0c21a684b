//===- Versions.h - code that exists more than once, by what the masks say ------------------------------===//
//
// What: whether all masks of a group are on, asked before its loops, and code for each answer, on a path of
// its own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_VERSIONS_H
#define TRISECT_BACKENDS_CPU_EMIT_VERSIONS_H

#include "backends/cpu/emit/Groups.h"
#include "backends/cpu/emit/Widenings.h"

namespace trisect::cpu {

/// True if all masks of the group are; null if that cannot be told before the loops.
mlir::Value allMasksOn(KernelState &state, const Group &group, bool &anyMask);

/// Code for both values of a condition; for one of them if that is known, or if there is no condition (true).
/// What each is for stands in `paths`.
llvm::SmallVector<mlir::Value> either(Code code, mlir::Value condition, mlir::TypeRange types,
                                      std::pair<llvm::StringRef, llvm::StringRef> paths,
                                      llvm::function_ref<llvm::SmallVector<mlir::Value>(bool)> body);

/// Calls `body` for each way to emit the group: whether all lanes of its loads and stores are on, and the
/// widenings whose lanes do not wrap; each call emits it once, on a path of its own.
void emitVersions(KernelState &state, const Group &group,
                  llvm::function_ref<void(bool allOn, const OpSet &steady)> body);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_VERSIONS_H
