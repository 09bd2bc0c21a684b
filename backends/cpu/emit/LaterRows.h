//===- LaterRows.h - what a reduction of rows asks for ahead --------------------------------------------===//
//
// What: of a group that is emitted, the loads of which later rows are asked for, and how: rows that it is the
// first to reduce, rows that groups before it have, and what loops go over again. Limits: a line of each page
// for blocks of one dimension alone; for columns see AxisReduction.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
#define TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H

#include "backends/cpu/emit/Groups.h"

namespace trisect::cpu {

/// Rows that are asked for.
struct ComingRows {
  mlir::Type type;                           ///< of the block that is loaded
  mlir::Value begin;                         ///< the address of its first element
  llvm::SmallVector<mlir::Value, 2> strides; ///< in bytes, along each dimension
};

/// Of which loads a group that is emitted asks for later rows (plan/Upcoming.h).
struct LaterRows {
  llvm::SmallVector<tt::LoadOp, 1> pages; ///< a line of each page, before the loop
  llvm::SmallVector<ComingRows, 1> lines; ///< with each chunk of a row that an earlier group has read
  /// With each chunk of what an earlier loop of the kernel has read: so many bytes further.
  llvm::SmallDenseMap<mlir::Operation *, mlir::Value, 1> distances;
};

LaterRows laterRows(KernelState &state, const Group &group, unsigned lanes);
/// Before the loop over a row of that many elements, where `address` is that of its first chunk.
void askForPages(KernelState &state, const LaneValue &address, mlir::Type element, int64_t length);
/// With chunk `number` of those that are emitted one after the other, at `index` of the block.
void askForLines(KernelState &state, const ComingRows &rows, const Index &index, unsigned lanes,
                 unsigned number);
/// With such a chunk of a load whose lanes lie at `address`.
void askFurther(KernelState &state, const LaterRows &later, tt::LoadOp load, const LaneValue &address,
                unsigned lanes, unsigned number);
/// For what the next round of the loop will load in this place for a product: its rows are short, so that the
/// machine does not see where they go on.
void askForNextRound(KernelState &state, const Group &group, tt::LoadOp load, const LaneValue &address,
                     unsigned lanes);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LATERROWS_H
