//===- Ahead.cpp - rows that a number in memory chooses, asked for some programs early ------------------===//
#include "backends/cpu/emit/Ahead.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// Rows longer than this are found by the machine itself, once it has seen where they begin.
constexpr int64_t mostBytes = 1024;
constexpr size_t mostLoads = 2;

bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::MinSIOp, arith::MaxSIOp>(op);
}

/// What has the same first element as its operand.
bool keepsFirst(Operation *op) { return isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op); }

/// Whether the first element of a value follows from arguments, ids, and at most one number in memory.
class Looker {
public:
  bool follows(Value value, bool throughMemory) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getParentBlock()->isEntryBlock() && isa<tt::FuncOp>(value.getParentBlock()->getParentOp());
    if (isa<tt::GetProgramIdOp>(op))
      return varies = true;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isConstant(constant);
    if (isa<tt::GetNumProgramsOp, tt::MakeRangeOp>(op))
      return true;
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return throughMemory && choice(load);
    if (!keepsFirst(op) && !isArithmetic(op) && !isa<tt::AddPtrOp>(op))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return follows(operand, throughMemory); });
  }

  bool chosen = false; ///< there is such a number, and it is another one for each program

private:
  static bool isConstant(arith::ConstantOp constant) {
    auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    return isa<IntegerAttr>(constant.getValue()) || (dense && dense.isSplat());
  }

  // A scalar that every program reads, at the top of the kernel.
  bool choice(tt::LoadOp load) {
    if (isa<RankedTensorType>(load.getType()) || load.getMask() || load.getIsVolatile() ||
        !load.getType().isInteger() || load.getType().isInteger(1) || !isa<tt::FuncOp>(load->getParentOp()) ||
        !load->getBlock()->isEntryBlock())
      return false;
    varies = false;
    if (!follows(load.getPtr(), /*throughMemory=*/false))
      return false;
    chosen |= varies;
    return true;
  }

  bool varies = false;
};

/// Emits first elements for one program.
class FirstElement {
public:
  FirstElement(Code &code, ValueRange arguments, ValueRange ids, ValueRange grid)
      : c(code), arguments(arguments), ids(ids), grid(grid) {}

  Value of(Value value) {
    if (Value known = made.lookup(value))
      return known;
    Value fresh = make(value);
    made[value] = fresh;
    return fresh;
  }

private:
  Value make(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return arguments[cast<BlockArgument>(value).getArgNumber()];
    Type type = emittedType(ttElement(value.getType()));
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      return ids[static_cast<int>(id.getAxis())];
    if (auto number = dyn_cast<tt::GetNumProgramsOp>(op))
      return grid[static_cast<int>(number.getAxis())];
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      return c.integer(type, range.getStart());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
      APInt number = dense ? dense.getSplatValue<APInt>() : cast<IntegerAttr>(constant.getValue()).getValue();
      return c.integer(type, number.getSExtValue());
    }
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return c.b.create<LLVM::LoadOp>(c.loc, type, c.pointer(of(load.getPtr())), alignmentOf(type));
    if (auto address = dyn_cast<tt::AddPtrOp>(op)) {
      int64_t bytes = memoryBytes(pointee(address.getType()));
      Value offset = of(address.getOffset());
      if (offset.getType() != c.i64())
        offset = c.sext(offset, c.i64());
      return c.add(of(address.getPtr()), c.mul(offset, c.i64(bytes)));
    }
    if (keepsFirst(op))
      return of(op->getOperand(0));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(of(operand));
    OperationState state(c.loc, op->getName(), operands, {type});
    return c.b.create(state)->getResult(0);
  }

  static unsigned alignmentOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }

  Code &c;
  ValueRange arguments, ids, grid;
  DenseMap<Value, Value> made;
};

} // namespace

SmallVector<tt::LoadOp, 2> loadsToAskFor(tt::FuncOp kernel) {
  SmallVector<tt::LoadOp, 2> found;
  for (auto load : kernel.getBody().front().getOps<tt::LoadOp>()) {
    Looker looker;
    if (isa<RankedTensorType>(load.getType()) && looker.follows(load.getPtr(), /*throughMemory=*/true) &&
        looker.chosen && found.size() < mostLoads)
      found.push_back(load);
  }
  return found;
}

void askFor(Code &code, ArrayRef<tt::LoadOp> loads, ValueRange arguments, ValueRange ids, ValueRange grid) {
  FirstElement first(code, arguments, ids, grid);
  for (tt::LoadOp load : loads) {
    Value row = first.of(load.getPtr());
    auto type = cast<RankedTensorType>(load.getType());
    int64_t bytes = std::min(type.getShape().back() * memoryBytes(type.getElementType()), mostBytes);
    for (int64_t offset = 0; offset < bytes; offset += lineBytes)
      code.prefetch(code.add(row, code.i64(offset)), 1);
  }
}

} // namespace trisect::cpu
