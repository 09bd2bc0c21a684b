//===- Masks.cpp - when a mask is true for a whole block ------------------------------------------------===//
#include "backends/cpu/emit/Masks.h"
#include "backends/cpu/emit/Intervals.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {

/// The condition under which each element of one block compares true with each element of another.
class Truth {
public:
  explicit Truth(KernelState &state) : state(state), intervals(state) {}

  Value of(Value mask) {
    Code code = state.code();
    if (state.buffers.count(mask))
      return {};
    if (!isa<RankedTensorType>(mask.getType()))
      return state.scalar(mask);
    DenseElementsAttr constant;
    if (matchPattern(mask, m_Constant(&constant)))
      return constant.isSplat() ? code.integer(code.i1(), constant.getSplatValue<APInt>().getBoolValue())
                                : Value();
    Operation *op = mask.getDefiningOp();
    if (!op)
      return {};
    if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp>(op))
      return of(op->getOperand(0));
    if (isa<arith::AndIOp, arith::OrIOp>(op)) {
      Value a = of(op->getOperand(0)), b = of(op->getOperand(1));
      if (isa<arith::OrIOp>(op))
        return a && b ? code.either(a, b) : a ? a : b;
      return a && b ? code.both(a, b) : Value();
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return ofComparison(compare);
    return {};
  }

  Value holds() const { return intervals.holds(); }

private:
  Value ofComparison(arith::CmpIOp compare) {
    std::optional<Intervals::Ends> a = intervals.of(compare.getLhs()), b = intervals.of(compare.getRhs());
    // The bounds of i1 count bits, which compare otherwise where they have signs.
    if (!a || !b || ttElement(compare.getLhs().getType()).isInteger(1))
      return {};
    Code code = state.code();
    auto cmp = [&](CmpIPredicate predicate, const Intervals::End &x, const Intervals::End &y) {
      return intervals.compare(predicate, x, y);
    };
    auto unsignedToo = [&](Value truth) {
      Intervals::End zero = intervals.number(0);
      return code.both(
          truth, code.both(cmp(CmpIPredicate::sge, a->low, zero), cmp(CmpIPredicate::sge, b->low, zero)));
    };
    switch (compare.getPredicate()) {
    case CmpIPredicate::slt:
      return cmp(CmpIPredicate::slt, a->high, b->low);
    case CmpIPredicate::sle:
      return cmp(CmpIPredicate::sle, a->high, b->low);
    case CmpIPredicate::sgt:
      return cmp(CmpIPredicate::sgt, a->low, b->high);
    case CmpIPredicate::sge:
      return cmp(CmpIPredicate::sge, a->low, b->high);
    case CmpIPredicate::ult:
      return unsignedToo(cmp(CmpIPredicate::slt, a->high, b->low));
    case CmpIPredicate::ule:
      return unsignedToo(cmp(CmpIPredicate::sle, a->high, b->low));
    case CmpIPredicate::ugt:
      return unsignedToo(cmp(CmpIPredicate::sgt, a->low, b->high));
    case CmpIPredicate::uge:
      return unsignedToo(cmp(CmpIPredicate::sge, a->low, b->high));
    case CmpIPredicate::eq:
      return code.both(cmp(CmpIPredicate::sge, a->low, b->high), cmp(CmpIPredicate::sge, b->low, a->high));
    case CmpIPredicate::ne:
      return code.either(cmp(CmpIPredicate::slt, a->high, b->low), cmp(CmpIPredicate::sgt, a->low, b->high));
    }
    return {};
  }

  KernelState &state;
  Intervals intervals;
};

} // namespace

Value emitAllTrue(KernelState &state, Value mask) {
  Truth truth(state);
  Value all = truth.of(mask);
  return all ? state.code().both(all, truth.holds()) : Value();
}

} // namespace trisect::cpu
