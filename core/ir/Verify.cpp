//===- Verify.cpp - sentences that verifiers share ------------------------------------------------------===//
#include "core/ir/Verify.h"
#include "core/ir/TypeUtils.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace trisect::tt {

/// Layouts follow rules of their own, which the level that has them checks.
static Type withoutLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return type;
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType());
}

LogicalResult expectType(Operation *op, StringRef what, Type found, Type expected) {
  if (found == expected || withoutLayout(found) == withoutLayout(expected))
    return success();
  return op->emitOpError() << "expected " << what << " of type " << expected << ", but found " << found;
}

LogicalResult expectSameShape(Operation *op, StringRef what, Type found, StringRef reference, Type expected) {
  bool bothTensors = isa<RankedTensorType>(found) == isa<RankedTensorType>(expected);
  if (bothTensors && shapeOf(found) == shapeOf(expected))
    return success();
  return op->emitOpError() << "expected " << what << " and " << reference << " of one shape, but found "
                           << found << " and " << expected;
}

LogicalResult expectCount(Operation *op, StringRef what, size_t found, size_t expected, StringRef why) {
  if (found == expected)
    return success();
  return op->emitOpError() << "expected " << expected << " " << what << " (" << why << "), but found "
                           << found;
}

LogicalResult expectRank(Operation *op, StringRef what, Type found, int64_t rank) {
  if (int64_t(shapeOf(found).size()) == rank && isa<RankedTensorType>(found))
    return success();
  return op->emitOpError() << "expected " << what << " of rank " << rank << ", but found " << found;
}

LogicalResult expectAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError() << "expected an axis from 0 to " << rank - 1 << ", but found " << axis;
}

LogicalResult expectPermutation(Operation *op, ArrayRef<int32_t> order, int64_t rank) {
  SmallVector<bool> seen(rank, false);
  bool good = int64_t(order.size()) == rank;
  for (int32_t dim : order) {
    if (!good || dim < 0 || dim >= rank || seen[dim]) {
      good = false;
      break;
    }
    seen[dim] = true;
  }
  if (good)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected an order that names each of " << rank
                                               << " dimensions once, but found [";
  llvm::interleaveComma(order, error);
  return error << "]";
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "[";
  llvm::interleaveComma(shape, out);
  out << "]";
  return text;
}

} // namespace trisect::tt
