//===- Helpers.cpp - what a call computes, beside the call ----------------------------------------------===//
#include "core/passes/Helpers.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace trisect::tt {

using namespace mlir;

Helpers::~Helpers() {
  for (Operation *op : llvm::reverse(made))
    if (op->use_empty())
      op->erase();
}

bool Helpers::computes(CallOp call) {
  auto function = SymbolTable::lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
  if (!function || function.isDeclaration() || !function.getBody().hasOneBlock() ||
      function == call->getParentOfType<FuncOp>())
    return false;
  return llvm::all_of(function.getBody().front().without_terminator(), [](Operation &op) {
    auto inner = dyn_cast<CallOp>(op);
    return inner ? computes(inner) : isMemoryEffectFree(&op);
  });
}

Value Helpers::beside(OpResult result) {
  auto call = cast<CallOp>(result.getOwner());
  auto [at, fresh] = known.try_emplace(call);
  if (fresh && computes(call)) {
    auto function = SymbolTable::lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
    Block &body = function.getBody().front();
    OpBuilder builder(call->getContext());
    builder.setInsertionPointAfter(call);
    IRMapping values;
    values.map(body.getArguments(), call.getOperands());
    for (Operation &op : body.without_terminator()) {
      Operation *copy = builder.clone(op, values);
      copy->setLoc(call.getLoc());
      made.push_back(copy);
    }
    for (Value given : body.getTerminator()->getOperands())
      at->second.push_back(values.lookup(given));
  }
  return at->second.empty() ? Value() : at->second[result.getResultNumber()];
}

} // namespace trisect::tt
