//===- UseOrder.h - instructions where they are needed --------------------------------------------------===//
//
// What: within each block, brings what a load, an exchange or a store needs right before it. Why: the emitter
// works op by op, over all elements at a time. In that order what is done with the first load stands before
// the second one, and all elements' values are alive at once; the assembler, which starts from the order that
// it finds, then has one load under way where it could have several.
// Limits: what touches memory, exchanges or branches keeps its order, and what stands before the first load
// its place: moved behind it, it would make registers wait. Stores that follow each other share their
// computation's order where few words are loaded: there several elements at a time are faster.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_USEORDER_H
#define TRISECT_BACKENDS_CUDA_USEORDER_H

namespace llvm {
class Function;
}

namespace trisect::cuda {

void orderByUse(llvm::Function &function);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_USEORDER_H
