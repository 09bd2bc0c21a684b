//===- TileDialect.h - blocks with layouts --------------------------------------------------------------===//
//
// What: the dialect `tile`, its types and operations, and short ways from a type to its layout.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_IR_TILEDIALECT_H
#define TRISECT_BACKENDS_GPU_IR_TILEDIALECT_H

#include "backends/gpu/layouts/Layout.h"
#include "core/ir/Ops.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/Hashing.h"

namespace trisect::gpu {

inline llvm::hash_code hash_value(const Layout &layout) { return llvm::hash_code(layout.hash()); }

/// Shared memory of a program: what buffers and scratch lie in.
struct SharedMemory : public mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "shared memory"; }
};

/// Attributes of a function of tile IR.
constexpr llvm::StringLiteral kWarpsAttr = "tile.num_warps";
constexpr llvm::StringLiteral kTargetAttr = "tile.target";
/// Bytes of shared memory.
constexpr llvm::StringLiteral kSharedAttr = "tile.shared";
/// Of an operation: array<i64: offset, bytes> of shared memory that it uses while it runs.
constexpr llvm::StringLiteral kScratchAttr = "tile.scratch";

} // namespace trisect::gpu

#include "backends/gpu/ir/TileDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "backends/gpu/ir/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "backends/gpu/ir/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "backends/gpu/ir/TileOps.h.inc"

namespace trisect::gpu {

/// The layout of a tensor; null if it has none.
const Layout *layoutOf(mlir::Type type);
/// The same tensor in another layout, of its shape.
mlir::RankedTensorType withLayout(mlir::Type tensor, const Layout &layout);
std::vector<int32_t> shapeOfLayout(mlir::Type tensor);
/// Bytes of an element in shared memory.
int64_t sharedBytesOf(mlir::Type element);
/// Where swizzles begin anew: buffers and slots lie at multiples of it.
constexpr int64_t kBufferAlignment = 1024;
/// Bytes from one slot of a buffer to the next.
int64_t slotBytes(BufferType type);
/// The buffer behind an operand: itself, or that of a slot; null if there is none.
BufferOp bufferBehind(mlir::Value value);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_IR_TILEDIALECT_H
