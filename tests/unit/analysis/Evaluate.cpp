//===- Evaluate.cpp - runs integer programs on concrete numbers -----------------------------------------===//
#include "Evaluate.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace trisect::tt {

namespace {

using Row = SmallVector<int64_t>;

unsigned widthOf(Type type) { return elementBits(type); }

/// Narrow integers wrap; where wider ones would, nothing is claimed.
std::optional<int64_t> inRange(__int128 value, unsigned width) {
  if (width < 32)
    return llvm::SignExtend64(static_cast<uint64_t>(value), width);
  __int128 limit = static_cast<__int128>(1) << (width - 1);
  return value >= -limit && value < limit ? std::optional<int64_t>(static_cast<int64_t>(value))
                                          : std::nullopt;
}

std::optional<int64_t> binary(Operation *op, int64_t a, int64_t b, unsigned width) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  uint64_t ua = a & mask, ub = b & mask;
  auto extend = [&](uint64_t bits) { return width == 64 ? int64_t(bits) : llvm::SignExtend64(bits, width); };
  bool shifts = b >= 0 && b < int64_t(width), divides = b != 0 && b != -1;
  using Found = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([&](arith::AddIOp) { return inRange(static_cast<__int128>(a) + b, width); })
      .Case([&](arith::SubIOp) { return inRange(static_cast<__int128>(a) - b, width); })
      .Case([&](arith::MulIOp) { return inRange(static_cast<__int128>(a) * b, width); })
      .Case([&](arith::DivSIOp) { return divides ? Found(a / b) : std::nullopt; })
      .Case([&](arith::RemSIOp) { return divides ? Found(a % b) : std::nullopt; })
      .Case([&](arith::DivUIOp) { return ub ? Found(extend(ua / ub)) : std::nullopt; })
      .Case([&](arith::RemUIOp) { return ub ? Found(extend(ua % ub)) : std::nullopt; })
      .Case([&](arith::AndIOp) { return Found(a & b); })
      .Case([&](arith::OrIOp) { return Found(a | b); })
      .Case([&](arith::XOrIOp) { return Found(a ^ b); })
      .Case([&](arith::ShLIOp) {
        return shifts ? inRange(static_cast<__int128>(a) << b, width) : std::nullopt;
      })
      .Case([&](arith::ShRSIOp) { return shifts ? Found(a >> b) : std::nullopt; })
      .Case([&](arith::ShRUIOp) { return shifts ? Found(extend(ua >> b)) : std::nullopt; })
      .Case([&](arith::MaxSIOp) { return Found(std::max(a, b)); })
      .Case([&](arith::MinSIOp) { return Found(std::min(a, b)); })
      .Case([&](arith::CmpIOp compare) {
        APInt left(width, ua), right(width, ub);
        return Found(arith::applyCmpPredicate(compare.getPredicate(), left, right) ? -1 : 0);
      })
      .Default([](Operation *) { return Found(); });
}

/// The index of each dimension of the n-th element.
Row unravel(int64_t n, ArrayRef<int64_t> shape) {
  Row index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; n /= shape[axis])
    index[axis] = n % shape[axis];
  return index;
}

int64_t ravel(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t n = 0;
  for (auto [at, length] : llvm::zip_equal(index, shape))
    n = n * length + at;
  return n;
}

class Machine {
public:
  Machine(int64_t programId, const Visitor &visit) : programId(programId), visit(visit) {}

  void bind(Value value, Elements elements) {
    visit(value, elements);
    values[value] = std::move(elements);
  }

  /// Leaves the operands of the terminator in `results`.
  bool runBlock(Block &block, SmallVectorImpl<Elements> &results) {
    for (Operation &op : block.without_terminator())
      if (!run(&op))
        return false;
    for (Value value : block.getTerminator()->getOperands())
      results.push_back(values.at(value));
    return true;
  }

private:
  const Elements &operand(Operation *op, unsigned index) { return values.at(op->getOperand(index)); }

  bool run(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return runIf(branch);
    if (auto join = dyn_cast<JoinOp>(op))
      return bindJoin(join);
    if (op->getNumOperands() == 2 && !isa<AddPtrOp>(op))
      return runBinary(op);
    if (op->getNumOperands() == 1)
      return runUnary(op);
    Type type = op->getResult(0).getType();
    size_t count = numElementsOf(type);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Attribute value = constant.getValue();
      if (auto splat = dyn_cast<SplatElementsAttr>(value))
        value = splat.getSplatValue<Attribute>();
      bind(constant, Elements(count, cast<IntegerAttr>(value).getValue().getSExtValue()));
    } else if (auto range = dyn_cast<MakeRangeOp>(op)) {
      Elements elements(count);
      std::iota(elements.begin(), elements.end(), int64_t(static_cast<int32_t>(range.getStart())));
      bind(range, std::move(elements));
    } else if (isa<GetProgramIdOp>(op)) {
      bind(op->getResult(0), {programId});
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Elements elements(count);
      const Elements &condition = operand(op, 0);
      for (size_t n = 0; n < count; ++n)
        elements[n] = operand(op, condition[condition.size() == 1 ? 0 : n] ? 1 : 2)[n];
      bind(select, std::move(elements));
    } else {
      Elements elements(count);
      int64_t unit = widthOf(pointerOf(type).getPointeeType()) / 8;
      for (size_t n = 0; n < count; ++n)
        elements[n] = operand(op, 0)[n] + operand(op, 1)[n] * unit;
      bind(cast<AddPtrOp>(op), std::move(elements));
    }
    return true;
  }

  bool runBinary(Operation *op) {
    Elements elements;
    for (auto [a, b] : llvm::zip_equal(operand(op, 0), operand(op, 1))) {
      std::optional<int64_t> element = binary(op, a, b, widthOf(op->getOperand(0).getType()));
      if (!element)
        return false;
      elements.push_back(*element);
    }
    bind(op->getResult(0), std::move(elements));
    return true;
  }

  bool bindJoin(JoinOp op) {
    Elements elements;
    for (auto [a, b] : llvm::zip_equal(operand(op, 0), operand(op, 1)))
      elements.insert(elements.end(), {a, b});
    bind(op, std::move(elements));
    return true;
  }

  /// Moves of elements and conversions.
  bool runUnary(Operation *op) {
    const Elements &source = operand(op, 0);
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    Elements elements(numElementsOf(to));
    for (size_t n = 0; n < elements.size(); ++n)
      elements[n] =
          convert(op, source[sourceOf(op, n, shapeOf(from), shapeOf(to))], widthOf(from), widthOf(to));
    bind(op->getResult(0), std::move(elements));
    return true;
  }

  static int64_t sourceOf(Operation *op, int64_t n, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    if (isa<SplatOp>(op))
      return 0;
    Row index = unravel(n, to);
    if (isa<BroadcastOp>(op)) {
      for (auto [at, length] : llvm::zip_equal(index, from))
        at = length == 1 ? 0 : at;
      return ravel(index, from);
    }
    if (auto trans = dyn_cast<TransOp>(op)) {
      Row source(index.size());
      for (auto [axis, order] : llvm::enumerate(trans.getOrder()))
        source[order] = index[axis];
      return ravel(source, from);
    }
    return n;
  }

  static int64_t convert(Operation *op, int64_t value, unsigned from, unsigned to) {
    if (isa<arith::ExtUIOp>(op))
      return value & llvm::maskTrailingOnes<uint64_t>(from);
    if (isa<arith::TruncIOp>(op))
      return llvm::SignExtend64(value, to);
    return value;
  }

  bool runLoop(scf::ForOp loop) {
    SmallVector<Elements> carried;
    for (Value init : loop.getInitArgs())
      carried.push_back(values.at(init));
    int64_t step = values.at(loop.getStep())[0];
    if (step <= 0)
      return false;
    int64_t end = values.at(loop.getUpperBound())[0];
    for (int64_t i = values.at(loop.getLowerBound())[0]; i < end; i += step) {
      bind(loop.getInductionVar(), {i});
      for (auto [argument, elements] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
        bind(argument, elements);
      carried.clear();
      if (!runBlock(*loop.getBody(), carried))
        return false;
    }
    for (auto [result, elements] : llvm::zip_equal(loop.getResults(), carried))
      bind(result, elements);
    return true;
  }

  bool runIf(scf::IfOp branch) {
    SmallVector<Elements> results;
    Block *block = values.at(branch.getCondition())[0] ? branch.thenBlock() : branch.elseBlock();
    if (!runBlock(*block, results))
      return false;
    for (auto [result, elements] : llvm::zip_equal(branch.getResults(), results))
      bind(result, elements);
    return true;
  }

  int64_t programId;
  const Visitor &visit;
  llvm::DenseMap<Value, Elements> values;
};

} // namespace

bool evaluate(FuncOp func, ArrayRef<int64_t> arguments, int64_t programId, const Visitor &visit) {
  Machine machine(programId, visit);
  for (auto [argument, value] : llvm::zip_equal(func.getArguments(), arguments))
    machine.bind(argument, {value});
  SmallVector<Elements> results;
  return machine.runBlock(func.getBody().front(), results);
}

} // namespace trisect::tt
