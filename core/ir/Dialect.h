//===- Dialect.h - the tt dialect -----------------------------------------------------------------------===//
//
// What: the dialect class and the names of the discardable attributes that hold hints.
// Limits: types are in Types.h, operations in Ops.h; a context gets everything through Registry.h.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_DIALECT_H
#define TRISECT_CORE_IR_DIALECT_H

#include "mlir/IR/Dialect.h"

#include "core/ir/Dialect.h.inc"

namespace trisect::tt {

/// Hints on arguments (i32) and operations (one number a dimension): the value or address is a multiple of,
/// rises by one within, is equal within so many elements.
constexpr llvm::StringLiteral kDivisibilityAttr = "tt.divisibility";
constexpr llvm::StringLiteral kContiguityAttr = "tt.contiguity";
constexpr llvm::StringLiteral kConstancyAttr = "tt.constancy";

/// Hints on loops.
constexpr llvm::StringLiteral kNumStagesAttr = "tt.num_stages";
constexpr llvm::StringLiteral kLoopUnrollFactorAttr = "tt.loop_unroll_factor";
constexpr llvm::StringLiteral kFlattenAttr = "tt.flatten";
constexpr llvm::StringLiteral kWarpSpecializeAttr = "tt.warp_specialize";
constexpr llvm::StringLiteral kDisallowAccMultiBufferAttr = "tt.disallow_acc_multi_buffer";

/// On functions: calls stay calls.
constexpr llvm::StringLiteral kNoInlineAttr = "noinline";

/// The largest block.
constexpr int64_t kMaxTensorElements = 1 << 20;

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_DIALECT_H
