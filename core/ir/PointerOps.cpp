//===- PointerOps.cpp - pointer arithmetic and bit casts ------------------------------------------------===//
#include "core/ir/PointerOps.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"
#include "mlir/IR/Matchers.h"

#define GET_OP_CLASSES
#include "core/ir/PointerOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

LogicalResult AddPtrOp::verify() {
  if (isBlockPointer(getPtr().getType()))
    return emitOpError()
           << "expected a pointer to a scalar (a block pointer moves with tt.advance), but found "
           << getPtr().getType();
  if (failed(expectType(*this, "result", getType(), getPtr().getType())))
    return failure();
  return expectSameShape(*this, "offset", getOffset().getType(), "pointer", getPtr().getType());
}

LogicalResult IntToPtrOp::verify() {
  return expectSameShape(*this, "result", getType(), "address", getSrc().getType());
}

LogicalResult PtrToIntOp::verify() {
  return expectSameShape(*this, "result", getType(), "pointer", getSrc().getType());
}

LogicalResult BitcastOp::verify() {
  Type from = getSrc().getType(), to = getType();
  if (failed(expectSameShape(*this, "result", to, "operand", from)))
    return failure();
  PtrType fromPtr = pointerOf(from), toPtr = pointerOf(to);
  if (static_cast<bool>(fromPtr) != static_cast<bool>(toPtr))
    return emitOpError() << "expected two pointers or two numbers, but found " << from << " and " << to;
  if (fromPtr && fromPtr.getAddressSpace() != toPtr.getAddressSpace())
    return emitOpError() << "expected pointers into one address space, but found " << from << " and " << to;
  if (elementBits(from) != elementBits(to))
    return emitOpError() << "expected types of one width, but found " << from << " (" << elementBits(from)
                         << " bits) and " << to << " (" << elementBits(to) << " bits)";
  return success();
}

//===----------------------------------------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------------------------------------===//

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return matchPattern(adaptor.getOffset(), m_Zero()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

/// A conversion there and back leaves the value.
template <typename Inverse, typename Op> static OpFoldResult foldInverse(Op op) {
  auto inverse = op.getSrc().template getDefiningOp<Inverse>();
  return inverse && inverse.getSrc().getType() == op.getType() ? OpFoldResult(inverse.getSrc())
                                                               : OpFoldResult();
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) { return foldInverse<PtrToIntOp>(*this); }
OpFoldResult PtrToIntOp::fold(FoldAdaptor) { return foldInverse<IntToPtrOp>(*this); }

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldInverse<BitcastOp>(*this);
}

} // namespace trisect::tt
