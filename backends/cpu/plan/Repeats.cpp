//===- Repeats.cpp - values that hang on one remainder or quotient --------------------------------------===//
#include "backends/cpu/plan/Repeats.h"
#include "backends/cpu/emit/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// Chunks that a quotient must hold for: a number is made for all lanes of a chunk by itself.
constexpr int64_t leastChunks = 4;

/// What a value hangs on: nothing of the position, one remainder or quotient (`by`), or more.
struct Source {
  bool mixed = false;
  Operation *by = nullptr;
  bool dear = false;

  static Source unknown() { return {true, nullptr, false}; }
};

bool isDear(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp, tt::PreciseSqrtOp, tt::PreciseDivFOp, tt::ExternElementwiseOp>(op))
    return true;
  return isa<math::MathDialect>(op->getDialect()) && isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) &&
         !isa<math::AbsFOp, math::FloorOp, math::CeilOp, math::FmaOp>(op);
}

class Finder {
public:
  explicit Finder(const Row &row) : row(row) { members.insert(row.members.begin(), row.members.end()); }

  SmallVector<Repeats, 1> run() {
    for (Operation *op : row.members)
      if (op->getNumResults() != 1 || !sourceOf(op->getResult(0)).by)
        for (Value operand : op->getOperands())
          visit(operand);
    for (Repeats &repeats : found)
      for (Operation *op : row.members)
        if (auto load = dyn_cast<tt::LoadOp>(op); load && needs(repeats, load))
          repeats.loads.push_back(load);
    return std::move(found);
  }

private:
  // The last values on the way to `value` that hang on one source.
  void visit(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      return;
    Source source = sourceOf(value);
    if (source.by) {
      if (source.dear)
        of(source.by).values.push_back(value);
    } else if (source.mixed && !row.stored(value) && !members.contains(op) && isElementwise(op)) {
      llvm::for_each(op->getOperands(), [&](Value operand) { visit(operand); });
    }
  }

  Repeats &of(Operation *by) {
    for (Repeats &repeats : found)
      if (repeats.by == by)
        return repeats;
    found.push_back({by, numbersOf(by), {}, {}});
    return found.back();
  }

  bool needs(const Repeats &repeats, tt::LoadOp load) {
    llvm::SmallDenseSet<Value, 16> met;
    SmallVector<Value> waiting(ArrayRef<Value>(repeats.values));
    while (!waiting.empty()) {
      Value value = waiting.pop_back_val();
      if (value == load.getResult())
        return true;
      Operation *op = value.getDefiningOp();
      if (op && op != repeats.by && met.insert(value).second)
        llvm::append_range(waiting, op->getOperands());
    }
    return false;
  }

  Source sourceOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return {};
    if (auto at = known.find(value); at != known.end())
      return at->second;
    Source source = find(value, type);
    return known[value] = source;
  }

  Source find(Value value, RankedTensorType type) {
    Operation *op = value.getDefiningOp();
    if (!op || row.stored(value))
      return Source::unknown();
    DenseElementsAttr constant;
    if (isa<tt::SplatOp>(op) || (matchPattern(value, m_Constant(&constant)) && constant.isSplat()))
      return {};
    if (numbersOf(op) > 0)
      return {false, op, false};
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      Source source = members.contains(op) && !load.getIsVolatile() ? sourceOf(load.getPtr()) : Source();
      return source.by && row.mayMove(load) ? source : Source::unknown();
    }
    if (!isElementwise(op) || op->getNumResults() != 1 || type.getNumElements() != row.extent)
      return Source::unknown();
    Source all;
    for (Value operand : op->getOperands()) {
      Source each = sourceOf(operand);
      if (each.mixed || (each.by && all.by && each.by != all.by))
        return Source::unknown();
      all.by = each.by ? each.by : all.by;
      all.dear |= each.dear;
    }
    all.dear |= isDear(op);
    return all;
  }

  // How many different numbers a remainder or quotient gives in the row, one after another; 0 for other
  // operations, and where too many.
  int64_t numbersOf(Operation *op) {
    DenseIntElementsAttr constant;
    if (!isa<arith::RemSIOp, arith::DivSIOp>(op) || !matchPattern(op->getOperand(1), m_Constant(&constant)) ||
        !constant.isSplat())
      return 0;
    int64_t n = constant.getSplatValue<APInt>().getSExtValue();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (n <= 0 || n % row.lanes != 0 || type.getNumElements() != row.extent)
      return 0;
    size_t axis = llvm::find(type.getShape(), row.extent) - type.getShape().begin();
    if (row.alignedRun(op->getOperand(0), axis) < row.extent)
      return 0;
    if (isa<arith::RemSIOp>(op))
      return 2 * n <= row.extent ? n : 0;
    if (n < leastChunks * row.lanes || (n < row.extent ? row.extent % n : n % row.extent) != 0)
      return 0;
    return std::max<int64_t>(row.extent / n, 1);
  }

  const Row &row;
  llvm::SmallPtrSet<Operation *, 16> members;
  llvm::DenseMap<Value, Source> known;
  llvm::DenseSet<Value> seen;
  SmallVector<Repeats, 1> found;
};

} // namespace

SmallVector<Repeats, 1> repeatsOf(const Row &row) { return Finder(row).run(); }

} // namespace trisect::cpu
