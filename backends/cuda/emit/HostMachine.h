//===- HostMachine.h - the emulated machine -------------------------------------------------------------===//
//
// What: every instruction as a call of a function of backends/cuda/emulate, plain arithmetic as LLVM's.
// Why: see Machine.h. Limits: the code holds addresses of this process and is never kept.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_HOSTMACHINE_H
#define TRISECT_BACKENDS_CUDA_EMIT_HOSTMACHINE_H

#include "backends/cuda/emit/Machine.h"
#include "backends/cuda/emulate/InlineAssembly.h"
#include <vector>

namespace trisect::cuda {

class HostMachine final : public Machine {
public:
  HostMachine(llvm::IRBuilder<> &builder, llvm::Module &module, AssemblyReader reader)
      : Machine(builder, module), reader(reader) {}

  /// The code calls these; they must live as long as it.
  std::vector<std::unique_ptr<InlineAssembly>> takeTexts() { return std::move(texts); }

  Frame openFrame(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters,
                  const FrameOptions &options) override;
  llvm::Value *threadId() override;
  llvm::Value *blockId(unsigned axis) override;
  llvm::Value *sharedBase() override;
  llvm::Value *uniform(llvm::Value *value) override;

  void nextOperation() override;
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
  Touch touchOf(const llvm::Instruction &instruction) const override { return touches.lookup(&instruction); }
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
  llvm::CallInst *call(llvm::StringRef function, llvm::Type *result, llvm::ArrayRef<llvm::Value *> operands,
                       Touch touch = Touch::AnyMemory);
  /// Tells the emulator what the atomic access that follows acquires or releases.
  void order(Ordering ordering, llvm::Value *predicate);
  /// The number of the instruction that is emitted next, so that the emulator can tell meetings apart.
  llvm::Value *site() { return b.getInt32(++sites); }
  llvm::Value *active(llvm::Value *predicate);
  llvm::Value *wide(llvm::Value *word);
  void toBuffer(llvm::ArrayRef<llvm::Value *> words);
  Words fromBuffer(unsigned wordBits, unsigned count);
  llvm::Value *openArray(llvm::Type *element, size_t count);

  llvm::Value *context = nullptr; ///< the thread
  llvm::Value *buffer = nullptr;  ///< words of one access
  unsigned sites = 0;
  llvm::DenseMap<const llvm::Instruction *, Touch> touches;
  AssemblyReader reader; ///< of inline PTX
  std::vector<std::unique_ptr<InlineAssembly>> texts;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_HOSTMACHINE_H
