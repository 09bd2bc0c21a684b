//===- ScaledProduct.cpp - tt.dot_scaled ---------------------------------------------------------------===//
//
// What: both operands and their scales go to shared memory as they came; a slice of K at a time is widened
// there to f32, scaled, and multiplied by the threads' own multiply-adds. Why a loop over slices: so that the
// code of a product does not grow with K. Limits: operands that take too much go there in several parts, the
// code of each of which is there of its own.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Products.h"
#include "backends/cuda/emit/ScaledFactors.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// What a program may have on the GPUs that give it least, and how much of it a slice takes at most.
constexpr int64_t sharedBytes = 99 << 10, wideBytes = 32 << 10;
/// Of a slice, where there is room.
constexpr int32_t leastDepth = 16;

/// How a product is cut along K, and what lies where.
struct Plan {
  Plan(const ScaledOperand &a, const ScaledOperand &b) : length(a.depth()) {
    auto place = [this](int64_t size) { return std::exchange(bytes, (bytes + size + 15) / 16 * 16); };
    slice.m = a.lines();
    slice.n = b.lines();
    int64_t perStep = int64_t(a.batch()) * (slice.m + slice.n) * byteSize(DType::F32);
    auto room = [&] {
      return sharedBytes - a.scaleBytes() - b.scaleBytes() - a.bytes(length) - b.bytes(length);
    };
    while (length > leastDepth && leastDepth * perStep > room())
      length /= 2;
    slice.k = length;
    while (slice.k > leastDepth && slice.k * perStep > std::min(wideBytes, room()))
      slice.k /= 2;
    slice.a.offset = place(int64_t(a.batch()) * slice.m * slice.k * byteSize(DType::F32));
    slice.b.offset = place(int64_t(b.batch()) * slice.n * slice.k * byteSize(DType::F32));
    storedA = place(a.bytes(length));
    storedB = place(b.bytes(length));
    scalesA = place(a.scaleBytes());
    scalesB = place(b.scaleBytes());
  }

  int32_t length; ///< of K, that is stored at once
  SharedSlice slice;
  int64_t bytes = 0, storedA, storedB, scalesA, scalesB;
};
} // namespace

Parts multiplyScaled(Emitter &e, tt::DotScaledOp op) {
  ScaledOperand a(e, op, true), b(e, op, false);
  Plan plan(a, b);
  Value *base = e.scratch(op, plan.bytes);
  auto at = [&](int64_t offset) { return e.b.CreateAdd(base, e.i32(offset)); };
  plan.slice.a.base = plan.slice.b.base = base;
  const Placement &placement = e.placement(op.getC().getType());
  DType type = *tt::dtypeOf(tt::elementOf(op.getC().getType()));
  Parts sums = e.parts(op.getC());
  convertFloats(e, sums, type, DType::F32);
  a.storeScales(at(plan.scalesA));
  b.storeScales(at(plan.scalesB));
  for (int32_t from = 0; from < a.depth(); from += plan.length) {
    // All that was stored before has been widened: a barrier stood between that and the last sums.
    a.store(at(plan.storedA), from, plan.length);
    b.store(at(plan.storedB), from, plan.length);
    sums = e.repeat(plan.length / plan.slice.k, sums, [&](Value *turn, const Parts &carried) {
      Value *first = e.b.CreateMul(turn, e.i32(plan.slice.k));
      e.machine.barrier();
      a.widen(plan.slice, first);
      b.widen(plan.slice, first);
      e.machine.barrier();
      return addProducts(e, plan.slice, placement, carried, DType::F32, tt::InputPrecision::Ieee);
    });
  }
  convertFloats(e, sums, DType::F32, type);
  return sums;
}

} // namespace trisect::cuda
