//===- Mutate.cpp - the mistakes ------------------------------------------------------------------------===//
#include "tests/mutants/Mutate.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include <utility>

namespace trisect::mutants {

using namespace mlir;

namespace {
using Change = bool (*)(Operation *, OpBuilder &);

bool isFloat(Type type) { return isa<FloatType>(tt::elementOf(type)); }

bool swapOperands(Operation *op) {
  Value first = op->getOperand(0), second = op->getOperand(1);
  if (first == second)
    return false;
  op->setOperand(0, second);
  op->setOperand(1, first);
  return true;
}

/// Another op with the operands and results of `op`.
template <class To> bool become(Operation *op, OpBuilder &b) {
  b.setInsertionPoint(op);
  Operation *made = b.create<To>(op->getLoc(), op->getResultTypes(), op->getOperands());
  op->replaceAllUsesWith(made->getResults());
  op->erase();
  return true;
}

template <class From, class To> bool exchange(Operation *op, OpBuilder &b) {
  return isa<From>(op) && become<To>(op, b);
}

Value constantLike(OpBuilder &b, Location loc, Type type, double real, int64_t integer) {
  Type element = tt::elementOf(type);
  TypedAttr one = isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, real))
                                          : TypedAttr(b.getIntegerAttr(element, integer));
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(tensor, ArrayRef<Attribute>(one)));
  return b.create<arith::ConstantOp>(loc, one);
}

/// Adds one to a result.
bool addOne(Operation *op, Value value, OpBuilder &b) {
  b.setInsertionPointAfter(op);
  Value one = constantLike(b, op->getLoc(), value.getType(), 1.0, 1);
  Operation *sum = isFloat(value.getType())
                       ? b.create<arith::AddFOp>(op->getLoc(), value, one).getOperation()
                       : b.create<arith::AddIOp>(op->getLoc(), value, one).getOperation();
  value.replaceAllUsesExcept(sum->getResult(0), sum);
  return true;
}

bool dropMask(Operation *op, OpBuilder &) {
  if (auto store = dyn_cast<tt::StoreOp>(op); store && store.getMask())
    return store.getMaskMutable().clear(), true;
  return false;
}

bool dropLoadMask(Operation *op, OpBuilder &) {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load || !load.getMask())
    return false;
  load.getOtherMutable().clear();
  load.getMaskMutable().clear();
  return true;
}

bool skipFirstK(Operation *op, OpBuilder &b) {
  auto dot = dyn_cast<tt::DotOp>(op);
  if (!dot)
    return false;
  auto type = cast<RankedTensorType>(dot.getA().getType());
  if (type.getRank() != 2 || !isFloat(type))
    return false;
  Location loc = op->getLoc();
  b.setInsertionPoint(op);
  int64_t depth = type.getShape()[1];
  auto row = RankedTensorType::get({depth}, b.getI32Type()),
       wide = RankedTensorType::get({1, depth}, b.getI32Type());
  auto whole = RankedTensorType::get(type.getShape(), b.getI32Type());
  Value range = b.create<tt::MakeRangeOp>(loc, row, 0, depth);
  Value k = b.create<tt::BroadcastOp>(loc, whole, b.create<tt::ExpandDimsOp>(loc, wide, range, 0));
  Value first = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, k, constantLike(b, loc, whole, 0, 0));
  Value zero = constantLike(b, loc, type, 0, 0);
  op->setOperand(0, b.create<arith::SelectOp>(loc, first, zero, dot.getA()));
  return true;
}

bool dropAccumulator(Operation *op, OpBuilder &b) {
  if (!isa<tt::DotOp>(op))
    return false;
  b.setInsertionPoint(op);
  op->setOperand(2, constantLike(b, op->getLoc(), op->getOperand(2).getType(), 0, 0));
  return true;
}

bool changePredicate(Operation *op, OpBuilder &) {
  using P = arith::CmpIPredicate;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  switch (compare.getPredicate()) {
  case P::slt:
    return compare.setPredicate(P::sle), true;
  case P::sle:
    return compare.setPredicate(P::slt), true;
  case P::sgt:
    return compare.setPredicate(P::sge), true;
  case P::sge:
    return compare.setPredicate(P::sgt), true;
  case P::ult:
    return compare.setPredicate(P::slt), true;
  case P::eq:
    return compare.setPredicate(P::ne), true;
  default:
    return false;
  }
}

bool changeFloatPredicate(Operation *op, OpBuilder &) {
  using P = arith::CmpFPredicate;
  auto compare = dyn_cast<arith::CmpFOp>(op);
  if (!compare)
    return false;
  static const std::pair<P, P> others[] = {{P::OLT, P::OLE}, {P::OGT, P::OGE}, {P::OLE, P::OLT},
                                           {P::OGE, P::OGT}, {P::OEQ, P::UEQ}, {P::UNE, P::ONE}};
  for (auto [from, to] : others)
    if (compare.getPredicate() == from)
      return compare.setPredicate(to), true;
  return false;
}

bool skipIteration(Operation *op, OpBuilder &b, bool first) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  b.setInsertionPoint(op);
  if (first)
    loop.setLowerBound(b.create<arith::AddIOp>(op->getLoc(), loop.getLowerBound(), loop.getStep()));
  else
    loop.setUpperBound(b.create<arith::SubIOp>(op->getLoc(), loop.getUpperBound(), loop.getStep()));
  return true;
}

bool dropStore(Operation *op, OpBuilder &) { return isa<tt::StoreOp>(op) && (op->erase(), true); }

bool changeAxis(Operation *op, OpBuilder &) {
  auto id = dyn_cast<tt::GetProgramIdOp>(op);
  return id &&
         (id.setAxis(id.getAxis() == tt::ProgramAxis::X ? tt::ProgramAxis::Y : tt::ProgramAxis::X), true);
}

bool changeAtomic(Operation *op, OpBuilder &) {
  auto atomic = dyn_cast<tt::AtomicRMWOp>(op);
  if (!atomic || atomic.getAtomicRmwOp() == tt::RmwKind::Exch)
    return false;
  atomic.setAtomicRmwOp(tt::RmwKind::Exch);
  return true;
}

bool shiftIndex(Operation *op, OpBuilder &b) {
  if (!isa<tt::AddPtrOp>(op) || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  b.setInsertionPoint(op);
  Value one = constantLike(b, op->getLoc(), op->getOperand(1).getType(), 1, 1);
  op->setOperand(1, b.create<arith::AddIOp>(op->getLoc(), op->getOperand(1), one));
  return true;
}

bool swapSelect(Operation *op, OpBuilder &) {
  if (!isa<arith::SelectOp>(op))
    return false;
  Value yes = op->getOperand(1), no = op->getOperand(2);
  op->setOperand(1, no);
  op->setOperand(2, yes);
  return yes != no;
}

bool startSumAtOne(Operation *op, OpBuilder &b) {
  auto reduce = dyn_cast<tt::ReduceOp>(op);
  if (!reduce || !isa<arith::AddFOp, arith::AddIOp>(reduce->getRegion(0).front().front()))
    return false;
  return addOne(op, op->getResult(0), b);
}

bool isIntegerBit(Operation *op) { return tt::elementOf(op->getResult(0).getType()).isInteger(1); }

struct Kind {
  const char *name;
  Change change;
};

const Kind table[] = {
    {"swapped-subtraction",
     [](Operation *op, OpBuilder &) { return isa<arith::SubFOp, arith::SubIOp>(op) && swapOperands(op); }},
    {"swapped-division",
     [](Operation *op, OpBuilder &) { return isa<arith::DivFOp>(op) && swapOperands(op); }},
    {"dropped-store-mask", dropMask},
    {"dropped-load-mask", dropLoadMask},
    {"product-without-first-k", skipFirstK},
    {"product-without-accumulator", dropAccumulator},
    {"sum-starts-at-one", startSumAtOne},
    {"index-off-by-one", shiftIndex},
    {"predicate", changePredicate},
    {"float-predicate", changeFloatPredicate},
    {"sign-extension", exchange<arith::ExtSIOp, arith::ExtUIOp>},
    {"zero-extension", exchange<arith::ExtUIOp, arith::ExtSIOp>},
    {"shift-without-sign", exchange<arith::ShRSIOp, arith::ShRUIOp>},
    {"unsigned-division", exchange<arith::DivSIOp, arith::DivUIOp>},
    {"unsigned-remainder", exchange<arith::RemSIOp, arith::RemUIOp>},
    {"minimum-for-maximum", exchange<arith::MaxNumFOp, arith::MinNumFOp>},
    {"integer-minimum-for-maximum", exchange<arith::MaxSIOp, arith::MinSIOp>},
    {"nan-lost", exchange<arith::MaximumFOp, arith::MaxNumFOp>},
    {"product-for-sum", exchange<arith::AddFOp, arith::MulFOp>},
    {"sum-for-product", exchange<arith::MulFOp, arith::AddFOp>},
    {"or-for-and",
     [](Operation *op, OpBuilder &b) {
       return isa<arith::AndIOp>(op) && isIntegerBit(op) && become<arith::OrIOp>(op, b);
     }},
    {"base-of-exponential", exchange<math::ExpOp, math::Exp2Op>},
    {"base-of-logarithm", exchange<math::LogOp, math::Log2Op>},
    {"first-iteration-skipped", [](Operation *op, OpBuilder &b) { return skipIteration(op, b, true); }},
    {"last-iteration-skipped", [](Operation *op, OpBuilder &b) { return skipIteration(op, b, false); }},
    {"store-skipped", dropStore},
    {"program-axis", changeAxis},
    {"atomic-kind", changeAtomic},
    {"select-swapped", swapSelect},
};
} // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Kind &kind : table)
    names.emplace_back(kind.name);
  return names;
}

/// In the order of a walk, outer ones first, without those that only look on.
static SmallVector<Operation *> operationsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->hasAttr("trisect_probe"))
      ops.push_back(op);
  });
  return ops;
}

/// The operation that a program runs as a whole.
static Operation *wholeOf(Operation *op) {
  for (Operation *around = op; around; around = around->getParentOp())
    if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(around))
      return around;
  return op;
}

std::optional<Place> mutate(ModuleOp module, const std::string &kind, unsigned site) {
  OpBuilder builder(module.getContext());
  for (const Kind &each : table) {
    if (kind != each.name)
      continue;
    // The places are counted on a copy: a change says only by making it whether it can be made.
    SmallVector<Operation *> ops = operationsOf(module);
    unsigned places = 0;
    OwningOpRef<ModuleOp> copy(module.clone());
    SmallVector<Operation *> copied = operationsOf(*copy);
    for (size_t n = 0; n < ops.size(); ++n) {
      Place place{static_cast<unsigned>(llvm::find(ops, wholeOf(ops[n])) - ops.begin()),
                  ops[n]->getName().getStringRef().str()};
      if (!each.change(copied[n], builder))
        continue;
      if (places++ == site)
        return each.change(ops[n], builder) ? std::optional(place) : std::nullopt;
      copy = module.clone();
      copied = operationsOf(*copy);
    }
  }
  return std::nullopt;
}

} // namespace trisect::mutants
