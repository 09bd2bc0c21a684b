//===- Creation.cpp - blocks and scalars made from nothing ----------------------------------------------===//
//
// What: constants, ranges, splats, program numbers, undefined values. Undefined is a value that nobody
// chose, not LLVM's poison: it is frozen, here to zero.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// A constant of a storage type from the bits that MLIR keeps.
Constant *constantOf(Emitter &e, mlir::Type type, const APInt &bits) {
  Type *stored = e.elementType(type);
  if (stored->isFloatTy() || stored->isDoubleTy())
    return ConstantFP::get(stored, APFloat(stored->getFltSemantics(), bits));
  return ConstantInt::get(stored, bits.zextOrTrunc(stored->getIntegerBitWidth()));
}

Constant *constantOf(Emitter &e, mlir::Type type, mlir::Attribute attribute) {
  if (auto integer = dyn_cast<mlir::IntegerAttr>(attribute))
    return constantOf(e, type, integer.getValue());
  return constantOf(e, type, cast<mlir::FloatAttr>(attribute).getValue().bitcastToAPInt());
}

/// A block of different values lies in a table of the module; each thread reads its elements.
Parts readTable(Emitter &e, mlir::DenseElementsAttr elements, const Placement &placement) {
  mlir::Type element = elements.getElementType();
  Type *stored = e.elementType(element);
  // A bit takes a byte.
  Type *entry = stored->isIntegerTy(1) ? e.b.getInt8Ty() : stored;
  SmallVector<Constant *> all;
  for (mlir::Attribute attribute : elements.getValues<mlir::Attribute>()) {
    Constant *made = constantOf(e, element, attribute);
    all.push_back(entry == stored ? made : e.b.getInt8(made->isOneValue()));
  }
  auto *type = ArrayType::get(entry, all.size());
  auto *table = new GlobalVariable(*e.b.GetInsertBlock()->getModule(), type, /*isConstant=*/true,
                                   GlobalValue::InternalLinkage, ConstantArray::get(type, all), "constant");
  ArrayRef<int64_t> shape = elements.getType().getShape();
  Parts parts;
  for (unsigned n = 0; n < placement.held(); ++n) {
    Value *position = e.i32(0);
    for (unsigned d = 0; d < shape.size(); ++d)
      position = e.b.CreateAdd(e.b.CreateMul(position, e.i32(static_cast<int32_t>(shape[d]))),
                               e.coordinate(placement, n, d));
    Value *read = e.b.CreateLoad(entry, e.b.CreateGEP(type, table, {e.i32(0), position}));
    parts.push_back(entry == stored ? read : e.b.CreateTrunc(read, stored));
  }
  return parts;
}

void emitConstant(Emitter &e, mlir::arith::ConstantOp op) {
  mlir::Type type = op.getType();
  auto elements = dyn_cast<mlir::DenseElementsAttr>(op.getValue());
  if (!elements)
    return e.set(op, constantOf(e, type, op.getValue()));
  const Placement &placement = e.placement(type);
  if (!elements.isSplat())
    return e.set(op, readTable(e, elements, placement));
  e.set(op, Parts(placement.held(),
                  constantOf(e, tt::elementOf(type), elements.getSplatValue<mlir::Attribute>())));
}

void emitRange(Emitter &e, tt::MakeRangeOp op) {
  const Placement &placement = e.placement(op.getType());
  Parts parts;
  for (unsigned n = 0; n < placement.held(); ++n)
    parts.push_back(e.b.CreateAdd(e.coordinate(placement, n, 0), e.i32(op.getStart())));
  e.set(op, std::move(parts));
}
} // namespace

bool emitCreation(Emitter &e, mlir::Operation *op) {
  if (auto constant = dyn_cast<mlir::arith::ConstantOp>(op)) {
    emitConstant(e, constant);
  } else if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    emitRange(e, range);
  } else if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    e.set(splat, Parts(e.placement(splat.getType()).held(), e.scalar(splat.getSrc())));
  } else if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    e.set(id, e.programId(static_cast<unsigned>(id.getAxis())));
  } else if (auto count = dyn_cast<tt::GetNumProgramsOp>(op)) {
    e.set(count, e.numPrograms(static_cast<unsigned>(count.getAxis())));
  } else if (isa<mlir::ub::PoisonOp, mlir::LLVM::UndefOp>(op)) {
    Parts parts;
    for (Type *type : e.partTypes(op->getResult(0).getType()))
      parts.push_back(e.zero(type));
    e.set(op->getResult(0), std::move(parts));
  } else {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
