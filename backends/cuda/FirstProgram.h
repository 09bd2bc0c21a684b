//===- FirstProgram.h - what the first program adds comes last ------------------------------------------===//
//
// What: (block + first) * size + place, as in kernels over one long array, becomes block * size + place +
// first * size, where the numbers are used for nothing else. Why: from the sum the assembler makes one of the
// unit for uniform values, waits for it, and reads the first program's number late, after everything else;
// measured on an H200, that is 30 of the 4,300 ns of a small vector add. Limits: a size that is a power of
// two, one place; LLVM's own passes would take it back, so it comes after them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_FIRSTPROGRAM_H
#define TRISECT_BACKENDS_CUDA_FIRSTPROGRAM_H

namespace llvm {
class Function;
}

namespace trisect::cuda {

void addFirstProgramLast(llvm::Function &function);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_FIRSTPROGRAM_H
