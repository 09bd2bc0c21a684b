//===- KernelTable.h - block operations as plain functions, chosen per ISA ------------------------------===//
//
// What: how tier 0 finds the code of a block operation: by op and element type, for the ISA level that this
// process uses. Kernels are free functions over contiguous memory and plain attributes; they know neither
// MLIR nor programs, so each can be tested alone and against the scalar oracle. Why: the step loop looks
// everything up once, when a program is decoded. Limits: interp/ shares no numeric code with a compiled tier.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_KERNELTABLE_H
#define TRISECT_INTERP_KERNELS_KERNELTABLE_H

#include "core/support/DType.h"
#include "core/support/OpTable.h"
#include <cstdint>
#include <string_view>

namespace trisect::interp {

/// The ISA levels that kernels are compiled for; Scalar is plain C++ without vector code, the oracle.
enum class Isa : uint8_t { Scalar, V2, Avx2, Avx512, Neon };

/// All levels; those of one kind of machine in ascending order.
constexpr Isa isaLevels[] = {Isa::Scalar, Isa::V2, Isa::Avx2, Isa::Avx512, Isa::Neon};

/// The best level of this machine, or the one that TRISECT_ISA (scalar, v2, avx2, avx512, neon) forces.
Isa activeIsa();
std::string_view isaName(Isa isa);
/// True if this machine can run the level.
bool isaAvailable(Isa isa);

/// How floats behave: `Ieee` rounds every op correctly or at stated ULP and never contracts; `Cuda` does what
/// sm_90 does where that differs (docs/numerics.md).
enum class Numerics : uint8_t { Ieee, Cuda };

/// One operand of an elementwise kernel: `n` contiguous elements, or a single one that stands for all.
struct Strip {
  const void *data = nullptr;
  bool splat = false;
};

/// result[i] = op(operands...[i]) for i < n. `attribute` is the op's own number: the predicate of cmpi and
/// cmpf, the rounding of fp_to_fp, the NaN mode of clampf, the element size in bytes of addptr, else 0.
/// `result` may equal an operand's data, never overlap it partly.
using ElementwiseFn = void (*)(void *result, const Strip *operands, int64_t n, uint64_t attribute);

/// The element types that choose an elementwise kernel: of the first operand that is not a condition, and of
/// the result (they differ for conversions, comparisons and bitcasts). For addptr `operand` is the type of
/// the offset and `result` is Ptr. An index is an I64.
struct ElementwiseKey {
  OpId op;
  DType operand;
  DType result;
};

/// The kernel, or null if the types make no sense for the op. Libdevice functions are found by name instead.
/// Every lookup throws InvalidInput for an ISA level that this machine lacks.
ElementwiseFn elementwiseKernel(ElementwiseKey key, Numerics numerics, Isa isa = activeIsa());
ElementwiseFn externKernel(std::string_view symbol, DType operand, DType result, Isa isa = activeIsa());
/// Whether a libdevice function is an op of TTIR, whose kernel it has.
bool isAnotherNameOfAnOp(std::string_view symbol);
/// The attribute of its instruction then.
constexpr uint64_t anotherNameOfAnOp = 1;

/// Folds [outer][length][inner] along the middle with one binary op (the region of a reduce that is a single
/// known op) into [outer][inner]. The order is fixed and the same on every ISA: lane i joins accumulator i
/// mod 64, then accumulators are folded in halves.
using ReduceFn = void (*)(void *result, const void *input, int64_t outer, int64_t length, int64_t inner);
ReduceFn reduceKernel(OpId op, DType type, Isa isa = activeIsa());

/// Inclusive scan of [outer][length][inner] along the middle with one known op, from the start or, if
/// `reverse`, from the end, in order: each element is op(result before it, input). In place or apart, never
/// overlapping. The same ops and types as reduceKernel.
using ScanFn = void (*)(void *result, const void *input, int64_t outer, int64_t length, int64_t inner,
                        bool reverse);
ScanFn scanKernel(OpId op, DType type, Isa isa = activeIsa());

/// d[M][N] = a[M][K] * b[K][N] + c[M][N]; each element is one chain of fused multiply-adds in ascending k
/// (but DotPrecision::Blocks), so that the bits are the same on every ISA. Rows of a, c and d are contiguous;
/// strides in elements.
struct DotArgs {
  const void *a, *b;
  const void *c; ///< null: the chains start at +0
  void *d;
  int64_t m, n, k;
  int64_t lda, ldb, ldc, ldd;
  int64_t columnB = 1; ///< between the columns of b; with ldb = 1 it is the transpose of rows
};
/// How f32 operands are rounded before they are multiplied. Blocks: bf16 operands add up in blocks of 32
/// steps, in each a chain of the even and one of the odd steps; the sum of both is added to what there was.
enum class DotPrecision : uint8_t { Ieee, Tf32, Tf32x3, Bf16x3, Bf16x6, Blocks };
/// `scratch` has at least dotScratchBytes() bytes, aligned to 64.
using DotFn = void (*)(const DotArgs &args, void *scratch);
DotFn dotKernel(DType a, DType b, DType accumulator, DotPrecision precision, Isa isa = activeIsa());
int64_t dotScratchBytes(int64_t m, int64_t n, int64_t k);

/// result[i] = mask[i] ? *(T *)address[i] : other[i]; sizes are bytes of one element; null mask = all true,
/// null other = zero. Scatter: the last lane wins when addresses repeat.
using GatherFn = void (*)(void *result, const uint64_t *address, const uint8_t *mask, Strip other, int64_t n);
using ScatterFn = void (*)(const uint64_t *address, const uint8_t *mask, Strip value, int64_t n);
GatherFn gatherKernel(unsigned elementBytes, Isa isa = activeIsa());
ScatterFn scatterKernel(unsigned elementBytes, Isa isa = activeIsa());

/// result[i] = start + i * step in the integer type (I8 to I64, Ptr), wrapping.
using IotaFn = void (*)(void *result, uint64_t start, uint64_t step, int64_t n);
IotaFn iotaKernel(DType type, Isa isa = activeIsa());

} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_KERNELTABLE_H
