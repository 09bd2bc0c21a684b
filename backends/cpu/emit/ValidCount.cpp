//===- ValidCount.cpp - the first element of an index and its limit -------------------------------------===//
#include "backends/cpu/emit/ValidCount.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
Value uniform(KernelState &state, Value block) {
  DenseIntElementsAttr constant;
  if (matchPattern(block, m_Constant(&constant)))
    return state.code().integer(state.builder.getI32Type(), constant.getSplatValue<APInt>().getSExtValue());
  return state.scalars.lookup(block.getDefiningOp<tt::SplatOp>().getSrc());
}

// Of an index that grows by one; it wraps as the index does.
Value firstOf(KernelState &state, Value index) {
  Code c = state.code();
  if (auto range = index.getDefiningOp<tt::MakeRangeOp>())
    return c.integer(c.i32(), static_cast<int32_t>(range.getStart()));
  auto sum = index.getDefiningOp<arith::AddIOp>();
  Value shift = sum.getLhs(), rest = sum.getRhs();
  if (!isUniformBlock(shift))
    std::swap(shift, rest);
  Value by = uniform(state, shift), first = firstOf(state, rest);
  return by && first ? c.add(by, first) : Value();
}
} // namespace

ValidCount emitValidCount(KernelState &state, const Bound &bound) {
  Value start = firstOf(state, bound.index), limit = uniform(state, bound.limit);
  if (!start || !limit)
    return {};
  Code c = state.code();
  start = c.sext(start, c.i64());
  int64_t extent = ttShape(bound.index.getType())[0];
  Value all = c.i64(extent);
  Value count = c.make<arith::MaxSIOp>(c.sub(c.sext(limit, c.i64()), start), c.i64(0));
  count = c.make<arith::MinSIOp>(count, all);
  // The last index is the greatest that there is, or less.
  Value wraps = c.cmp(arith::CmpIPredicate::sgt, start, c.i64(int64_t(INT32_MAX) + 1 - extent));
  return {c.select(wraps, c.i64(0), count), c.select(wraps, all, count)};
}

} // namespace trisect::cpu
