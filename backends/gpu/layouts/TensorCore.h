//===- TensorCore.h - layouts that tensor core instructions prescribe -----------------------------------===//
//
// What: accumulators and operands of mma.sync (m16n8kX, and m8n8k4 of f64) and wgmma, tiled over warps and
// registers to the shape of a block. Limits: a block that is smaller than the warps' tiles is held several
// times; a block smaller than one instruction is refused by fitsMma().
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_TENSORCORE_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_TENSORCORE_H

#include "backends/gpu/layouts/Layout.h"

namespace trisect::gpu {

/// Operand A is M by K, B is K by N, the accumulator M by N.
enum class MmaRole : uint8_t { A, B, Accumulator };

/// Bits of the operands' elements: 64 for f64, 32 for tf32, 16, or 8.
struct MmaShape {
  int32_t m = 16;
  int32_t n = 8;
  int32_t k = 16;
  static MmaShape of(int32_t operandBits);
  bool operator==(const MmaShape &) const = default;
};

/// What one warp holds for one instruction. Element (row, column) of the role's matrix.
Layout mmaTile(MmaRole role, int32_t operandBits);

/// Warps along M and along N.
struct WarpGrid {
  int32_t m = 1;
  int32_t n = 1;
};
/// Warps over a block so that each one's part is as square as can be.
WarpGrid mmaWarps(int32_t m, int32_t n, int32_t warps, int32_t operandBits);

/// The layout of a role over a block of the role's shape {rows, columns}; `batch` leading dimensions are held
/// in registers. Registers: the instruction's, then along the columns, then along the rows.
Layout mma(MmaRole role, std::vector<int32_t> shape, int32_t operandBits, WarpGrid warps);
/// The warps of an accumulator made by mma(); nothing if it is another layout.
std::optional<WarpGrid> warpsOf(const Layout &accumulator, int32_t operandBits);
/// True if m, n and k are at least those of the instruction.
bool fitsMma(int32_t m, int32_t n, int32_t k, int32_t operandBits);

/// The accumulator of wgmma.m64nNkX over warps, a multiple of four: each group of four holds 64 rows and `n`
/// columns; groups go along M first, then along N.
Layout wgmma(std::vector<int32_t> shape, int32_t n, WarpGrid groups);
/// Operand A of wgmma from registers: M by K.
Layout wgmmaOperand(std::vector<int32_t> shape, int32_t operandBits, WarpGrid groups);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_TENSORCORE_H
