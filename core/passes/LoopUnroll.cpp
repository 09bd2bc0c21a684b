//===- LoopUnroll.cpp - unrolling where the kernel asks for it ------------------------------------------===//
//
// What: an scf.for with `tt.loop_unroll_factor = f`, f > 1, becomes a loop with f copies of the body and a
// second loop for the iterations that are left over; inner loops first. Why here and not MLIR's unroller:
// bounds are i32 or i64, and unrolled bounds must not wrap. How: with diff = max(ub, lb) - lb, the first loop
// ends at lb + diff / (step * f) * (step * f), which never exceeds ub; known trip counts are divided exactly.
// Limits: with a step that is not constant, step * f must fit the type. A loop whose copies would be more
// than 2^18 operations stays as it is.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Dialect.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include <optional>

namespace trisect::tt {

#define GEN_PASS_DEF_TRITONLOOPUNROLL
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

std::optional<int64_t> constantOf(Value value) {
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)) && bits.getBitWidth() <= 64)
    return bits.getSExtValue();
  return std::nullopt;
}

/// The bound and step of the first loop, and whether a second is needed.
struct MainLoop {
  Value upperBound;
  Value step;
  bool hasRest;
};

/// Makes loops of `factor` copies out of one loop.
class Unroller {
public:
  Unroller(scf::ForOp loop, int64_t factor)
      : loop(loop), factor(factor), rewriter(loop), location(loop.getLoc()),
        type(loop.getInductionVar().getType()) {}

  /// Leaves the loop alone when fewer than `factor` iterations are known to run.
  void run() {
    std::optional<MainLoop> main = planMainLoop();
    loop->removeAttr(kLoopUnrollFactorAttr);
    if (!main)
      return;
    scf::ForOp unrolled = buildMainLoop(*main);
    if (main->hasRest) {
      loop.getLowerBoundMutable().assign(main->upperBound);
      loop.getInitArgsMutable().assign(unrolled.getResults());
      loop->setAttr(kNumStagesAttr, rewriter.getI32IntegerAttr(1));
      (void)loop.promoteIfSingleIteration(rewriter);
    } else {
      rewriter.replaceOp(loop, unrolled.getResults());
    }
    (void)unrolled.promoteIfSingleIteration(rewriter);
  }

private:
  Value constant(int64_t value) {
    return rewriter.create<arith::ConstantOp>(location, rewriter.getIntegerAttr(type, value));
  }

  Value stepTimes(int64_t count) {
    if (std::optional<int64_t> known = constantOf(loop.getStep()))
      return constant(*known * count);
    return rewriter.create<arith::MulIOp>(location, loop.getStep(), constant(count));
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return rewriter.create<arith::CmpIOp>(location, predicate, lhs, rhs);
  }

  Value choose(Value condition, Value lhs, Value rhs) {
    return rewriter.create<arith::SelectOp>(location, condition, lhs, rhs);
  }

  unsigned width() const { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }
  int64_t greatest() const { return INT64_MAX >> (64 - width()); }

  bool fits(__int128 value) const {
    __int128 limit = static_cast<__int128>(1) << (width() - 1);
    return value >= -limit && value < limit;
  }

  std::optional<MainLoop> planMainLoop() {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
    std::optional<int64_t> knownStep = constantOf(step);
    if (knownStep && (*knownStep <= 0 || !fits(static_cast<__int128>(*knownStep) * factor)))
      return std::nullopt;
    std::optional<int64_t> knownLower = constantOf(lower), knownUpper = constantOf(upper);
    if (knownStep && knownLower && knownUpper)
      return planKnown(*knownLower, *knownUpper, *knownStep);

    Value end = rewriter.create<arith::MaxSIOp>(location, upper, lower);
    Value distance = rewriter.create<arith::SubIOp>(location, end, lower);
    Value wideStep = stepTimes(factor), divisor = wideStep;
    if (!knownStep) {
      // A step below 1, or whose multiple leaves the type, stays as it is: the main loop is empty then.
      Value positive = compare(arith::CmpIPredicate::sgt, step, constant(0));
      Value small = compare(arith::CmpIPredicate::sle, step, constant(greatest() / factor));
      Value fits = rewriter.create<arith::AndIOp>(location, positive, small);
      distance = choose(fits, distance, constant(0));
      divisor = choose(fits, wideStep, constant(1));
      wideStep = choose(fits, wideStep, step);
    }
    Value groups = rewriter.create<arith::DivUIOp>(location, distance, divisor);
    Value covered = rewriter.create<arith::MulIOp>(location, groups, divisor);
    Value bound = rewriter.create<arith::AddIOp>(location, lower, covered);
    return MainLoop{bound, wideStep, true};
  }

  std::optional<MainLoop> planKnown(int64_t lower, int64_t upper, int64_t step) {
    __int128 distance = static_cast<__int128>(upper) - lower;
    __int128 trips = distance > 0 ? (distance + step - 1) / step : 0;
    __int128 unrolledTrips = trips - trips % factor;
    __int128 bound = lower + unrolledTrips * step;
    if (unrolledTrips == 0 || !fits(bound))
      return std::nullopt;
    return MainLoop{constant(static_cast<int64_t>(bound)), constant(step * factor), unrolledTrips != trips};
  }

  scf::ForOp buildMainLoop(const MainLoop &main) {
    auto unrolled = rewriter.create<scf::ForOp>(location, loop.getLowerBound(), main.upperBound, main.step,
                                                loop.getInitArgs());
    unrolled->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = unrolled.getBody();
    if (!body->empty())
      rewriter.eraseOp(body->getTerminator());
    rewriter.setInsertionPointToEnd(body);
    SmallVector<Value> carried(unrolled.getRegionIterArgs());
    for (int64_t copy = 0; copy < factor; ++copy)
      carried = cloneBody(inductionOfCopy(unrolled.getInductionVar(), copy), carried);
    rewriter.create<scf::YieldOp>(loop.getBody()->getTerminator()->getLoc(), carried);
    return unrolled;
  }

  Value inductionOfCopy(Value base, int64_t copy) {
    if (copy == 0)
      return base;
    return rewriter.create<arith::AddIOp>(location, base, stepTimes(copy));
  }

  SmallVector<Value> cloneBody(Value induction, ArrayRef<Value> carried) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), induction);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    return results;
  }

  scf::ForOp loop;
  int64_t factor;
  IRRewriter rewriter;
  Location location;
  Type type;
};

/// Whether the copies are not too many operations. Unrolling changes no result, so such a loop stays as it
/// is.
bool fitsUnrolled(scf::ForOp loop, int64_t factor) {
  constexpr int64_t mostOperations = 1 << 18;
  int64_t operations = 0;
  loop.walk([&](Operation *) { ++operations; });
  return factor <= mostOperations / operations;
}

struct LoopUnroll : impl::TritonLoopUnrollBase<LoopUnroll> {
  void runOnOperation() override {
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      auto factor = loop->getAttrOfType<IntegerAttr>(kLoopUnrollFactorAttr);
      if (factor && factor.getInt() > 1)
        loops.emplace_back(loop, factor.getInt());
    });
    for (auto [loop, factor] : loops)
      if (fitsUnrolled(loop, factor))
        Unroller(loop, factor).run();
  }
};

} // namespace
} // namespace trisect::tt
