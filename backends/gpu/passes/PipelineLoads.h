//===- PipelineLoads.h - operands of products are copied ahead of their use -----------------------------===//
//
// What: a loop that loads blocks, stages them and multiplies them gets buffers of as many slots as it has
// stages. Iteration i waits for its own blocks, lets all threads meet once, starts the copies for iteration
// i + stages - 1, and multiplies. Why: the latency of global memory then lies beside the products.
// Limits: loops with a constant step that write no global memory, since copies run ahead of what stands
// before them; blocks that go from memory to a buffer as they are, at least 4 bytes an access, whose
// addresses and masks need nothing that the loop reads. Other loads stay where they are.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_PASSES_PIPELINELOADS_H
#define TRISECT_BACKENDS_GPU_PASSES_PIPELINELOADS_H

#include "core/ir/Ops.h"

namespace trisect::gpu {

/// `stages` is what a loop has that names none (tt.num_stages); fewer if they need more than `mostBytes`.
void pipelineLoads(tt::FuncOp kernel, int32_t stages, int64_t mostBytes);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_PASSES_PIPELINELOADS_H
