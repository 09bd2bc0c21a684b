//===- Overlap.cpp - meetings that memory's order asks for ----------------------------------------------===//
//
// What: a barrier before an op that GlobalOrder names; or one if the launch found arguments that overlap; or
// the question whether two accesses do, and a barrier if so. Why: arguments of a launch hardly ever overlap.
// The answer is the same in all threads.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"

using namespace llvm;

namespace trisect::cuda {

void Emitter::findHazards() {
  auto hasOneThread = [&](mlir::Type type) { return !soleHolder(placement(type)); };
  hazards = findGlobalHazards(kernel, hasOneThread);
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
  Value *overlap = nullptr;
  if (hazards.unlessApart.contains(op))
    overlap = b.CreateICmpEQ(frame.launch.apart, i32(0));
  for (const OverlapTest &test : hazards.perhaps.lookup(op)) {
    Value *earlier = scalar(test.earlier.start), *later = scalar(test.later.start);
    Value *distance = test.sameThreadIfEqual ? b.CreateSub(earlier, later)
                                             : b.CreateSub(firstByte(test.earlier), firstByte(test.later));
    int64_t before = lengthOf(test.earlier), after = lengthOf(test.later);
    Value *moved = b.CreateShl(b.CreateAdd(distance, b.getInt64(before - 1)), test.drop());
    Value *found = b.CreateICmpULT(moved, b.getInt64(uint64_t(before + after - 1) << test.drop()));
    if (test.sameThreadIfEqual)
      found = b.CreateAnd(found, b.CreateICmpNE(earlier, later));
    overlap = overlap ? b.CreateOr(overlap, found) : found;
  }
  if (overlap)
    machine.barrierIf(overlap);
}

} // namespace trisect::cuda
