//===- TypeExpander.cpp - taking compound values apart --------------------------------------------------===//
#include "core/passes/TypeExpander.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include <numeric>

using namespace mlir;

namespace trisect::tt {

constexpr llvm::StringLiteral kSegmentSizes = "operandSegmentSizes";

static bool onlyPassesValuesOn(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp, cf::BranchOp,
             cf::CondBranchOp, CallOp, ReturnOp>(op);
}

bool TypeExpander::touches(Operation *op) const {
  auto expandsType = [this](Type type) { return expands(type); };
  return llvm::any_of(op->getOperandTypes(), expandsType) || llvm::any_of(op->getResultTypes(), expandsType);
}

SmallVector<Type> TypeExpander::expandTypes(TypeRange types) const {
  SmallVector<Type> expanded;
  for (Type type : types) {
    SmallVector<Type> parts = partsOf(type);
    if (parts.empty())
      expanded.push_back(type);
    else
      expanded.append(parts);
  }
  return expanded;
}

bool TypeExpander::isJoin(UnrealizedConversionCastOp op) const {
  return op.getNumResults() == 1 && expands(op.getType(0)) &&
         TypeRange(op.getInputs()) == TypeRange(partsOf(op.getType(0)));
}

bool TypeExpander::isSplit(UnrealizedConversionCastOp op) const {
  return op.getNumOperands() == 1 && expands(op.getOperand(0).getType()) &&
         op.getResultTypes() == TypeRange(partsOf(op.getOperand(0).getType()));
}

SmallVector<Value> TypeExpander::split(OpBuilder &builder, Value whole) {
  if (auto joined = whole.getDefiningOp<UnrealizedConversionCastOp>(); joined && isJoin(joined))
    return joined.getInputs();
  auto cast = builder.create<UnrealizedConversionCastOp>(whole.getLoc(), partsOf(whole.getType()), whole);
  return cast.getResults();
}

Value TypeExpander::join(OpBuilder &builder, Type whole, ValueRange parts) {
  return builder.create<UnrealizedConversionCastOp>(parts.front().getLoc(), whole, parts).getResult(0);
}

void TypeExpander::expandArguments(Block &block) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (unsigned index = 0; index < block.getNumArguments();) {
    BlockArgument whole = block.getArgument(index);
    SmallVector<Type> types = partsOf(whole.getType());
    if (types.empty()) {
      ++index;
      continue;
    }
    SmallVector<Value> parts;
    for (auto [offset, type] : llvm::enumerate(types))
      parts.push_back(block.insertArgument(index + 1 + offset, type, whole.getLoc()));
    whole.replaceAllUsesWith(join(builder, whole.getType(), parts));
    block.eraseArgument(index);
    index += parts.size();
  }
}

/// Attributes of an argument or result go to its first part, the base pointer.
static SmallVector<DictionaryAttr> expandAttributes(MLIRContext *context, TypeRange types,
                                                    ArrayAttr attributes,
                                                    const TypeExpander::Parts &partsOf) {
  SmallVector<DictionaryAttr> expanded;
  for (auto [index, type] : llvm::enumerate(types)) {
    expanded.push_back(attributes ? cast<DictionaryAttr>(attributes[index]) : DictionaryAttr::get(context));
    for (size_t part = 1; part < partsOf(type).size(); ++part)
      expanded.push_back(DictionaryAttr::get(context));
  }
  return expanded;
}

void TypeExpander::expandSignature(Operation *op) {
  auto func = cast<FuncOp>(op);
  TypeRange inputs = func.getArgumentTypes(), results = func.getResultTypes();
  SmallVector<DictionaryAttr> inputAttributes =
      expandAttributes(op->getContext(), inputs, func.getArgAttrsAttr(), partsOf);
  SmallVector<DictionaryAttr> resultAttributes =
      expandAttributes(op->getContext(), results, func.getResAttrsAttr(), partsOf);
  func.setFunctionType(FunctionType::get(op->getContext(), expandTypes(inputs), expandTypes(results)));
  func.setAllArgAttrs(inputAttributes);
  func.setAllResultAttrs(resultAttributes);
}

void TypeExpander::rebuild(Operation *op) {
  OpBuilder builder(op);
  SmallVector<Value> operands;
  SmallVector<int32_t> partCounts;
  for (Value operand : op->getOperands()) {
    SmallVector<Value> parts =
        expands(operand.getType()) ? split(builder, operand) : SmallVector<Value>{operand};
    partCounts.push_back(parts.size());
    operands.append(parts);
  }

  NamedAttrList attributes(op->getAttrs());
  if (auto segments = dyn_cast_or_null<DenseI32ArrayAttr>(attributes.get(kSegmentSizes))) {
    SmallVector<int32_t> sizes;
    ArrayRef<int32_t> rest(partCounts);
    for (int32_t size : segments.asArrayRef()) {
      sizes.push_back(std::accumulate(rest.begin(), rest.begin() + size, 0));
      rest = rest.drop_front(size);
    }
    attributes.set(kSegmentSizes, builder.getDenseI32ArrayAttr(sizes));
  }

  OperationState state(op->getLoc(), op->getName().getStringRef(), operands,
                       expandTypes(op->getResultTypes()), attributes.getAttrs(), op->getSuccessors());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *expanded = builder.create(state);

  SmallVector<Value> results;
  unsigned next = 0;
  for (Type type : op->getResultTypes()) {
    unsigned count = std::max<size_t>(1, partsOf(type).size());
    ValueRange parts = expanded->getResults().slice(next, count);
    results.push_back(expands(type) ? join(builder, type, parts) : parts.front());
    next += count;
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

void TypeExpander::rebuildSelect(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  OpBuilder builder(op);
  SmallVector<Value> parts;
  for (auto [onTrue, onFalse] :
       llvm::zip_equal(split(builder, select.getTrueValue()), split(builder, select.getFalseValue())))
    parts.push_back(builder.create<arith::SelectOp>(op->getLoc(), select.getCondition(), onTrue, onFalse));
  select.replaceAllUsesWith(join(builder, select.getType(), parts));
  select.erase();
}

void TypeExpander::rebuildPoison(Operation *op) {
  OpBuilder builder(op);
  Type whole = op->getResult(0).getType();
  SmallVector<Value> parts;
  for (Type type : partsOf(whole))
    parts.push_back(builder.create<ub::PoisonOp>(op->getLoc(), type));
  op->replaceAllUsesWith(ValueRange{join(builder, whole, parts)});
  op->erase();
}

void TypeExpander::expandStructure() {
  SmallVector<Block *> blocks;
  module.walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    expandArguments(*block);

  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<FuncOp>(op) || touches(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (isa<FuncOp>(op))
      expandSignature(op);
    else if (onlyPassesValuesOn(op))
      rebuild(op);
    else if (isa<arith::SelectOp>(op))
      rebuildSelect(op);
    else if (isa<ub::PoisonOp>(op))
      rebuildPoison(op);
  }
}

LogicalResult TypeExpander::finish() {
  SmallVector<UnrealizedConversionCastOp> joins, splits;
  module.walk([&](UnrealizedConversionCastOp op) {
    if (isSplit(op))
      splits.push_back(op);
    else if (isJoin(op))
      joins.push_back(op);
  });
  for (UnrealizedConversionCastOp op : splits) {
    auto source = op->getOperand(0).getDefiningOp<UnrealizedConversionCastOp>();
    if (source && isJoin(source)) {
      op->replaceAllUsesWith(source->getOperands());
      op->erase();
    }
  }
  for (UnrealizedConversionCastOp op : joins) {
    if (!op->use_empty())
      return (*op->user_begin())->emitOpError()
             << "cannot take apart its operand of type " << op->getResult(0).getType();
    op->erase();
  }
  WalkResult rest = module.walk([&](Operation *op) {
    if (!touches(op))
      return WalkResult::advance();
    auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
    if (cast && isSplit(cast))
      op = op->getOperand(0).getDefiningOp();
    op->emitOpError() << "makes a value that cannot be taken apart";
    return WalkResult::interrupt();
  });
  return failure(rest.wasInterrupted());
}

} // namespace trisect::tt
