//===- ScaledFactors.h - operands of tt.dot_scaled -----------------------------------------------------===//
//
// What: an operand of small floats and its scales, kept in shared memory as they came, and the loop that
// widens a slice of them to f32 there. Why: the code does not grow with the operand, and each element is
// widened once a program. Limits: f32 holds every product of element and scale, except where the scale leaves
// its range.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_SCALEDFACTORS_H
#define TRISECT_BACKENDS_CUDA_EMIT_SCALEDFACTORS_H

#include "backends/cuda/emit/SharedSums.h"

namespace trisect::cuda {

class ScaledOperand {
public:
  ScaledOperand(Emitter &e, tt::DotScaledOp op, bool left);

  /// Elements along K, along the other dimension, and blocks.
  int32_t depth() const { return depthOfBlock * perDepth; }
  int32_t lines() const { return linesOfBlock * perLine; }
  int32_t batch() const { return blocks; }

  /// What so many elements along K take as they came.
  int64_t bytes(int32_t elements) const;
  int64_t scaleBytes() const;

  /// Scales go behind `base`; once.
  void storeScales(llvm::Value *base);
  /// The elements `from` to `from + length` along K go behind `base`. A barrier must follow.
  void store(llvm::Value *base, int32_t from, int32_t length);
  /// Fills this operand's block of the slice with f32: of the elements that were stored those behind the
  /// `first` one along K, a multiple of the slice's K. Barriers must stand around it.
  void widen(const SharedSlice &slice, llvm::Value *first);

private:
  struct Unit;
  Unit unit(const SharedSlice &slice, llvm::Value *number, llvm::Value *first);
  Parts loadUnit(const Unit &unit);
  void widenUnit(const SharedSlice &slice, const Unit &unit, llvm::Value *first);
  void storeWide(const SharedSlice &slice, llvm::Value *row, llvm::Value *column, const Parts &values);
  Parts scalesOf(const SharedSlice &slice, llvm::Value *row, llvm::Value *column, unsigned count,
                 llvm::Value *first);
  bool packed() const { return perDepth * perLine > 1; }
  /// Whether the two elements of a byte are neighbours in a row of the slice.
  bool packedInRows() const { return packed() && left == (perDepth == 2); }

  Emitter &e;
  bool left;
  tt::ScaledFormat format;
  mlir::Value block, scales;
  const Placement &placement;
  int32_t perDepth = 1, perLine = 1; ///< elements of a byte
  int32_t depthOfBlock, linesOfBlock, blocks;
  int32_t elementBytes;
  llvm::Value *stored = nullptr, *storedScales = nullptr;
  int32_t storedFrom = 0, storedLength = 0; ///< along K
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_SCALEDFACTORS_H
