//===- Machine.h - every machine instruction that the emitter uses --------------------------------------===//
//
// What: the interface between the emitter and the machine that a kernel is emitted for. NvptxMachine answers
// with intrinsics and inline PTX, HostMachine with calls into backends/cuda/emulate. Why: the same emitter
// then runs on the host, so that its barriers, predicates and shared memory are tested without a GPU, and
// another GPU can stand where NVIDIA's stands.
// Limits: values are machine words: integers of 8 to 64 bits, f32 and f64. Narrow floats are their bits.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_MACHINE_H
#define TRISECT_BACKENDS_CUDA_EMIT_MACHINE_H

#include "core/ir/Ops.h"
#include "core/support/DType.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace trisect::cuda {

using Words = llvm::SmallVector<llvm::Value *, 4>;

/// What a function is made with.
struct FrameOptions {
  unsigned warps = 4;
  unsigned maxRegisters = 0; ///< 0: the assembler decides
  unsigned sharedBytes = 0;
};

/// What the launch hands over beside the kernel's own arguments (docs/cuda-code.md).
struct LaunchFields {
  llvm::Value *first[3] = {};    ///< i32, the program of block 0
  llvm::Value *grid[3] = {};     ///< i32
  llvm::Value *record = nullptr; ///< i64, address of a RecordBuffer
  llvm::Value *apart = nullptr;  ///< i32, not 0: the answer to all questions (Question.h) is no
};

struct Frame {
  llvm::Function *function = nullptr;
  llvm::SmallVector<llvm::Value *> arguments;
  LaunchFields launch;
};

/// How an access treats the caches.
struct CacheWords {
  tt::CacheModifier cache = tt::CacheModifier::None;
  tt::EvictionPolicy evict = tt::EvictionPolicy::Normal;
  bool isVolatile = false;
  bool operator==(const CacheWords &) const = default;
};

enum class Shuffle : uint8_t { Up, Down, Butterfly, Index };

/// Order and scope of an atomic access.
struct Ordering {
  tt::MemSemantic sem = tt::MemSemantic::Relaxed;
  tt::MemScope scope = tt::MemScope::Gpu;
  bool released = false; ///< a fence before the access has released already
};

/// What an atomic access does to its word.
enum class AtomicKind : uint8_t { And, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Exch, Inc, Dec };

/// Rounding of a float conversion.
enum class Rounding : uint8_t { Nearest, TowardZero };

/// Functions that a machine has an instruction for, on f32.
enum class Approximation : uint8_t { Exp2, Log2, Reciprocal, ReciprocalSqrt, Sqrt, Sin, Cos, Tanh, Divide };

/// Operand and result types of a warp-wide matrix product.
enum class MmaKind : uint8_t { F16, BF16, TF32, S8, F64 };

class Machine {
public:
  Machine(llvm::IRBuilder<> &builder, llvm::Module &module) : b(builder), module(module) {}
  virtual ~Machine() = default;

  // The function and where it runs.
  virtual Frame openFrame(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters,
                          const FrameOptions &options) = 0;
  virtual llvm::Value *threadId() = 0; ///< i32 in [0, 32 * warps)
  virtual llvm::Value *blockId(unsigned axis) = 0;
  /// The address of dynamic shared memory, i32.
  virtual llvm::Value *sharedBase() = 0;
  /// The number of a warp's first lane, so that the machine knows that it is the same for the warp.
  virtual llvm::Value *uniform(llvm::Value *value) = 0;

  /// The accesses of global memory that follow belong to the next operation of the program.
  virtual void nextOperation() {}
  // Global memory; addresses are i64. `count` words of `wordBits` bits each, aligned to the whole.
  virtual Words loadGlobal(llvm::Value *address, unsigned wordBits, unsigned count, llvm::Value *predicate,
                           llvm::ArrayRef<llvm::Value *> other, const CacheWords &cache) = 0;
  virtual void storeGlobal(llvm::Value *address, llvm::ArrayRef<llvm::Value *> words, llvm::Value *predicate,
                           const CacheWords &cache) = 0;
  // Atomic accesses of one word; a null predicate is true. `type` says how the bits are added or compared.
  virtual llvm::Value *atomicRmw(AtomicKind kind, DType type, llvm::Value *address, llvm::Value *value,
                                 llvm::Value *predicate, Ordering ordering) = 0;
  virtual llvm::Value *atomicCas(llvm::Value *address, llvm::Value *expected, llvm::Value *desired,
                                 llvm::Value *predicate, Ordering ordering) = 0;
  virtual llvm::Value *atomicLoad(llvm::Value *address, unsigned wordBits, llvm::Value *predicate,
                                  Ordering ordering) = 0;
  virtual void atomicStore(llvm::Value *address, llvm::Value *value, llvm::Value *predicate,
                           Ordering ordering) = 0;
  /// Whether atomicRmw() has this kind for this type; the emitter builds the rest from atomicCas().
  virtual bool hasAtomic(AtomicKind kind, DType type) const = 0;
  virtual void fence(Ordering ordering) = 0;

  // Shared memory; addresses are i32.
  virtual Words loadShared(llvm::Value *address, unsigned wordBits, unsigned count,
                           llvm::Value *predicate = nullptr) = 0;
  virtual void storeShared(llvm::Value *address, llvm::ArrayRef<llvm::Value *> words,
                           llvm::Value *predicate = nullptr) = 0;
  /// Starts to copy 4, 8 or 16 bytes from global to shared memory, or zeros where `predicate` is false.
  /// Threads where `mine` is false have no part in it. Either may be null, which is true.
  virtual void copyToShared(llvm::Value *shared, llvm::Value *address, unsigned bytes, llvm::Value *predicate,
                            llvm::Value *mine, const CacheWords &cache) = 0;
  /// Closes a group of this thread's copies.
  virtual void commitCopies() = 0;
  /// Waits until at most `pending` of this thread's groups are under way.
  virtual void waitForCopies(unsigned pending) = 0;
  /// One, two or four 8 by 8 matrices of 16-bit elements; each lane brings the address of a row of 16 bytes,
  /// lanes 0-7 those of the first matrix. It takes two neighbours of row lane / 4; `transposed`: of column
  /// lane / 4. A word for each matrix.
  virtual Words loadMatrices(llvm::Value *address, unsigned count, bool transposed) = 0;
  /// Adds to an i32 in shared memory.
  virtual void atomicAddShared(llvm::Value *address, llvm::Value *value, llvm::Value *predicate) = 0;

  // Meeting and exchanging; every thread of the block or warp takes part.
  virtual void barrier() = 0;
  /// A barrier if a value is true, which is the same in all threads.
  virtual void barrierIf(llvm::Value *condition) = 0;
  /// What barrier() has made.
  llvm::SmallPtrSet<llvm::Instruction *, 16> barriers;
  /// What a thread held of a block before and after it was brought into another layout.
  struct Moved {
    llvm::SmallVector<llvm::Value *, 8> from, to;
  };
  std::vector<Moved> conversions;
  /// What barrierIf() has made.
  llvm::SmallPtrSet<llvm::Instruction *, 4> conditionalBarriers;
  /// What an instruction may touch that other threads see.
  enum class Touch : uint8_t { Nothing, SharedMemory, AnyMemory };
  virtual Touch touchOf(const llvm::Instruction &instruction) const = 0;
  /// A barrier that tells all threads whether the bit is set in any.
  virtual llvm::Value *anyInBlock(llvm::Value *bit) = 0;
  virtual void warpBarrier() = 0;
  /// Lets others go ahead for about so long.
  virtual void pause(unsigned nanoseconds) = 0;
  virtual llvm::Value *shuffle(Shuffle kind, llvm::Value *word32, llvm::Value *operand) = 0;

  /// d = a * b + c by the tensor cores of one warp: m16n8 with the k that fills a register pair.
  virtual Words mma(MmaKind kind, llvm::ArrayRef<llvm::Value *> a, llvm::ArrayRef<llvm::Value *> b,
                    llvm::ArrayRef<llvm::Value *> c) = 0;

  // Arithmetic.
  virtual llvm::Value *approximate(Approximation what, llvm::Value *x, llvm::Value *y = nullptr) = 0;
  /// The smaller or larger number, -0 below +0; null if the machine has no instruction for it.
  virtual llvm::Value *extreme(llvm::Value *x, llvm::Value *y, bool largest, bool nanWins) = 0;
  /// x * y + z on the bits of f16 or bf16, rounded once; null if the machine has no instruction for it.
  virtual llvm::Value *fuse(DType type, llvm::Value *x, llvm::Value *y, llvm::Value *z) = 0;
  /// sqrt and division, correctly rounded.
  virtual llvm::Value *sqrt(llvm::Value *x) = 0;
  virtual llvm::Value *divide(llvm::Value *x, llvm::Value *y) = 0;
  /// Converts the bits of all of `values` in place; false if the machine has no instruction for it.
  virtual bool convertFloats(llvm::MutableArrayRef<llvm::Value *> values, DType from, DType to,
                             Rounding rounding) = 0;
  /// A float to the nearest integer towards zero, saturated; NaN gives 0.
  virtual llvm::Value *toInteger(llvm::Value *value, unsigned bits, bool isSigned) = 0;

  /// Inline assembly as the kernel wrote it.
  virtual llvm::Value *assembly(llvm::StringRef text, llvm::StringRef constraints, llvm::Type *result,
                                llvm::ArrayRef<llvm::Value *> operands, bool pure) = 0;
  /// Nanoseconds since some start, i64.
  virtual llvm::Value *nanoseconds() = 0;
  /// Ends this thread.
  virtual void exitThread() = 0;
  virtual void dependencyWait() = 0;
  virtual void dependencyLaunch() = 0;

protected:
  llvm::IRBuilder<> &b;
  llvm::Module &module;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_MACHINE_H
