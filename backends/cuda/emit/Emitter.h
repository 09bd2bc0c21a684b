//===- Emitter.h - the state of one kernel that is being emitted ----------------------------------------===//
//
// What: what every file of this folder works with: values by the MLIR value that they stand for, layouts by
// type, thread numbers, scratch in shared memory. Why: tile IR is walked once, straight into llvm::IRBuilder;
// a block is one llvm::Value for each register of its layout.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_EMITTER_H
#define TRISECT_BACKENDS_CUDA_EMIT_EMITTER_H

#include "backends/cuda/emit/Emit.h"
#include "backends/cuda/emit/GlobalOrder.h"
#include "backends/cuda/emit/LineInfo.h"
#include "backends/cuda/emit/Machine.h"
#include "backends/cuda/emit/Placement.h"
#include "backends/gpu/layouts/XorChain.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/Ops.h"
#include "core/support/OpTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <memory>
#include <unordered_map>

namespace trisect::cuda {

/// The values that a thread holds of a block, or the one value of a scalar.
using Parts = llvm::SmallVector<llvm::Value *, 8>;

/// Throws Unsupported with op and position.
[[noreturn]] void unsupported(mlir::Operation *op, const llvm::Twine &why = "");

class Emitter {
public:
  Emitter(tt::FuncOp kernel, Machine &machine, llvm::IRBuilder<> &builder, const EmitOptions &options);

  /// Emits the kernel; gives what its caller must know.
  EmittedKernel run();

  // Values.
  llvm::Value *scalar(mlir::Value value) { return parts(value)[0]; }
  const Parts &parts(mlir::Value value);
  void set(mlir::Value value, Parts parts);
  void set(mlir::Value value, llvm::Value *one) { set(value, Parts{one}); }

  // Types.
  llvm::Type *elementType(mlir::Type type);
  llvm::SmallVector<llvm::Type *> partTypes(mlir::Type type);
  const Placement &placement(mlir::Type type);
  gpu::Layout layoutOf(mlir::RankedTensorType type);
  /// The layout of a type without an encoding.
  gpu::Layout defaultLayout(llvm::ArrayRef<int64_t> shape);

  // Threads; made at the function's start.
  llvm::Value *thread();
  llvm::Value *lane();
  llvm::Value *warp();
  llvm::Value *programId(unsigned axis) { return program[axis]; }
  llvm::Value *numPrograms(unsigned axis) { return frame.launch.grid[axis]; }
  unsigned threads() const { return 32 * options.warps; }

  /// What lane and warp add to the number of an element.
  llvm::Value *fromThread(const gpu::Layout &layout);
  /// What the terms of a chain give for this thread.
  llvm::Value *evaluate(const gpu::XorChain &chain);
  /// The row-major number of the element in part `n`.
  llvm::Value *elementNumber(const Placement &placement, unsigned n);
  /// Its coordinate in one dimension.
  llvm::Value *coordinate(const Placement &placement, unsigned n, unsigned dim);
  /// True in the one thread that answers for its elements; null if every thread does.
  llvm::Value *soleHolder(const Placement &placement);
  /// True in the thread that writes an element of a type, or a scalar, to memory; null if every thread does.
  llvm::Value *writer(mlir::Type type);
  llvm::Value *both(llvm::Value *a, llvm::Value *b); ///< either may be null, which is true

  // Shared memory.
  llvm::Value *sharedAt(int64_t offset);
  /// The address of `bytes` of scratch for an op. Waits for earlier users unless a pass saw to that.
  llvm::Value *scratch(mlir::Operation *op, int64_t bytes);
  /// Moves a block into another layout of the same shape.
  Parts exchange(mlir::Operation *op, const Parts &from, const Placement &source, const Placement &target,
                 mlir::Type element);
  /// A value of one thread, for all threads of the block.
  llvm::Value *broadcastFromFirst(mlir::Operation *op, llvm::Value *value);
  /// What one holder of each element has, for all holders.
  Parts spread(mlir::Operation *op, Parts parts, mlir::Type type);
  void storeElement(llvm::Value *address, llvm::Value *value, llvm::Value *predicate = nullptr);
  llvm::Value *loadElement(llvm::Value *address, llvm::Type *type, llvm::Value *predicate = nullptr);
  llvm::Value *shuffleValue(Shuffle kind, llvm::Value *value, llvm::Value *operand);

  // Bits.
  llvm::Value *toWord(llvm::Value *value); ///< an integer of the same width, at least 8 bits
  llvm::Value *fromWord(llvm::Value *word, llvm::Type *type);
  llvm::Value *i32(int64_t value) { return b.getInt32(static_cast<uint32_t>(value)); }
  llvm::Value *zero(llvm::Type *type) { return llvm::Constant::getNullValue(type); }

  // Walking.
  void emitRegion(mlir::Region &region);
  void emitBlockBody(mlir::Block &block);
  void emitOp(mlir::Operation *op);
  /// Emits a region of scalars with these arguments, and gives what its terminator returns.
  Parts inlineRegion(mlir::Region &region, llvm::ArrayRef<llvm::Value *> arguments);
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// Emits `body` where `condition` holds.
  void when(llvm::Value *condition, llvm::function_ref<void()> body);
  /// Jumps back to the head of a loop, which the assembler leaves as it is: turns side by side took nothing
  /// off any loop that was measured, and loops of one turn wait for the longer code.
  void comeBack(llvm::BasicBlock *head);
  enum class Turns : uint8_t { OneByOne, AsTheAssemblerLikes };
  /// Emits `turn` so often; it takes the number of its turn and what the turn before left.
  Parts repeat(int64_t turns, const Parts &carried,
               llvm::function_ref<Parts(llvm::Value *number, const Parts &carried)> turn,
               Turns how = Turns::OneByOne);
  bool isUnused(mlir::Operation *op) { return op->use_empty(); }

  Machine &machine;
  llvm::IRBuilder<> &b;
  const EmitOptions &options;
  tt::AxisFacts axes;
  std::vector<RecordSite> sites;
  tt::FuncOp kernel;
  Frame frame;
  mlir::Operation *releasedSwap = nullptr; ///< before whose loop a fence has released

private:
  llvm::Value *atStart(llvm::function_ref<llvm::Value *()> body);
  void openKernel();
  void emitProgramIds();
  void endIfStopped();
  /// Meets if memory's order asks for it before an op.
  void meetBefore(mlir::Operation *op);
  void findHazards();
  llvm::Value *firstByte(const Reach &reach);

  /// A number that depends on the thread alone, by the layout and dimension that it belongs to.
  struct ThreadPart {
    gpu::Layout layout;
    int dim; ///< -1: the element's number
    llvm::Value *value;
  };

  llvm::Value *threadPart(const gpu::Layout &layout, int dim);

  std::unordered_map<const void *, Parts> values; ///< references into it stay valid
  llvm::DenseMap<mlir::Type, std::unique_ptr<Placement>> placements;
  std::vector<ThreadPart> threadParts;
  GlobalHazards hazards;
  std::optional<LineInfo> lines;
  llvm::BasicBlock *start = nullptr; ///< computations on thread numbers alone
  llvm::Value *threadNumber = nullptr, *sharedAddress = nullptr;
  llvm::Value *program[3] = {};
  mlir::Operation *lastScratch = nullptr; ///< the op that used its place in shared memory last
  int64_t packedShared = 0;               ///< bytes that a pass has packed
  int64_t ownShared = 0;                  ///< bytes behind them, for ops without a place
  int64_t ownSharedAt() const { return (packedShared + 15) / 16 * 16; }
};

// The families of ops, a file each; false: not one of theirs.
bool emitControl(Emitter &e, mlir::Operation *op);
bool emitElementwise(Emitter &e, mlir::Operation *op);
bool emitCreation(Emitter &e, mlir::Operation *op);
bool emitMemory(Emitter &e, mlir::Operation *op);
bool emitAtomic(Emitter &e, mlir::Operation *op);
bool emitShape(Emitter &e, mlir::Operation *op);
bool emitReduction(Emitter &e, mlir::Operation *op);
bool emitScan(Emitter &e, mlir::Operation *op);
bool emitLookup(Emitter &e, mlir::Operation *op);
bool emitProduct(Emitter &e, mlir::Operation *op);
bool emitForeign(Emitter &e, mlir::Operation *op);
bool emitDebug(Emitter &e, mlir::Operation *op);
bool emitTile(Emitter &e, mlir::Operation *op);

/// Drops barriers between which and another one, or the end, no memory is touched.
void dropIdleBarriers(llvm::Function &function, Machine &machine);

/// One element of an elementwise op.
llvm::Value *emitElement(Emitter &e, mlir::Operation *op, OpId id, llvm::ArrayRef<llvm::Value *> operands);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_EMITTER_H
