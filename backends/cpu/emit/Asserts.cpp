//===- Asserts.cpp - tt.assert --------------------------------------------------------------------------===//
//
// What: tests a condition chunk by chunk and leaves the program through AssertHook if a lane is false.
// Limits: the message names program and line, not the element: tier 0 does.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Locations.h"
#include "core/passes/RequireDefined.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

// Leaves the program with the number of the assertion and a value that its report may name.
void BlockEmitter::emitCheck(Assertion assertion, Value holds, Value value) {
  Code c = state.code();
  auto id = static_cast<int64_t>(state.asserts.size());
  state.asserts.push_back(std::move(assertion));
  auto branch = c.b.create<scf::IfOp>(c.loc, c.negate(holds), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(c.b);
  c.b.setInsertionPointToStart(branch.thenBlock());
  auto pointer = LLVM::LLVMPointerType::get(c.b.getContext());
  Value hook = c.pointer(state.scratch);
  Value function = c.b.create<LLVM::LoadOp>(c.loc, pointer, hook, alignof(AssertHook));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(c.b.getContext()), {pointer, c.i64(), c.i64()});
  c.b.create<LLVM::CallOp>(c.loc, type, ValueRange{function, hook, c.i64(id), value})
      .setCConv(LLVM::cconv::CConv::PreserveAll);
}

void BlockEmitter::emitAssert(tt::AssertOp op) {
  Value condition = op.getCondition();
  groups.require(condition);
  groups.flushAll();
  state.loc = op.getLoc();
  auto test = [&](Value holds) {
    AssertionKind kind = op->hasAttr(tt::kDefinedAttr) ? AssertionKind::Undefined : AssertionKind::User;
    Assertion assertion{kind, op.getMessage().str(), tt::positionOf(op.getLoc())};
    emitCheck(std::move(assertion), holds, state.code().i64(0));
  };

  if (!isa<RankedTensorType>(condition.getType()))
    return test(state.scalar(condition));
  ArrayRef<int64_t> shape = ttShape(condition.getType());
  ElementLoops loops(state);
  int64_t length = shape.empty() ? 1 : shape.back();
  unsigned lanes = static_cast<unsigned>(std::min<int64_t>(length, chunkLanes));
  loops.evaluator.nest.lanes = lanes;
  ArrayRef<int64_t> rows = shape.empty() ? shape : shape.drop_back();
  loops.forEach(rows, [&](const Index &row) {
    auto chunk = [&](LaneValue here) {
      Code c = state.code();
      Index index = row;
      if (!shape.empty())
        index.push_back(lanes > 1 ? LaneValue{LaneValue::Kind::Strided, here.value, c.i64(1), here.level}
                                  : here);
      test(c.allTrue(toVector(c, loops.evaluator.at(condition, index), lanes)));
    };
    loops.loop(0, length, lanes, chunk);
  });
}

} // namespace trisect::cpu
