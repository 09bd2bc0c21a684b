//===- CheckTiles.h - whether tile IR keeps its rules ---------------------------------------------------===//
//
// What: every tensor has a layout of its shape, no operation moves anything between threads but those that
// say so, values that stand for one another have one type, buffers and scratch lie within the memory and
// apart. Why: emitters rely on it; a pass that breaks it is found here and not in a wrong number.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_CHECKTILES_H
#define TRISECT_BACKENDS_GPU_PASSES_CHECKTILES_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

/// Throws EngineError.
void checkTiles(tt::FuncOp kernel);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_CHECKTILES_H
