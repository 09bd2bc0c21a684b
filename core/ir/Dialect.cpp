//===- Dialect.cpp - what the tt dialect registers ------------------------------------------------------===//
#include "core/ir/Dialect.h"
#include "core/ir/Inliner.h"
#include "core/ir/LegacyOps.h"
#include "core/ir/MathFunctions.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include "core/ir/Dialect.cpp.inc"

using namespace mlir;

namespace trisect::tt {

void TTDialect::initialize() {
  getContext()->loadDialect<MathFunctions>();
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "core/ir/ArithOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/BlockPointerOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/DebugOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/DescriptorOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/FuncOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/LegacyOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/MemoryOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/PointerOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/RegionOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "core/ir/ShapeOps.cpp.inc"
      >();
  addInterfaces<TileInlinerInterface>();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttrInterface>(value))
    return builder.create<ub::PoisonOp>(loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// A hint is an i32, or one number a dimension.
static LogicalResult verifyHint(function_ref<InFlightDiagnostic()> emitError, NamedAttribute attribute) {
  if (!llvm::is_contained(
          {StringRef(kDivisibilityAttr), StringRef(kContiguityAttr), StringRef(kConstancyAttr)},
          attribute.getName().getValue()))
    return success();
  auto positive = [](const APInt &value) { return value.isStrictlyPositive(); };
  if (auto number = dyn_cast<IntegerAttr>(attribute.getValue()))
    if (number.getType().isSignlessInteger(32) && positive(number.getValue()))
      return success();
  if (auto numbers = dyn_cast<DenseIntElementsAttr>(attribute.getValue()))
    if (numbers.getElementType().isSignlessInteger(32) && llvm::all_of(numbers.getValues<APInt>(), positive))
      return success();
  return emitError() << "expected '" << attribute.getName().getValue()
                     << "' as a positive i32 or a tensor of positive i32, but found " << attribute.getValue();
}

LogicalResult TTDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyHint([op] { return op->emitOpError(); }, attribute);
}

LogicalResult TTDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                  NamedAttribute attribute) {
  return verifyHint([&] { return op->emitOpError() << "argument #" << argIndex << ": "; }, attribute);
}

} // namespace trisect::tt
