//===- Elementwise.cpp - operations that work on each element alone -------------------------------------===//
#include "core/analysis/Elementwise.h"
#include "core/ir/Ops.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::tt {

static bool isElementwise(Operation *op) {
  if (auto assembly = dyn_cast<ElementwiseInlineAsmOp>(op))
    return assembly.getPackedElement() == 1;
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<AddPtrOp, IntToPtrOp, PtrToIntOp, BitcastOp, ClampFOp, FpToFpOp, PreciseSqrtOp, PreciseDivFOp,
             ApproxDivFOp, MulhiUIOp, ExternElementwiseOp>(op);
}

bool isPureElementwise(Operation *op) { return isElementwise(op) && isMemoryEffectFree(op); }

} // namespace trisect::tt
