//===- RegionTies.cpp - values that stand for one another across regions and blocks ---------------------===//
#include "backends/gpu/passes/RegionTies.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace trisect::gpu {

RegionTies::RegionTies(Operation *root) {
  root->walk([&](Operation *op) {
    addLoop(op);
    addBranch(op);
  });
}

Value RegionTies::ownerOf(Value value) const {
  auto found = owners.find(value);
  return found == owners.end() ? value : found->second;
}

ArrayRef<Value> RegionTies::membersOf(Value owner) const {
  auto found = members.find(owner);
  return found == members.end() ? ArrayRef<Value>() : ArrayRef<Value>(found->second);
}

ArrayRef<OpOperand *> RegionTies::incomingOf(Value owner) const {
  auto found = incoming.find(owner);
  return found == incoming.end() ? ArrayRef<OpOperand *>() : ArrayRef<OpOperand *>(found->second);
}

Value RegionTies::flowsInto(OpOperand &operand) const { return targets.lookup(&operand); }

void RegionTies::join(Value owner, Value member) {
  if (!isa<RankedTensorType>(owner.getType()))
    return;
  members[owner].push_back(member);
  owners[member] = owner;
}

void RegionTies::flow(OpOperand &operand, Value into) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return;
  Value owner = ownerOf(into);
  incoming[owner].push_back(&operand);
  targets[&operand] = owner;
}

void RegionTies::addLoop(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      join(argument, argument);
      join(argument, loop.getResult(index));
      flow(loop.getInitsMutable()[index], argument);
      flow(yield->getOpOperand(index), argument);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [index, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      join(argument, argument);
      flow(loop.getInitsMutable()[index], argument);
      flow(loop.getYieldOp()->getOpOperand(index), argument);
    }
    for (auto [index, argument] : llvm::enumerate(loop.getAfterArguments())) {
      join(argument, argument);
      join(argument, loop.getResult(index));
      flow(loop.getConditionOp()->getOpOperand(index + 1), argument);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (OpResult result : branch.getResults()) {
      join(result, result);
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        flow(region->front().getTerminator()->getOpOperand(result.getResultNumber()), result);
    }
  }
}

void RegionTies::addBranch(Operation *op) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return;
  for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    MutableOperandRange forwarded = operands.getMutableForwardedOperands();
    unsigned produced = operands.getProducedOperandCount();
    for (unsigned position = 0; position < forwarded.size(); ++position) {
      Value argument = block->getArgument(position + produced);
      if (!owners.contains(argument))
        join(argument, argument);
      flow(forwarded[position], argument);
    }
  }
}

} // namespace trisect::gpu
