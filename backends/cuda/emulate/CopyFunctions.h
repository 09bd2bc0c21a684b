//===- CopyFunctions.h - copies under way, and matrices, of emulated code -------------------------------===//
//
// What: what code calls to copy to shared memory beside other work, and to read matrices from it. A copy's
// place holds a pattern from its start until its thread has waited for it, which is as late as the machine
// may bring it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_COPYFUNCTIONS_H
#define TRISECT_BACKENDS_CUDA_EMULATE_COPYFUNCTIONS_H

#include <cstdint>

namespace trisect::cuda {

void copyToShared(void *context, uint32_t shared, uint64_t address, uint32_t bytes, uint32_t active,
                  uint32_t mine);
void commitCopies(void *context);
void waitForCopies(void *context, uint32_t pending);
/// `words`: one for each matrix.
void loadMatrices(void *context, uint32_t site, uint32_t address, uint32_t count, uint32_t transposed,
                  uint32_t *words);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_COPYFUNCTIONS_H
