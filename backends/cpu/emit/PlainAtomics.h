//===- PlainAtomics.h - atomics of a launch that is alone -----------------------------------------------===//
//
// What: a read-modify-write whose old values nothing asks for, as a load, an operation and a store, for a
// launch on one thread beside which no other one has atomics (core/support/AtomicsGate.h); the launch tells
// by AssertHook::plainAtomics. Why: locked instructions make a scatter of sums four times slower than
// additions. Whatever the order that the operation names, nobody is there to see another one. Limits: scope
// `sys` stays locked, as do loops that wait and what no argument of the kernel leads to; memory that is
// shared with other processes is told by the launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_PLAINATOMICS_H
#define TRISECT_BACKENDS_CPU_EMIT_PLAINATOMICS_H

#include "backends/cpu/emit/KernelState.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

/// Emits both forms and the choice between them; `locked` emits the other one. Its operands can be evaluated.
void emitUpdate(KernelState &state, tt::AtomicRMWOp op, llvm::function_ref<void()> locked);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_PLAINATOMICS_H
