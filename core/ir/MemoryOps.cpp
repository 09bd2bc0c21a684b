//===- MemoryOps.cpp - loads, stores and atomics --------------------------------------------------------===//
#include "core/ir/MemoryOps.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/MemoryOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

//===----------------------------------------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other,
                   CacheModifier cache, EvictionPolicy evict, bool isVolatile) {
  build(builder, state, pointeeOf(ptr.getType()), ptr, mask, other, /*boundaryCheck=*/ArrayRef<int32_t>{},
        /*padding=*/PaddingOptionAttr(), cache, evict, isVolatile, /*cachePolicy=*/CachePolicyAttr());
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value value, Value mask,
                    CacheModifier cache, EvictionPolicy evict) {
  build(builder, state, ptr, value, mask, /*boundaryCheck=*/ArrayRef<int32_t>{}, cache, evict,
        /*cachePolicy=*/CachePolicyAttr());
}

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

void StoreOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPtrMutable(), GlobalMemory::get());
}

static LogicalResult verifyMask(Operation *op, Value mask, Type value) {
  return mask ? expectType(op, "mask", mask.getType(), maskOf(value)) : success();
}

/// Rules of boundaryCheck and of what cannot stand beside a block pointer.
static LogicalResult verifyBlockAccess(Operation *op, Type ptr, ArrayRef<int32_t> boundaryCheck, Value mask) {
  if (!isBlockPointer(ptr)) {
    if (!boundaryCheck.empty())
      return op->emitOpError() << "expected boundaryCheck only with a block pointer, but the pointer is "
                               << ptr;
    return success();
  }
  if (mask)
    return op->emitOpError()
           << "expected boundaryCheck instead of a mask, since the pointer is the block pointer " << ptr;
  int64_t rank = shapeOf(pointeeOf(ptr)).size();
  SmallVector<bool> seen(rank, false);
  for (int32_t dim : boundaryCheck) {
    if (dim < 0 || dim >= rank || seen[dim])
      return op->emitOpError() << "expected boundaryCheck to name dimensions from 0 to " << rank - 1
                               << ", each at most once, but found " << dim;
    seen[dim] = true;
  }
  return success();
}

static LogicalResult verifyCache(Operation *op, CacheModifier cache, ArrayRef<CacheModifier> allowed) {
  if (cache == CacheModifier::None || llvm::is_contained(allowed, cache))
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected one of the cache modifiers none";
  for (CacheModifier modifier : allowed)
    error << ", " << stringifyCacheModifier(modifier);
  return error << ", but found " << stringifyCacheModifier(cache);
}

LogicalResult LoadOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(expectType(*this, "result", getType(), pointeeOf(ptr))) ||
      failed(verifyMask(*this, getMask(), getType())))
    return failure();
  if (getOther()) {
    if (!getMask())
      return emitOpError() << "expected a mask beside the value of masked-off lanes, but found none";
    if (failed(expectType(*this, "value of masked-off lanes", getOther().getType(), getType())))
      return failure();
  }
  if (failed(verifyBlockAccess(*this, ptr, getBoundaryCheck(), getMask())))
    return failure();
  if (getPadding() && !isBlockPointer(ptr))
    return emitOpError() << "expected padding only with a block pointer, but the pointer is " << ptr;
  if (getPadding() == PaddingOption::Nan && !isFloatLike(getType()))
    return emitOpError() << "expected floats where padding is NaN, but found " << getType();
  return verifyCache(*this, getCache(),
                     {CacheModifier::Ca, CacheModifier::Cg, CacheModifier::Cs, CacheModifier::Cv});
}

LogicalResult StoreOp::verify() {
  Type ptr = getPtr().getType();
  Type pointee = pointeeOf(ptr);
  if (failed(expectType(*this, "stored value", getValue().getType(), pointee)) ||
      failed(verifyMask(*this, getMask(), pointee)) ||
      failed(verifyBlockAccess(*this, ptr, getBoundaryCheck(), getMask())))
    return failure();
  if (pointerOf(ptr).getAddressSpace() == PtrType::kConstantAddressSpace)
    return emitOpError() << "expected a pointer to memory that may be written, but found " << ptr;
  return verifyCache(*this, getCache(),
                     {CacheModifier::Wb, CacheModifier::Cg, CacheModifier::Cs, CacheModifier::Wt});
}

//===----------------------------------------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------------------------------------===//

static LogicalResult verifyAtomicPointer(Operation *op, Type ptr) {
  if (isBlockPointer(ptr))
    return op->emitOpError()
           << "expected a pointer to a scalar or a tensor of such, but found the block pointer " << ptr;
  return success();
}

static LogicalResult verifySemantic(Operation *op, MemSemantic found, MemSemantic ordered) {
  if (found == MemSemantic::Relaxed || found == ordered)
    return success();
  return op->emitOpError() << "expected the memory semantic relaxed or " << stringifyMemSemantic(ordered)
                           << ", but found " << stringifyMemSemantic(found);
}

static LogicalResult verifyRmwElement(Operation *op, RmwKind kind, Type value) {
  Type element = elementOf(value);
  if (kind == RmwKind::Exch)
    return success();
  if (kind == RmwKind::FAdd) {
    if (isFloatElement(element))
      return success();
    return op->emitOpError() << "expected floats for fadd, but found " << value;
  }
  if (isIntElement(element))
    return success();
  return op->emitOpError() << "expected integers for " << stringifyRmwKind(kind) << ", but found " << value;
}

LogicalResult AtomicRMWOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAtomicPointer(*this, ptr)) ||
      failed(expectType(*this, "value", getVal().getType(), pointeeOf(ptr))) ||
      failed(expectType(*this, "result", getType(), pointeeOf(ptr))) ||
      failed(verifyMask(*this, getMask(), getType())))
    return failure();
  return verifyRmwElement(*this, getAtomicRmwOp(), getVal().getType());
}

LogicalResult AtomicCASOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAtomicPointer(*this, ptr)) ||
      failed(expectType(*this, "compared value", getCmp().getType(), pointeeOf(ptr))) ||
      failed(expectType(*this, "new value", getVal().getType(), pointeeOf(ptr))))
    return failure();
  return expectType(*this, "result", getType(), pointeeOf(ptr));
}

LogicalResult AtomicLoadOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAtomicPointer(*this, ptr)) ||
      failed(expectType(*this, "result", getType(), pointeeOf(ptr))) ||
      failed(verifyMask(*this, getMask(), getType())))
    return failure();
  return verifySemantic(*this, getSem(), MemSemantic::Acquire);
}

LogicalResult AtomicStoreOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAtomicPointer(*this, ptr)) ||
      failed(expectType(*this, "stored value", getVal().getType(), pointeeOf(ptr))) ||
      failed(verifyMask(*this, getMask(), getVal().getType())))
    return failure();
  return verifySemantic(*this, getSem(), MemSemantic::Release);
}

LogicalResult AtomicPollOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyAtomicPointer(*this, ptr)) ||
      failed(expectType(*this, "wanted value", getExpected().getType(), pointeeOf(ptr))) ||
      failed(expectType(*this, "result", getType(), maskOf(getExpected().getType()))))
    return failure();
  if (elementBits(getExpected().getType()) < 16)
    return emitOpError() << "expected integers of 16, 32 or 64 bits, but found " << getExpected().getType();
  return verifySemantic(*this, getSem(), MemSemantic::Acquire);
}

} // namespace trisect::tt
