//===- Evaluator.h - the elements of a tensor at an index -----------------------------------------------===//
//
// What: evaluates a TTIR value at an index, one position or a chunk of lanes: from its buffer, or by
// evaluating what it is computed from. Shape operations only change the index. Why: ranges, splats, masks,
// addresses and whole elementwise chains are never stored. Limits: a value that does not depend on the
// innermost loops is emitted outside them. Members of the group being emitted must be in the cache or be
// computable; values of earlier groups must have buffers.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_EVALUATOR_H
#define TRISECT_BACKENDS_CPU_EMIT_EVALUATOR_H

#include "backends/cpu/emit/Index.h"
#include "backends/cpu/emit/KernelState.h"
#include "core/ir/Ops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <vector>

namespace trisect::cpu {

/// Loops around the code that is being emitted.
struct Nest {
  unsigned lanes = 1;
  /// loops[k] is the loop inside which level k + 1 begins; values of level k go before it.
  llvm::SmallVector<mlir::Operation *> loops;
};

/// Where the values of plan/Repeats.h lie: one for each number.
struct Repeated {
  mlir::Value by; ///< gives the numbers
  Buffer buffer;
  mlir::Value first; ///< the number of the first element; null: 0
};

class Evaluator {
public:
  Evaluator(KernelState &state, unsigned lanes) : state(state) { nest.lanes = lanes; }

  Nest nest;
  /// Sums, products, widenings, quotients and remainders (Widenings.h) whose lanes do not wrap; those of all
  /// other widenings are spread out.
  llvm::SmallPtrSet<mlir::Operation *, 8> steady;
  llvm::DenseMap<mlir::Value, Repeated> repeated; ///< values that are read where they were made once
  LaneValue at(mlir::Value value, const Index &index);
  /// The value at `index` is already known: a load that was emitted in order.
  void remember(mlir::Value value, const Index &index, const LaneValue &known);

  LaneValue readBuffer(const Buffer &buffer, const Index &index);
  void writeBuffer(const Buffer &buffer, const Index &index, const LaneValue &value);

private:
  using Key = std::pair<void *, std::vector<std::pair<void *, int64_t>>>;
  static Key keyOf(mlir::Value value, const Index &index);
  LaneValue compute(mlir::Value value, const Index &index);
  LaneValue readRepeated(const Repeated &made, const Index &index);
  LaneValue divideChunk(mlir::Operation *op, llvm::ArrayRef<LaneValue> operands);
  mlir::Value widely(mlir::Operation *op, llvm::ArrayRef<LaneValue> operands);
  LaneValue throughShape(mlir::Operation *op, mlir::Value value, const Index &place, bool &known);
  LaneValue throughGather(mlir::Operation *op, const Index &place);
  LaneValue throughExchange(tt::GatherOp op, const Index &index);
  LaneValue either(const LaneValue &position, int64_t limit, mlir::Value first, const Index &indexFirst,
                   mlir::Value second, const Index &indexSecond);
  LaneValue bufferAddress(const Buffer &buffer, const Index &place);

  KernelState &state;
  std::map<Key, LaneValue> cache;
};

/// True for ops that the evaluator sees through by changing the index.
bool isShapeOp(mlir::Operation *op);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_EVALUATOR_H
