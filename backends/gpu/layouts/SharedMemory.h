//===- SharedMemory.h - layouts of blocks in shared memory ----------------------------------------------===//
//
// What: row-major blocks, plain or with the swizzle that TMA and wgmma share: rows of the swizzle's width, in
// which the 16-byte pieces of row r are exchanged by XOR with r. A longer row continues behind all rows of
// its first part. Why: with it, columns of a block lie in different banks. Limits: offsets count elements; a
// pattern repeats every 1,024 bytes or less, to which a buffer is aligned.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_SHAREDMEMORY_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_SHAREDMEMORY_H

#include "backends/gpu/layouts/Layout.h"

namespace trisect::gpu {

/// The least that a copy from global to shared memory moves at once.
constexpr int32_t kLeastCopyBytes = 4;

/// Elements in the order of their dimensions, the fastest first.
Layout plainShared(const std::vector<int32_t> &shape, std::span<const int32_t> order);

/// `swizzleBytes` is 32, 64 or 128; the fastest dimension is at least that long, elements have 8 to 64 bits.
Layout swizzledShared(const std::vector<int32_t> &shape, std::span<const int32_t> order, int32_t elementBits,
                      int32_t swizzleBytes);

/// The widest swizzle that the fastest dimension has room for; 0 if none.
int32_t widestSwizzle(int32_t fastest, int32_t elementBits);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_SHAREDMEMORY_H
