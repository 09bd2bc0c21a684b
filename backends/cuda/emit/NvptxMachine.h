//===- NvptxMachine.h - NVIDIA GPUs ---------------------------------------------------------------------===//
//
// What: the machine that PTX is made for. Why so much inline assembly: LLVM 19 drops the order of atomics,
// breaks masked vector accesses into branches and has no intrinsic for narrow floats.
// Limits: shared memory is addressed by 32-bit numbers throughout, so that no option of the whole process
// (nvptx-short-ptr) is needed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_NVPTXMACHINE_H
#define TRISECT_BACKENDS_CUDA_EMIT_NVPTXMACHINE_H

#include "backends/cuda/emit/Machine.h"

namespace trisect::cuda {

class NvptxMachine final : public Machine {
public:
  /// `capability` as in sm_90: 90.
  NvptxMachine(llvm::IRBuilder<> &builder, llvm::Module &module, unsigned capability)
      : Machine(builder, module), capability(capability) {}

  Frame openFrame(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters,
                  const FrameOptions &options) override;
  llvm::Value *threadId() override;
  llvm::Value *blockId(unsigned axis) override;
  llvm::Value *sharedBase() override;
  llvm::Value *uniform(llvm::Value *value) override;

  Words loadGlobal(llvm::Value *address, unsigned wordBits, unsigned count, llvm::Value *predicate,
                   llvm::ArrayRef<llvm::Value *> other, const CacheWords &cache) override;
  void storeGlobal(llvm::Value *address, llvm::ArrayRef<llvm::Value *> words, llvm::Value *predicate,
                   const CacheWords &cache) override;
  llvm::Value *atomicRmw(AtomicKind kind, DType type, llvm::Value *address, llvm::Value *value,
                         llvm::Value *predicate, Ordering ordering) override;
  llvm::Value *atomicCas(llvm::Value *address, llvm::Value *expected, llvm::Value *desired,
                         llvm::Value *predicate, Ordering ordering) override;
  llvm::Value *atomicLoad(llvm::Value *address, unsigned wordBits, llvm::Value *predicate,
                          Ordering ordering) override;
  void atomicStore(llvm::Value *address, llvm::Value *value, llvm::Value *predicate,
                   Ordering ordering) override;
  bool hasAtomic(AtomicKind kind, DType type) const override;
  void fence(Ordering ordering) override;

  Words loadShared(llvm::Value *address, unsigned wordBits, unsigned count, llvm::Value *predicate) override;
  void storeShared(llvm::Value *address, llvm::ArrayRef<llvm::Value *> words,
                   llvm::Value *predicate) override;
  void copyToShared(llvm::Value *shared, llvm::Value *address, unsigned bytes, llvm::Value *predicate,
                    llvm::Value *mine, const CacheWords &cache) override;
  void commitCopies() override;
  void waitForCopies(unsigned pending) override;
  Words loadMatrices(llvm::Value *address, unsigned count, bool transposed) override;
  void atomicAddShared(llvm::Value *address, llvm::Value *value, llvm::Value *predicate) override;

  void barrier() override;
  void barrierIf(llvm::Value *condition) override;
  Touch touchOf(const llvm::Instruction &instruction) const override;
  llvm::Value *anyInBlock(llvm::Value *bit) override;
  void warpBarrier() override;
  void pause(unsigned nanoseconds) override;
  llvm::Value *shuffle(Shuffle kind, llvm::Value *word32, llvm::Value *operand) override;
  Words mma(MmaKind kind, llvm::ArrayRef<llvm::Value *> a, llvm::ArrayRef<llvm::Value *> b,
            llvm::ArrayRef<llvm::Value *> c) override;

  llvm::Value *approximate(Approximation what, llvm::Value *x, llvm::Value *y) override;
  llvm::Value *extreme(llvm::Value *x, llvm::Value *y, bool largest, bool nanWins) override;
  llvm::Value *fuse(DType type, llvm::Value *x, llvm::Value *y, llvm::Value *z) override;
  llvm::Value *sqrt(llvm::Value *x) override;
  llvm::Value *divide(llvm::Value *x, llvm::Value *y) override;
  bool convertFloats(llvm::MutableArrayRef<llvm::Value *> values, DType from, DType to,
                     Rounding rounding) override;
  llvm::Value *toInteger(llvm::Value *value, unsigned bits, bool isSigned) override;

  llvm::Value *assembly(llvm::StringRef text, llvm::StringRef constraints, llvm::Type *result,
                        llvm::ArrayRef<llvm::Value *> operands, bool pure) override;
  llvm::Value *nanoseconds() override;
  void exitThread() override;
  void dependencyWait() override;
  void dependencyLaunch() override;

private:
  friend class Asm;
  unsigned capability;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_NVPTXMACHINE_H
