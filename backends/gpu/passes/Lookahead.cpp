//===- Lookahead.cpp - what a loop needs to know of its later iterations --------------------------------===//
#include "backends/gpu/passes/Lookahead.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::gpu {

bool Lookahead::reach(Value value, llvm::SetVector<Operation *> &found, llvm::SetVector<unsigned> &taken) {
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value each = open.pop_back_val();
    if (loop.isDefinedOutsideOfLoop(each) || each == loop.getInductionVar())
      continue;
    if (auto argument = dyn_cast<BlockArgument>(each)) {
      if (argument.getOwner() != loop.getBody())
        return false;
      unsigned position = argument.getArgNumber() - loop.getNumInductionVars();
      if (taken.insert(position))
        open.push_back(loop.getYieldedValues()[position]);
      continue;
    }
    Operation *op = each.getDefiningOp();
    if (op->getBlock() != loop.getBody() || op->getNumRegions() || !isPure(op))
      return false;
    if (found.insert(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  return true;
}

bool Lookahead::add(ValueRange values) {
  llvm::SetVector<Operation *> found = ops;
  llvm::SetVector<unsigned> taken(arguments.begin(), arguments.end());
  for (Value value : values)
    if (!reach(value, found, taken))
      return false;
  ops = std::move(found);
  arguments.assign(taken.begin(), taken.end());
  return true;
}

void Lookahead::repeat(OpBuilder &builder, IRMapping &mapping) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (ops.contains(&op))
      builder.clone(op, mapping);
}

SmallVector<Value> Lookahead::next(const IRMapping &mapping) {
  SmallVector<Value> values;
  for (unsigned position : arguments)
    values.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[position]));
  return values;
}

} // namespace trisect::gpu
