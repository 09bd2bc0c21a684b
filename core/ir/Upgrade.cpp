//===- Upgrade.cpp - from any release's spelling to the one that the rest of Trisect knows --------------===//
#include "core/ir/Upgrade.h"
#include "core/ir/LegacyOps.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::tt {

//===----------------------------------------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------------------------------------===//

/// 3.9's cache policy says what two attributes said before.
template <typename AccessOp> static void upgradeCachePolicy(AccessOp op) {
  CachePolicyAttr policy = op.getCachePolicyAttr();
  if (!policy)
    return;
  op.setCache(policy.getCacheModifier());
  op.setEvict(policy.getEvictionPolicy());
  op.removeCachePolicyAttr();
}

/// 3.0 and 3.1 wrote a boolean.
static void upgradeReshape(ReshapeOp op) {
  if (isa_and_present<BoolAttr>(op.getAllowReorderAttr()))
    op.setAllowReorder(op.getAllowReorder());
}

/// 3.0 and 3.1 printed integers as signed.
static void upgradePrint(PrintOp op) {
  if (!op.getIsSigned().empty() || op.getArgs().empty())
    return;
  SmallVector<int32_t> isSigned;
  for (Type type : op.getArgs().getTypes())
    isSigned.push_back(isIntElement(elementOf(type)));
  op.setIsSigned(isSigned);
}

//===----------------------------------------------------------------------------------------------------===//
// Scaled products
//===----------------------------------------------------------------------------------------------------===//

/// 3.2 carried fp8 as bytes.
static void upgradeFactor(DotScaledOp op, OpOperand &factor, ScaledFormat format) {
  Type type = factor.get().getType();
  if (!isTile(type) || !elementOf(type).isSignlessInteger(8))
    return;
  OpBuilder builder(op);
  Type element;
  if (format == ScaledFormat::E4M3)
    element = builder.getFloat8E4M3FNType();
  else if (format == ScaledFormat::E5M2)
    element = builder.getFloat8E5M2Type();
  else
    return;
  factor.set(builder.create<BitcastOp>(op.getLoc(), withElement(type, element), factor.get()));
}

/// The factors are the first two operands, if the operation (not verified yet) names two.
static void upgradeFactors(DotScaledOp op) {
  ArrayRef<int32_t> segments = op.getProperties().getOperandSegmentSizes();
  if (op->getNumOperands() < 2 || segments[0] != 1 || segments[1] != 1 || !op.getAElemTypeAttr() ||
      !op.getBElemTypeAttr())
    return;
  upgradeFactor(op, op->getOpOperand(0), op.getAElemType());
  upgradeFactor(op, op->getOpOperand(1), op.getBElemType());
}

static void upgradeScaledDot(ScaledDotOp op) {
  OpBuilder builder(op);
  auto dot = builder.create<DotScaledOp>(op.getLoc(), op.getType(), op.getA(), op.getB(), op.getC(),
                                         op.getLhsScale(), op.getRhsScale(), op.getLhsType(), op.getRhsType(),
                                         /*fastMath=*/false);
  dot->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.replaceAllUsesWith(dot.getResult());
  op.erase();
  upgradeFactors(dot);
}

//===----------------------------------------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------------------------------------===//

/// 3.0 to 3.2 passed a pointer to the descriptor; 3.3 says so with an operation.
static Value descriptorOf(OpBuilder &builder, Location loc, Value raw, Type block) {
  if (isa<TensorDescType>(raw.getType()))
    return raw;
  auto type = TensorDescType::get(cast<RankedTensorType>(block));
  return builder.create<ReinterpretTensorDescOp>(loc, type, raw);
}

/// The block of a gather or scatter: one row.
static Type rowOf(Type rows) {
  auto type = cast<RankedTensorType>(rows);
  return type.clone({1, type.getShape().back()});
}

static void replace(Operation *old, Operation *op) {
  op->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  old->replaceAllUsesWith(op);
  old->erase();
}

static void upgradeDescriptorLoad(ExperimentalDescriptorLoadOp op) {
  OpBuilder builder(op);
  Value desc = descriptorOf(builder, op.getLoc(), op.getDesc(), op.getType());
  replace(op, builder.create<DescriptorLoadOp>(op.getLoc(), op.getType(), desc, op.getIndices(),
                                               op.getCache(), op.getEvict()));
}

static void upgradeDescriptorStore(ExperimentalDescriptorStoreOp op) {
  OpBuilder builder(op);
  Value desc = descriptorOf(builder, op.getLoc(), op.getDesc(), op.getSrc().getType());
  replace(op, builder.create<DescriptorStoreOp>(op.getLoc(), desc, op.getSrc(), op.getIndices()));
}

static void upgradeDescriptorGather(ExperimentalDescriptorGatherOp op) {
  OpBuilder builder(op);
  Value desc = descriptorOf(builder, op.getLoc(), op.getDesc(), rowOf(op.getType()));
  replace(op, builder.create<DescriptorGatherOp>(op.getLoc(), op.getType(), desc, op.getXOffsets(),
                                                 op.getYOffset()));
}

static void upgradeDescriptorScatter(ExperimentalDescriptorScatterOp op) {
  OpBuilder builder(op);
  Value desc = descriptorOf(builder, op.getLoc(), op.getDesc(), rowOf(op.getSrc().getType()));
  replace(op, builder.create<DescriptorScatterOp>(op.getLoc(), desc, op.getXOffsets(), op.getYOffset(),
                                                  op.getSrc()));
}

//===----------------------------------------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------------------------------------===//

/// What a bundle says is a hint; the condition stays.
static void upgradeAssume(AssumeOp op) {
  op.getContext()->getOrLoadDialect<LLVM::LLVMDialect>();
  OpBuilder builder(op);
  replace(op, builder.create<LLVM::AssumeOp>(op.getLoc(), op.getCondition()));
}

/// An unsigned loop counts as a signed one from bounds with the sign bit flipped: flipping adds 2^(n-1), so
/// order and steps are the same, and flipping the counter gives the unsigned one.
static void upgradeUnsignedFor(UForOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = op.getOperand(0).getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto flip = [&](Value value) -> Value {
    auto signBit = builder.getIntegerAttr(type, APInt::getSignMask(width));
    return builder.create<arith::XOrIOp>(loc, value, builder.create<arith::ConstantOp>(loc, signBit));
  };
  Value lower = flip(op.getOperand(0)), upper = flip(op.getOperand(1));
  auto loop = builder.create<scf::ForOp>(loc, lower, upper, op.getOperand(2), op.getOperands().drop_front(3));
  loop.getRegion().takeBody(op.getBody());
  builder.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar();
  Value unsignedCounter = flip(counter);
  counter.replaceAllUsesExcept(unsignedCounter, unsignedCounter.getDefiningOp());
  replace(op, loop);
}

//===----------------------------------------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------------------------------------===//

LogicalResult upgradeModule(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    if (op->hasTrait<LegacySpelling>() && failed(verify(op, /*verifyRecursively=*/false)))
      return WalkResult::interrupt();
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, StoreOp, DescriptorLoadOp>([](auto access) { upgradeCachePolicy(access); })
        .Case(upgradeReshape)
        .Case(upgradePrint)
        .Case(upgradeFactors)
        .Case(upgradeScaledDot)
        .Case(upgradeDescriptorLoad)
        .Case(upgradeDescriptorStore)
        .Case(upgradeDescriptorGather)
        .Case(upgradeDescriptorScatter)
        .Case(upgradeAssume)
        .Case(upgradeUnsignedFor);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void settleImpliedLocations(ModuleOp module, StringRef name) {
  auto invented = [name](Location loc) {
    auto at = dyn_cast<FileLineColLoc>(loc);
    return at && at.getFilename() == name;
  };
  module.walk([&](Operation *op) {
    if (isa<scf::YieldOp>(op) && op->getNumOperands() == 0 && invented(op->getLoc()))
      op->setLoc(op->getParentOp()->getLoc());
    if (!isa<scf::ForOp, scf::WhileOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (invented(argument.getLoc()))
          argument.setLoc(op->getLoc());
  });
}

} // namespace trisect::tt
