//===- BlockPointerOps.cpp - rules of block pointers ----------------------------------------------------===//
#include "core/ir/BlockPointerOps.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"
#include "mlir/IR/Matchers.h"

#define GET_OP_CLASSES
#include "core/ir/BlockPointerOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

LogicalResult MakeTensorPtrOp::verify() {
  auto ptr = cast<PtrType>(getType());
  size_t rank = shapeOf(ptr.getPointeeType()).size();
  StringRef why = "one for each dimension of the block";
  if (failed(expectCount(*this, "sizes", getShape().size(), rank, why)) ||
      failed(expectPermutation(*this, getOrder(), rank)))
    return failure();
  return expectType(*this, "base", getBase().getType(),
                    PtrType::get(elementOf(ptr.getPointeeType()), ptr.getAddressSpace()));
}

LogicalResult AdvanceOp::verify() {
  if (failed(expectType(*this, "result", getType(), getPtr().getType())))
    return failure();
  size_t rank = shapeOf(cast<PtrType>(getType()).getPointeeType()).size();
  return expectCount(*this, "offsets", getOffsets().size(), rank, "one for each dimension of the block");
}

OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  bool stays =
      llvm::all_of(adaptor.getOffsets(), [](Attribute offset) { return matchPattern(offset, m_Zero()); });
  return stays ? OpFoldResult(getPtr()) : OpFoldResult();
}

} // namespace trisect::tt
