//===- Traits.cpp - the size rule of tensors ------------------------------------------------------------===//
#include "core/ir/Traits.h"
#include "core/ir/Dialect.h"
#include "core/ir/Types.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace trisect::tt {

static LogicalResult verifyTensor(function_ref<InFlightDiagnostic()> emitError, RankedTensorType tensor,
                                  const Twine &what) {
  if (Attribute layout = tensor.getEncoding(); layout && !layout.hasTrait<IsTensorLayout>())
    return emitError() << what << " must be a tensor without a layout, but has the layout " << layout;
  int64_t elements = 1;
  for (int64_t size : tensor.getShape()) {
    if (ShapedType::isDynamic(size))
      return emitError() << what << " must have a static shape, but is " << tensor;
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << what << " must have dimensions that are powers of two, but is " << tensor;
    if (size > kMaxTensorElements || (elements *= size) > kMaxTensorElements)
      return emitError() << what << " must have at most " << kMaxTensorElements << " elements, but is "
                         << tensor;
  }
  return success();
}

LogicalResult verifyTileType(function_ref<InFlightDiagnostic()> emitError, Type type, const Twine &what) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return verifyTensor(emitError, tensor, what);
  if (auto ptr = dyn_cast<PtrType>(type))
    return verifyTileType(emitError, ptr.getPointeeType(), "the pointee of " + what);
  if (auto desc = dyn_cast<TensorDescType>(type))
    return verifyTensor(emitError, desc.getBlockType(), "the block of " + what);
  return success();
}

LogicalResult verifyTileOp(Operation *op) {
  auto emitError = [op] { return op->emitOpError(); };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyTileType(emitError, type, "operand #" + Twine(index))))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyTileType(emitError, type, "result #" + Twine(index))))
      return failure();
  return success();
}

} // namespace trisect::tt
