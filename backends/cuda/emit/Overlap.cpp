//===- Overlap.cpp - meetings that memory's order asks for ----------------------------------------------===//
//
// What: a barrier before an op that GlobalOrder names, or the question whether two accesses overlap and a
// barrier if they do. Why: arguments of a launch hardly ever overlap, and a launch does not look at them.
// The answer is the same in all threads.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
int64_t lengthOf(const Reach &reach) { return (reach.high - reach.low + 1) * reach.bytes; }
} // namespace

void Emitter::findHazards() {
  auto hasOneThread = [&](mlir::Type type) { return !soleHolder(placement(type)); };
  hazards = findGlobalHazards(kernel, {options.disjoint, hasOneThread});
}

Value *Emitter::firstByte(const Reach &reach) {
  Value *elements = b.getInt64(static_cast<uint64_t>(reach.low));
  for (mlir::Value moved : reach.moved)
    elements = b.CreateAdd(elements, b.CreateSExt(scalar(moved), b.getInt64Ty()));
  return b.CreateAdd(scalar(reach.start), b.CreateMul(elements, b.getInt64(reach.bytes)));
}

void Emitter::meetBefore(mlir::Operation *op) {
  if (hazards.always.contains(op))
    return machine.barrier();
  auto tests = hazards.perhaps.find(op);
  if (tests == hazards.perhaps.end())
    return;
  Value *overlap = nullptr;
  for (const OverlapTest &test : tests->second) {
    Value *earlier = scalar(test.earlier.start), *later = scalar(test.later.start);
    Value *distance = test.sameThreadIfEqual ? b.CreateSub(earlier, later)
                                             : b.CreateSub(firstByte(test.earlier), firstByte(test.later));
    // Offsets wrap after 2^32 elements: only the bits below are looked at.
    int64_t before = lengthOf(test.earlier), after = lengthOf(test.later);
    unsigned drop = 32 - Log2_64(std::min(test.earlier.bytes, test.later.bytes));
    Value *moved = b.CreateShl(b.CreateAdd(distance, b.getInt64(before - 1)), drop);
    Value *found = b.CreateICmpULT(moved, b.getInt64(uint64_t(before + after - 1) << drop));
    if (test.sameThreadIfEqual)
      found = b.CreateAnd(found, b.CreateICmpNE(earlier, later));
    overlap = overlap ? b.CreateOr(overlap, found) : found;
  }
  machine.barrierIf(overlap);
}

} // namespace trisect::cuda
