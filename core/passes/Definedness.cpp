//===- Definedness.cpp - on what a value hangs, and when that is defined -------------------------------===//
#include "core/passes/Definedness.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/support/OpFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

namespace trisect::tt {

namespace {
using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

std::optional<OpId> idOf(Operation *op) { return opFromMnemonic(op->getName().getStringRef()); }

bool isNumber(Value value) { return isa<IntegerType, FloatType, IndexType>(elementOf(value.getType())); }

bool dividesSigned(OpId id) {
  return factsOf(id).undefined == Undefined::Divisor && factsOf(id).reads == Reads::Signed;
}

bool isBranchFree(OpId id) { return info(id).cls == OpClass::Elementwise; }

/// Moves elements of one block, none of them away.
bool isMove(Operation *op) {
  return isa<SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp, UnsplatOp>(op);
}

/// Joins all elements along an axis to one. One that joins several blocks may drop what another calls off.
bool isJoin(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce->getNumOperands() == 1;
}

bool isFollowed(Operation *op, OpId id) {
  return isBranchFree(id) || isMove(op) || isJoin(op) || isa<GatherOp, HistogramOp>(op);
}

/// The mask whose lanes an access leaves without a value; null if there is none.
Value undefinedUnless(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getOther() ? Value() : load.getMask();
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return atomic.getMask();
  if (auto atomic = dyn_cast<AtomicLoadOp>(op))
    return atomic.getMask();
  return {};
}

/// What all elements of a value are, as far as that is seen.
Value spread(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isMove(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool mayBeUndefined(Operation *op, OpId id) {
  APInt known;
  switch (factsOf(id).undefined) {
  case Undefined::Always:
  case Undefined::Range:
    return true;
  case Undefined::Divisor:
    if (spread(op->getOperand(1)).getDefiningOp<GetNumProgramsOp>())
      return false;
    return !matchPattern(spread(op->getOperand(1)), m_ConstantInt(&known)) || known.isZero() ||
           (known.isAllOnes() && dividesSigned(id));
  case Undefined::Shift:
    return !matchPattern(spread(op->getOperand(1)), m_ConstantInt(&known)) || known.uge(known.getBitWidth());
  case Undefined::Masked:
    return bool(undefinedUnless(op));
  case Undefined::Index:
    return true;
  default:
    return false;
  }
}

/// Makes conditions; null stands for true.
class Conditions {
public:
  Conditions(Operation *origin, Helpers &helpers) : origin(origin), helpers(helpers) {}

  Value of(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isNumber(value))
      return {};
    if (auto call = dyn_cast<CallOp>(op)) {
      Value beside = helpers.beside(cast<OpResult>(value));
      return beside ? of(beside) : Value();
    }
    std::optional<OpId> id = idOf(op);
    if (!id || (op != origin && !isFollowed(op, *id)))
      return {};
    if (auto [at, fresh] = known.try_emplace(op, Value()); !fresh)
      return at->second;
    Value condition = conditionOf(op, *id);
    known[op] = condition;
    return condition;
  }

private:
  Value conditionOf(Operation *op, OpId id) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    if (op == origin) {
      Value own = ownCondition(b, op, id);
      return isBranchFree(id) ? both(b, own, ofOperands(b, op)) : own;
    }
    Location loc = op->getLoc();
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Value yes = of(select.getTrueValue()), no = of(select.getFalseValue());
      Value arm;
      if (yes || no)
        arm = b.create<arith::SelectOp>(loc, select.getCondition(), orTrue(b, op, yes), orTrue(b, op, no));
      return both(b, of(select.getCondition()), arm);
    }
    if (isMove(op))
      return moved(b, op);
    if (isJoin(op))
      return joined(b, loc, of(op->getOperand(0)), cast<ReduceOp>(op).getAxis(), op->getResult(0).getType());
    if (auto gather = dyn_cast<GatherOp>(op))
      return both(b, moved(b, op), of(gather.getIndices()));
    if (auto counts = dyn_cast<HistogramOp>(op))
      return counted(b, counts, both(b, of(counts.getSrc()), ofMask(counts)));
    if (decidesAlone(op))
      return unlessOneDecides(b, op);
    return ofOperands(b, op);
  }

  /// One defined operand may decide alone: false and x, true or x, 0 * x.
  static bool decidesAlone(Operation *op) {
    bool truth = elementOf(op->getResult(0).getType()).isInteger(1);
    return isa<arith::AndIOp, arith::MulIOp>(op) || (truth && isa<arith::OrIOp>(op));
  }

  Value unlessOneDecides(OpBuilder &b, Operation *op) {
    Location loc = op->getLoc();
    Value left = op->getOperand(0), right = op->getOperand(1), okLeft = of(left), okRight = of(right);
    if (!okLeft && !okRight)
      return {};
    auto decides = [&](Value operand, Value defined) {
      Value alone = isa<arith::OrIOp>(op) ? operand : compare(b, loc, CmpIPredicate::eq, operand, 0);
      return both(b, defined, alone);
    };
    Value either = b.create<arith::OrIOp>(loc, decides(left, okLeft), decides(right, okRight));
    return b.create<arith::OrIOp>(loc, both(b, okLeft, okRight), either);
  }

  /// The condition of each element goes where the element goes.
  Value moved(OpBuilder &b, Operation *op) {
    Value condition = of(op->getOperand(0));
    if (!condition)
      return {};
    Operation *same = b.clone(*op);
    same->setOperand(0, condition);
    same->getResult(0).setType(maskOf(op->getResult(0).getType()));
    return same->getResult(0);
  }

  /// All elements along an axis must be defined.
  static Value joined(OpBuilder &b, Location loc, Value condition, uint32_t axis, Type result) {
    if (!condition)
      return {};
    Type word = b.getI32Type();
    Value wide = b.create<arith::ExtUIOp>(loc, withElement(condition.getType(), word), condition);
    auto all = b.create<ReduceOp>(loc, TypeRange(withElement(result, word)), ValueRange(wide), axis);
    Block *body = b.createBlock(&all->getRegion(0), {}, {word, word}, {loc, loc});
    Value joint = b.create<arith::AndIOp>(loc, body->getArgument(0), body->getArgument(1));
    b.create<ReduceReturnOp>(loc, ValueRange(joint));
    b.setInsertionPointAfter(all);
    return compare(b, loc, CmpIPredicate::ne, all->getResult(0), 0);
  }

  Value ofMask(HistogramOp op) { return op.getMask() ? of(op.getMask()) : Value(); }

  /// Every count hangs on all elements that are counted.
  static Value counted(OpBuilder &b, HistogramOp op, Value condition) {
    if (!condition)
      return {};
    Location loc = op.getLoc();
    if (op.getMask()) {
      Value off = compare(b, loc, CmpIPredicate::eq, op.getMask(), 0);
      condition = b.create<arith::OrIOp>(loc, condition, off);
    }
    Value all = joined(b, loc, condition, 0, elementOf(op.getType()));
    return b.create<SplatOp>(loc, maskOf(op.getType()), all);
  }

  /// Whether an index that is read as signed lies in [0, extent).
  static Value lies(OpBuilder &b, Location loc, Value index, int64_t extent) {
    Value first = compare(b, loc, CmpIPredicate::sge, index, 0);
    unsigned width = elementOf(index.getType()).getIntOrFloatBitWidth();
    if (width < 64 && extent > APInt::getSignedMaxValue(width).getSExtValue())
      return first;
    return both(b, first, compare(b, loc, CmpIPredicate::slt, index, extent));
  }

  Value ofOperands(OpBuilder &b, Operation *op) {
    Value all;
    for (Value operand : op->getOperands())
      all = both(b, all, of(operand));
    return all;
  }

  Value ownCondition(OpBuilder &b, Operation *op, OpId id) {
    Location loc = op->getLoc();
    switch (factsOf(id).undefined) {
    case Undefined::Divisor: {
      Value by = op->getOperand(1);
      Value fits = compare(b, loc, CmpIPredicate::ne, by, 0);
      if (!dividesSigned(id))
        return fits;
      unsigned width = elementOf(by.getType()).getIntOrFloatBitWidth();
      Value other = compare(b, loc, CmpIPredicate::ne, by, -1);
      Value least = constant(b, loc, by.getType(), APInt::getSignedMinValue(width));
      Value notLeast = b.create<arith::CmpIOp>(loc, CmpIPredicate::ne, op->getOperand(0), least);
      return both(b, fits, b.create<arith::OrIOp>(loc, other, notLeast));
    }
    case Undefined::Shift:
      return compare(b, loc, CmpIPredicate::ult, op->getOperand(1),
                     elementOf(op->getOperand(1).getType()).getIntOrFloatBitWidth());
    case Undefined::Range:
      return fitsInteger(b, op, id == OpId::arith_fptosi);
    case Undefined::Masked:
      return undefinedUnless(op);
    case Undefined::Index:
      if (auto gather = dyn_cast<GatherOp>(op))
        return lies(b, loc, gather.getIndices(),
                    cast<RankedTensorType>(gather.getSrc().getType()).getDimSize(gather.getAxis()));
      if (auto counts = dyn_cast<HistogramOp>(op))
        return counted(b, counts,
                       lies(b, loc, counts.getSrc(), cast<RankedTensorType>(counts.getType()).getDimSize(0)));
      return {};
    default:
      return constant(b, loc, maskOf(op->getResult(0).getType()), APInt(1, 0));
    }
  }

  /// Between the two floats next outside the range of the integer, which f64 holds but for the lower one of
  /// i64.
  static Value fitsInteger(OpBuilder &b, Operation *op, bool toSigned) {
    Location loc = op->getLoc();
    Value value = op->getOperand(0);
    Type wide = withElement(value.getType(), b.getF64Type());
    if (value.getType() != wide)
      value = b.create<arith::ExtFOp>(loc, wide, value);
    auto bits = static_cast<int>(elementOf(op->getResult(0).getType()).getIntOrFloatBitWidth());
    double high = std::ldexp(1.0, toSigned ? bits - 1 : bits), low = toSigned ? -high : 0.0;
    bool exact = low - 1.0 != low;
    auto number = [&](double of) {
      return b.create<arith::ConstantOp>(loc, attribute(wide, b.getF64FloatAttr(of)));
    };
    Value below = b.create<arith::CmpFOp>(loc, CmpFPredicate::OLT, value, number(high));
    Value above = b.create<arith::CmpFOp>(loc, exact ? CmpFPredicate::OGT : CmpFPredicate::OGE, value,
                                          number(exact ? low - 1.0 : low));
    return b.create<arith::AndIOp>(loc, below, above);
  }

  static TypedAttr attribute(Type type, TypedAttr each) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? TypedAttr(DenseElementsAttr::get(tensor, Attribute(each))) : each;
  }
  static Value constant(OpBuilder &b, Location loc, Type type, const APInt &bits) {
    return b.create<arith::ConstantOp>(loc, attribute(type, b.getIntegerAttr(elementOf(type), bits)));
  }
  static Value compare(OpBuilder &b, Location loc, CmpIPredicate predicate, Value left, int64_t right) {
    APInt bits(elementOf(left.getType()).getIntOrFloatBitWidth(), static_cast<uint64_t>(right), true);
    return b.create<arith::CmpIOp>(loc, predicate, left, constant(b, loc, left.getType(), bits));
  }
  static Value both(OpBuilder &b, Value left, Value right) {
    if (!left || !right)
      return left ? left : right;
    // The condition of a select may be one for all elements of its arms.
    if (isa<RankedTensorType>(right.getType()) && !isa<RankedTensorType>(left.getType()))
      left = b.create<SplatOp>(left.getLoc(), right.getType(), left);
    return b.create<arith::AndIOp>(left.getLoc(), left, right);
  }
  static Value orTrue(OpBuilder &b, Operation *op, Value condition) {
    Type type = maskOf(op->getResult(0).getType());
    return condition ? condition : constant(b, op->getLoc(), type, APInt(1, 1));
  }

  Operation *origin;
  Helpers &helpers;
  llvm::DenseMap<Operation *, Value> known;
};

} // namespace

Origins originsOf(Value value, Helpers *helpers) {
  Origins origins;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    Value each = values[at];
    if (!isNumber(each))
      continue;
    Operation *op = each.getDefiningOp();
    if (!op || isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
      if (!isa<RankedTensorType>(each.getType()))
        origins.handed.push_back(each);
      continue;
    }
    if (auto call = dyn_cast<CallOp>(op)) {
      origins.computed |= Helpers::computes(call);
      if (Value beside = helpers ? helpers->beside(cast<OpResult>(each)) : Value())
        values.insert(beside);
      continue;
    }
    std::optional<OpId> id = idOf(op);
    if (!id)
      continue;
    if (mayBeUndefined(op, *id))
      origins.operations.push_back(op);
    if (isFollowed(op, *id))
      values.insert(op->operand_begin(), op->operand_end());
  }
  return origins;
}

std::string reasonOf(Operation *origin) {
  OpId id = *idOf(origin);
  std::string name = origin->getName().getStringRef().str();
  switch (factsOf(id).undefined) {
  case Undefined::Divisor:
    return name + (dividesSigned(id) ? " divides by zero, or the least number by -1" : " divides by zero");
  case Undefined::Shift:
    return name + " shifts by the width of its type or more";
  case Undefined::Range:
    return name + " has a float that does not fit the integer";
  case Undefined::Masked:
    return name + " has a false mask and no `other`";
  case Undefined::Index:
    return name + " has an index outside of its block";
  default:
    return name + " has no value";
  }
}

Value definedApartFrom(Value value, Operation *origin, Helpers &helpers) {
  return Conditions(origin, helpers).of(value);
}

} // namespace trisect::tt
