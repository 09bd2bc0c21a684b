//===- Definedness.cpp - on what a scalar hangs, and when that is defined -------------------------------===//
#include "core/passes/Definedness.h"
#include "core/ir/Ops.h"
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

bool isScalar(Value value) { return isa<IntegerType, FloatType, IndexType>(value.getType()); }

bool dividesSigned(OpId id) {
  return factsOf(id).undefined == Undefined::Divisor && factsOf(id).reads == Reads::Signed;
}

bool isBranchFree(OpId id) { return info(id).cls == OpClass::Elementwise; }

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

bool mayBeUndefined(Operation *op, OpId id) {
  APInt known;
  switch (factsOf(id).undefined) {
  case Undefined::Always:
  case Undefined::Range:
    return true;
  case Undefined::Divisor:
    if (op->getOperand(1).getDefiningOp<GetNumProgramsOp>())
      return false;
    return !matchPattern(op->getOperand(1), m_ConstantInt(&known)) || known.isZero() ||
           (known.isAllOnes() && dividesSigned(id));
  case Undefined::Shift:
    return !matchPattern(op->getOperand(1), m_ConstantInt(&known)) || known.uge(known.getBitWidth());
  case Undefined::Masked:
    return bool(undefinedUnless(op));
  default:
    return false;
  }
}

/// Makes conditions; null stands for true.
class Conditions {
public:
  explicit Conditions(Operation *origin) : origin(origin) {}

  Value of(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isScalar(value))
      return {};
    std::optional<OpId> id = idOf(op);
    if (!id || (op != origin && !isBranchFree(*id)))
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
        arm = b.create<arith::SelectOp>(loc, select.getCondition(), orTrue(b, loc, yes), orTrue(b, loc, no));
      return both(b, of(select.getCondition()), arm);
    }
    // One defined operand may decide alone: false and x, true or x.
    if (isa<arith::AndIOp, arith::OrIOp>(op) && op->getResult(0).getType().isInteger(1)) {
      bool isAnd = isa<arith::AndIOp>(op);
      Value left = op->getOperand(0), right = op->getOperand(1), okLeft = of(left), okRight = of(right);
      if (!okLeft && !okRight)
        return {};
      auto decides = [&](Value operand, Value defined) {
        Value alone = isAnd ? opposite(b, operand) : operand;
        return defined ? both(b, defined, alone) : alone;
      };
      Value either = b.create<arith::OrIOp>(loc, decides(left, okLeft), decides(right, okRight));
      return b.create<arith::OrIOp>(loc, both(b, okLeft, okRight), either);
    }
    return ofOperands(b, op);
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
      unsigned width = by.getType().getIntOrFloatBitWidth();
      Value other = compare(b, loc, CmpIPredicate::ne, by, -1);
      Value least = constant(b, loc, by.getType(), APInt::getSignedMinValue(width));
      Value notLeast = b.create<arith::CmpIOp>(loc, CmpIPredicate::ne, op->getOperand(0), least);
      return both(b, fits, b.create<arith::OrIOp>(loc, other, notLeast));
    }
    case Undefined::Shift:
      return compare(b, loc, CmpIPredicate::ult, op->getOperand(1),
                     op->getOperand(1).getType().getIntOrFloatBitWidth());
    case Undefined::Range:
      return fitsInteger(b, op, id == OpId::arith_fptosi);
    case Undefined::Masked:
      return undefinedUnless(op);
    default:
      return b.create<arith::ConstantIntOp>(loc, 0, 1);
    }
  }

  /// Between the two floats next outside the range of the integer, which f64 holds but for the lower one of
  /// i64.
  static Value fitsInteger(OpBuilder &b, Operation *op, bool toSigned) {
    Location loc = op->getLoc();
    Value value = op->getOperand(0);
    if (!value.getType().isF64())
      value = b.create<arith::ExtFOp>(loc, b.getF64Type(), value);
    auto bits = static_cast<int>(op->getResult(0).getType().getIntOrFloatBitWidth());
    double high = std::ldexp(1.0, toSigned ? bits - 1 : bits), low = toSigned ? -high : 0.0;
    bool exact = low - 1.0 != low;
    auto number = [&](double of) {
      return b.create<arith::ConstantFloatOp>(loc, APFloat(of), b.getF64Type());
    };
    Value below = b.create<arith::CmpFOp>(loc, CmpFPredicate::OLT, value, number(high));
    Value above = b.create<arith::CmpFOp>(loc, exact ? CmpFPredicate::OGT : CmpFPredicate::OGE, value,
                                          number(exact ? low - 1.0 : low));
    return b.create<arith::AndIOp>(loc, below, above);
  }

  static Value constant(OpBuilder &b, Location loc, Type type, const APInt &bits) {
    return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, bits));
  }
  static Value compare(OpBuilder &b, Location loc, CmpIPredicate predicate, Value left, int64_t right) {
    APInt bits(left.getType().getIntOrFloatBitWidth(), static_cast<uint64_t>(right), true);
    return b.create<arith::CmpIOp>(loc, predicate, left, constant(b, loc, left.getType(), bits));
  }
  static Value both(OpBuilder &b, Value left, Value right) {
    if (!left || !right)
      return left ? left : right;
    return b.create<arith::AndIOp>(left.getLoc(), left, right);
  }
  static Value opposite(OpBuilder &b, Value of) {
    Value one = b.create<arith::ConstantIntOp>(of.getLoc(), 1, 1);
    return b.create<arith::XOrIOp>(of.getLoc(), of, one);
  }
  static Value orTrue(OpBuilder &b, Location loc, Value condition) {
    return condition ? condition : b.create<arith::ConstantIntOp>(loc, 1, 1).getResult();
  }

  Operation *origin;
  llvm::DenseMap<Operation *, Value> known;
};

} // namespace

Origins originsOf(Value value) {
  Origins origins;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    Value each = values[at];
    if (!isScalar(each))
      continue;
    Operation *op = each.getDefiningOp();
    if (!op || isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
      origins.handed.push_back(each);
      continue;
    }
    std::optional<OpId> id = idOf(op);
    if (!id)
      continue;
    if (mayBeUndefined(op, *id))
      origins.operations.push_back(op);
    if (isBranchFree(*id))
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
  default:
    return name + " has no value";
  }
}

Value definedApartFrom(Value value, Operation *origin) { return Conditions(origin).of(value); }

} // namespace trisect::tt
