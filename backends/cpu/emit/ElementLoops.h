//===- ElementLoops.h - loops over single elements ------------------------------------------------------===//
//
// What: a loop nest that visits every index of a shape one by one, in row-major order.
// Why: atomics and histograms have an order and side effects for each element; there is nothing to vectorise.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_ELEMENTLOOPS_H
#define TRISECT_BACKENDS_CPU_EMIT_ELEMENTLOOPS_H

#include "backends/cpu/emit/Evaluator.h"

namespace trisect::cpu {

class ElementLoops {
public:
  explicit ElementLoops(KernelState &state) : state(state), evaluator(state, 1) {}

  /// Calls `body` once, with the builder inside the loops.
  void forEach(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(const Index &)> body);
  /// Like forEach() with one more loop: a single dimension, under the loops that are open.
  void loop(int64_t from, int64_t to, int64_t step, llvm::function_ref<void(LaneValue)> body);

  /// The element of a tensor, or the scalar itself.
  mlir::Value element(mlir::Value value, const Index &index) { return evaluator.at(value, index).value; }

private:
  KernelState &state;

public:
  Evaluator evaluator;
};

/// The dimension whose elements go side by side where something runs along `axis`: the last other one that is
/// no 1, or `axis` if there is none.
size_t laneDimension(llvm::ArrayRef<int64_t> shape, size_t axis);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_ELEMENTLOOPS_H
