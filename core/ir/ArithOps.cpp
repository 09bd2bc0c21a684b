//===- ArithOps.cpp - elementwise arithmetic ------------------------------------------------------------===//
//
// What: text and rules of the elementwise ops; the matrix products are in DotOps.cpp.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/ArithOps.h"
#include "core/ir/AsmDirectives.h"
#include "core/ir/Verify.h"

#define GET_OP_CLASSES
#include "core/ir/ArithOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

/// All operands and the result have the type of operand #0.
static LogicalResult verifySameTypes(Operation *op) {
  Type type = op->getOperand(0).getType();
  for (auto [index, operand] : llvm::enumerate(op->getOperandTypes()))
    if (failed(expectType(op, ("operand #" + Twine(index)).str(), operand, type)))
      return failure();
  return expectType(op, "result", op->getResult(0).getType(), type);
}

LogicalResult ClampFOp::verify() { return verifySameTypes(*this); }
LogicalResult PreciseSqrtOp::verify() { return verifySameTypes(*this); }
LogicalResult PreciseDivFOp::verify() { return verifySameTypes(*this); }
LogicalResult ApproxDivFOp::verify() { return verifySameTypes(*this); }
LogicalResult MulhiUIOp::verify() { return verifySameTypes(*this); }

LogicalResult FpToFpOp::verify() {
  Type from = getSrc().getType(), to = getType();
  if (failed(expectSameShape(*this, "result", to, "operand", from)))
    return failure();
  if (elementBits(to) < elementBits(from) && !getRounding())
    return emitOpError() << "expected a rounding (rounding = rtne or rtz), since " << elementOf(to)
                         << " is narrower than " << elementOf(from) << ", but found none";
  return success();
}

OpFoldResult FpToFpOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? OpFoldResult(getSrc()) : OpFoldResult();
}

} // namespace trisect::tt
