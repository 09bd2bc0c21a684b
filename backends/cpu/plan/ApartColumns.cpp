//===- ApartColumns.cpp - how far apart rows and columns are, exactly -----------------------------------===//
#include "backends/cpu/plan/ApartColumns.h"
#include "backends/cpu/emit/Code.h"
#include "backends/cpu/plan/Pointers.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
/// All that rows and columns reach stays below this, so that nothing comes around to the same address.
constexpr int64_t farthest = int64_t(1) << 30;

/// What an element is further than the one before it in its column, and in its row.
struct Steps {
  int64_t rows = 0, columns = 0;
  Value scale; ///< by which the columns are multiplied; null: by nothing

  bool isNone() const { return rows == 0 && columns == 0; }
};

// The scalar that all elements are.
Value splatOf(Value block) {
  while (Operation *op = block.getDefiningOp()) {
    if (auto splat = dyn_cast<tt::SplatOp>(op))
      return splat.getSrc();
    if (!isa<tt::BroadcastOp, tt::ExpandDimsOp>(op))
      break;
    block = op->getOperand(0);
  }
  return {};
}

class Finder {
public:
  std::optional<Steps> of(Value block) {
    auto type = cast<RankedTensorType>(block.getType());
    std::optional<Steps> steps = find(block);
    if (!steps || std::max(std::abs(steps->rows), std::abs(steps->columns)) > farthest)
      return std::nullopt;
    if (type.getDimSize(0) == 1)
      steps->rows = 0;
    if (type.getDimSize(1) == 1)
      steps->columns = 0;
    return steps;
  }

  SmallVector<Value> notNegative; ///< scalars for which that must hold

private:
  std::optional<Steps> find(Value block) {
    if (std::optional<SmallVector<int64_t, 4>> strides = Pointers::stridesOf(block))
      return Steps{(*strides)[0], (*strides)[1], {}};
    Operation *op = block.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (isa<tt::AddPtrOp, arith::AddIOp>(op))
      return sum(of(op->getOperand(0)), of(op->getOperand(1)));
    if (isa<tt::BroadcastOp, arith::ExtSIOp>(op))
      return of(op->getOperand(0));
    if (isa<arith::MulIOp>(op))
      return product(op->getOperand(0), op->getOperand(1));
    if (isa<arith::RemSIOp, arith::DivSIOp>(op))
      return ofDivision(op);
    return std::nullopt;
  }

  static std::optional<Steps> sum(std::optional<Steps> a, std::optional<Steps> b) {
    if (!a || !b)
      return std::nullopt;
    if (a->columns != 0 && b->columns != 0 && (a->scale || b->scale))
      return std::nullopt;
    return Steps{a->rows + b->rows, a->columns + b->columns, a->scale ? a->scale : b->scale};
  }

  std::optional<Steps> product(Value a, Value b) {
    Value factor = splatOf(b);
    std::optional<int64_t> known = constantOf(b);
    if (!factor && !known) {
      factor = splatOf(a);
      known = constantOf(a);
      std::swap(a, b);
    }
    std::optional<Steps> steps = factor || known ? of(a) : std::nullopt;
    if (!steps || steps->isNone())
      return steps;
    if (!known && factor)
      known = constantOf(factor);
    if (known && std::abs(*known) <= farthest)
      return Steps{steps->rows * *known, steps->columns * *known, steps->scale};
    if (steps->rows != 0 || steps->scale || !factor)
      return std::nullopt;
    return Steps{0, steps->columns, factor};
  }

  // Of whole blocks between two multiples of the divisor.
  std::optional<Steps> ofDivision(Operation *op) {
    std::optional<int64_t> divisor = constantOf(op->getOperand(1));
    std::optional<Steps> steps = of(op->getOperand(0));
    if (!steps || !divisor || *divisor <= 0)
      return std::nullopt;
    if (steps->isNone())
      return steps;
    auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    if (steps->rows != 1 || steps->columns != 0 || *divisor % shape[0] != 0 ||
        !startsAtMultiple(op->getOperand(0), shape[0]))
      return std::nullopt;
    return isa<arith::RemSIOp>(op) ? *steps : Steps{};
  }

  // Of a scalar times a constant, plus a range.
  bool startsAtMultiple(Value block, int64_t extent) {
    while (isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp>(block.getDefiningOp()))
      block = block.getDefiningOp()->getOperand(0);
    auto add = block.getDefiningOp<arith::AddIOp>();
    if (!add)
      return block.getDefiningOp<tt::MakeRangeOp>() &&
             block.getDefiningOp<tt::MakeRangeOp>().getStart() % extent == 0;
    Value start = add.getLhs(), range = add.getRhs();
    if (!splatOf(start))
      std::swap(start, range);
    Value scalar = splatOf(start);
    auto times = scalar ? scalar.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
    if (!times || !startsAtMultiple(range, extent))
      return false;
    std::optional<int64_t> factor = constantOf(times.getRhs());
    if (!factor)
      factor = constantOf(times.getLhs());
    // A product that wraps is negative, or a multiple all the same.
    if (!factor || *factor % extent != 0 || !llvm::isPowerOf2_64(extent))
      return false;
    notNegative.push_back(scalar);
    return true;
  }
};
} // namespace

std::optional<Value> askColumnsApart(OpBuilder &b, Location loc, Value pointer) {
  if (Pointers::distinctLanes(pointer))
    return Value();
  Finder finder;
  std::optional<Steps> steps = finder.of(pointer);
  if (!steps || steps->rows != 1 || steps->columns <= 0)
    return std::nullopt;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(pointer.getType()).getShape();
  int64_t least = llvm::divideCeil(shape[0], steps->columns);
  int64_t most = farthest / (shape[1] * steps->columns);
  if (!steps->scale && (least > 1 || most < 1))
    return std::nullopt;
  Value all;
  auto ask = [&](Value scalar, CmpIPredicate predicate, int64_t limit) {
    Value bound = b.create<arith::ConstantOp>(loc, b.getIntegerAttr(scalar.getType(), limit));
    Value holds = b.create<arith::CmpIOp>(loc, predicate, scalar, bound);
    all = all ? b.create<arith::AndIOp>(loc, all, holds) : holds;
  };
  if (steps->scale) {
    ask(steps->scale, CmpIPredicate::sge, least);
    ask(steps->scale, CmpIPredicate::sle, most);
  }
  for (Value scalar : finder.notNegative)
    ask(scalar, CmpIPredicate::sge, 0);
  return all;
}

} // namespace trisect::cpu
