//===- ElementLoops.cpp - loops over single elements ----------------------------------------------------===//
#include "backends/cpu/emit/ElementLoops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

void ElementLoops::loop(int64_t from, int64_t to, int64_t step, llvm::function_ref<void(LaneValue)> body) {
  Code c = state.code();
  if (to - from == step)
    return body(LaneValue::uniform(c.i64(from)));
  auto made = c.b.create<scf::ForOp>(c.loc, c.i64(from), c.i64(to), c.i64(step));
  OpBuilder::InsertionGuard guard(c.b);
  c.b.setInsertionPointToStart(made.getBody());
  evaluator.nest.loops.push_back(made);
  LaneValue here = LaneValue::uniform(made.getInductionVar());
  here.level = evaluator.nest.loops.size();
  body(here);
  evaluator.nest.loops.pop_back();
}

void ElementLoops::forEach(ArrayRef<int64_t> shape, llvm::function_ref<void(const Index &)> body) {
  Index index;
  auto open = [&](auto &self, size_t dimension) -> void {
    if (dimension == shape.size())
      return body(index);
    loop(0, shape[dimension], 1, [&](LaneValue here) {
      index.push_back(here);
      self(self, dimension + 1);
      index.pop_back();
    });
  };
  open(open, 0);
}

size_t laneDimension(ArrayRef<int64_t> shape, size_t axis) {
  size_t found = axis;
  for (size_t d = 0; d < shape.size(); ++d)
    if (d != axis && shape[d] != 1)
      found = d;
  return found;
}

} // namespace trisect::cpu
