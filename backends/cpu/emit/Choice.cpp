//===- Choice.cpp - two sides of an scf.if --------------------------------------------------------------===//
#include "backends/cpu/emit/Choice.h"

using namespace mlir;

namespace trisect::cpu {

scf::IfOp eitherWay(Code &code, Type type, Value condition, llvm::function_ref<Value()> yes,
                    llvm::function_ref<Value()> no) {
  auto choice = code.b.create<scf::IfOp>(code.loc, type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(choice.thenBlock());
  code.b.create<scf::YieldOp>(code.loc, yes());
  code.b.setInsertionPointToStart(choice.elseBlock());
  code.b.create<scf::YieldOp>(code.loc, no());
  return choice;
}

} // namespace trisect::cpu
