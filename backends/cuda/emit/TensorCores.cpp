//===- TensorCores.cpp - tt.dot by mma.sync -------------------------------------------------------------===//
//
// What: brings the operands into the layouts that the instruction prescribes and runs it over the tiles that
// a warp holds. 8-bit floats become f16, which holds them exactly: sm_90 has no other way either. Limits:
// tf32, f16, bf16, i8 and f64; f32 in other precisions goes by threads. Accumulators of 16 bits are kept in
// f32 and rounded once.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Buffers.h"
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Products.h"
#include "backends/gpu/layouts/TensorCore.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using trisect::gpu::Bits;
using trisect::gpu::MmaRole;

namespace trisect::cuda {

namespace {
/// How the operands go into the instruction.
struct Route {
  MmaKind kind;
  DType operand; ///< what they become
  DType sum;     ///< what is summed
  unsigned bits; ///< of an operand
};

std::optional<Route> routeOf(DType a, DType b, DType c, tt::InputPrecision precision) {
  if (isFloat8(a) && isFloat8(b) && a <= DType::F8E4M3FN && b <= DType::F8E4M3FN)
    return Route{MmaKind::F16, DType::F16, DType::F32, 16};
  if (a != b)
    return std::nullopt;
  switch (a) {
  case DType::F16:
    return Route{MmaKind::F16, DType::F16, DType::F32, 16};
  case DType::BF16:
    return Route{MmaKind::BF16, DType::BF16, DType::F32, 16};
  case DType::F32:
    if (precision != tt::InputPrecision::Tf32)
      return std::nullopt;
    return Route{MmaKind::TF32, DType::F32, DType::F32, 32};
  case DType::I8:
    return Route{MmaKind::S8, DType::I8, DType::I32, 8};
  case DType::F64:
    return Route{MmaKind::F64, DType::F64, DType::F64, 64};
  default:
    return std::nullopt;
  }
}

/// Tiles that a warp holds, by the place that registers add: each gives the parts of one instruction.
struct Tiles {
  Tiles(const Placement &placement, unsigned each) : each(each) {
    for (unsigned first = 0; first < placement.held(); first += each)
      places.push_back(placement.layout().coordinates(placement.element(first)));
  }
  /// The first part of the tile at a place.
  unsigned at(const gpu::Coordinates &place) const {
    for (unsigned tile = 0; tile < places.size(); ++tile)
      if (places[tile] == place)
        return tile * each;
    return 0;
  }
  unsigned each;
  SmallVector<gpu::Coordinates> places;
};

/// Neighbouring parts in words of 32 bits, or f64.
SmallVector<Value *> wordsOf(Emitter &e, ArrayRef<Value *> parts, unsigned bits) {
  SmallVector<Value *> words;
  unsigned each = bits >= 32 ? 1 : 32 / bits;
  for (unsigned i = 0; i < parts.size(); i += each) {
    if (bits == 64) {
      words.push_back(parts[i]);
      continue;
    }
    Value *word = e.b.CreateZExt(e.toWord(parts[i]), e.b.getInt32Ty());
    for (unsigned j = 1; j < each; ++j)
      word = e.b.CreateOr(word,
                          e.b.CreateShl(e.b.CreateZExt(e.toWord(parts[i + j]), e.b.getInt32Ty()), j * bits));
    words.push_back(word);
  }
  return words;
}

struct Operand {
  Placement placement;
  Parts parts;
  Tiles tiles;
};

Operand bring(Emitter &e, mlir::Operation *op, const Factor &factor, MmaRole role, const Route &route,
              gpu::WarpGrid warps) {
  Placement placement(gpu::mma(role, factor.placement.layout().shape(), route.bits, warps));
  mlir::Type element = tt::typeOfDType(factor.type, op->getContext());
  Parts parts = factor.buffer ? loadFromBuffer(e, factor.buffer, factor.placement.layout(), placement,
                                               e.elementType(element))
                              : e.exchange(op, factor.parts, factor.placement, placement, element);
  if (isFloat(factor.type))
    convertFloats(e, parts, factor.type, route.operand);
  unsigned each = 1u << gpu::mmaTile(role, route.bits).bits(Bits::Register);
  Tiles tiles(placement, each);
  return {std::move(placement), std::move(parts), std::move(tiles)};
}
} // namespace

std::optional<Parts> multiplyByTensorCores(Emitter &e, mlir::Operation *op, const Factor &a, const Factor &b,
                                           const Factor &c, tt::InputPrecision precision) {
  std::optional<Route> route = routeOf(a.type, b.type, c.type, precision);
  int32_t m = c.size(2), n = c.size(1), k = a.size(1);
  if (!route || !gpu::fitsMma(m, n, k, route->bits))
    return std::nullopt;
  auto bits = static_cast<int32_t>(route->bits);
  gpu::WarpGrid warps = gpu::warpsOf(c.placement.layout(), bits)
                            .value_or(gpu::mmaWarps(m, n, static_cast<int32_t>(e.options.warps), bits));
  Operand left = bring(e, op, a, MmaRole::A, *route, warps),
          right = bring(e, op, b, MmaRole::B, *route, warps);
  Placement sums(gpu::mma(MmaRole::Accumulator, c.placement.layout().shape(), route->bits, warps));
  mlir::Type element = tt::typeOfDType(c.type, op->getContext());
  Parts parts = e.exchange(op, c.parts, c.placement, sums, element);
  if (isFloat(c.type))
    convertFloats(e, parts, c.type, route->sum);
  unsigned each = 1u << gpu::mmaTile(MmaRole::Accumulator, route->bits).bits(Bits::Register);
  Tiles tiles(sums, each);
  int32_t depth = gpu::MmaShape::of(static_cast<int32_t>(route->bits)).k;
  // Sums of one tile follow each other: other tiles' products stand between them.
  for (int32_t step = 0; step < k; step += depth)
    for (unsigned tile = 0; tile < tiles.places.size(); ++tile) {
      gpu::Coordinates leftPlace = tiles.places[tile], rightPlace = leftPlace;
      leftPlace.back() = step;
      rightPlace[rightPlace.size() - 2] = step;
      ArrayRef<Value *> x = ArrayRef(left.parts).slice(left.tiles.at(leftPlace), left.tiles.each);
      ArrayRef<Value *> y = ArrayRef(right.parts).slice(right.tiles.at(rightPlace), right.tiles.each);
      Words sum = e.machine.mma(route->kind, wordsOf(e, x, route->bits), wordsOf(e, y, route->bits),
                                ArrayRef(parts).slice(tile * each, each));
      std::copy(sum.begin(), sum.end(), parts.begin() + tile * each);
    }
  if (isFloat(c.type))
    convertFloats(e, parts, route->sum, c.type);
  return e.exchange(op, parts, sums, c.placement, element);
}

} // namespace trisect::cuda
