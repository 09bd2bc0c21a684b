//===- Choice.cpp - two sides of an scf.if --------------------------------------------------------------===//
#include "backends/cpu/emit/Choice.h"

using namespace mlir;

namespace trisect::cpu {

scf::IfOp eitherWay(Code &code, TypeRange types, Value condition,
                    llvm::function_ref<SmallVector<Value>(bool)> body) {
  auto choice = code.b.create<scf::IfOp>(code.loc, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(code.b);
  for (bool yes : {true, false}) {
    code.b.setInsertionPointToStart(yes ? choice.thenBlock() : choice.elseBlock());
    SmallVector<Value> values = body(yes);
    if (!types.empty())
      code.b.create<scf::YieldOp>(code.loc, values);
  }
  return choice;
}

} // namespace trisect::cpu
