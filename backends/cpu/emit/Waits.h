//===- Waits.h - code of loops that may wait for another program ----------------------------------------===//
//
// What: calls WaitHook::pause at the end of each pass of such a loop, with what it carries on, and marks in
// the hook what the program does meanwhile that may end a wait, its own or another program's.
// Why: a program whose pass changed nothing comes no nearer to its end until another one changes memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_WAITS_H
#define TRISECT_BACKENDS_CPU_EMIT_WAITS_H

#include "backends/cpu/emit/KernelState.h"
#include "backends/cpu/emit/LaneValue.h"
#include "backends/cpu/emit/Memory.h"

namespace trisect::cpu {

struct Wait {
  int64_t place = 0;
  mlir::Value coming;  ///< which time the program comes to this loop
  int64_t carried = 0; ///< where in the scratch memory pause() finds what the next pass gets
};

/// Before a loop: `reads` is what it waits by, `scalars` how many it carries, `blocks` whether it carries
/// blocks too.
Wait beginWait(KernelState &state, mlir::Operation *loop, mlir::Operation *reads, size_t scalars,
               bool blocks);
/// At the end of a pass, whose scalars are those of the next one.
void pause(KernelState &state, const Wait &wait, mlir::ValueRange scalars);

/// Inside of such a loop: marks that the program got on if `condition` holds; without one, it does. Nothing
/// elsewhere.
void markChanged(KernelState &state, mlir::Value condition = {});
/// Marks it if a store is going to change memory.
void markStore(KernelState &state, const LaneValue &address, const LaneValue &value, mlir::Type element,
               const LaneValue &mask, unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_WAITS_H
