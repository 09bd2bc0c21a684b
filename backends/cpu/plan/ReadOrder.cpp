//===- ReadOrder.cpp - transposes loads and stores ------------------------------------------------------===//
#include "backends/cpu/plan/ReadOrder.h"
#include "backends/cpu/plan/ApartColumns.h"
#include "backends/cpu/plan/Slope.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr llvm::StringLiteral turnMark = "cpu.turn";
/// Fewer rows or columns fill too few lanes of a square.
constexpr int64_t leastRows = 8;

Value transposed(OpBuilder &b, Location loc, Value value) {
  if (!value || !isa<RankedTensorType>(value.getType()))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto turned = RankedTensorType::get({shape[1], shape[0]}, type.getElementType());
  return b.create<tt::TransOp>(loc, turned, value, ArrayRef<int32_t>{1, 0});
}

bool exchanges(tt::TransOp op) { return op.getOrder() == ArrayRef<int32_t>{1, 0}; }

// What is the same along a row is read once for all of it.
bool liesAlongColumns(Value pointer) {
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type || type.getRank() != 2 || slopeAlong(pointer, 0) != 1)
    return false;
  std::optional<int64_t> along = slopeAlong(pointer, 1);
  return along != 1 && along != 0;
}

// Blocks that are worth a turn; booleans have no memory of their own format.
bool fillsSquares(Type block) {
  auto type = dyn_cast<RankedTensorType>(block);
  return type && type.getRank() == 2 &&
         llvm::all_of(type.getShape(), [](int64_t extent) { return extent >= leastRows; }) &&
         !type.getElementType().isInteger(1) && type.getElementType().isIntOrFloat();
}

void mark(tt::TransOp op) { op->setAttr(turnMark, UnitAttr::get(op.getContext())); }

tt::TransOp readAlongRows(tt::LoadOp load) {
  OpBuilder b(load);
  Location loc = load.getLoc();
  IRMapping turned;
  for (Value operand : load->getOperands())
    turned.map(operand, transposed(b, loc, operand));
  Operation *made = b.clone(*load, turned);
  auto type = cast<RankedTensorType>(load.getType());
  made->getResult(0).setType(
      RankedTensorType::get({type.getShape()[1], type.getShape()[0]}, type.getElementType()));
  Value result = transposed(b, loc, made->getResult(0));
  load.replaceAllUsesWith(result);
  load.erase();
  return result.getDefiningOp<tt::TransOp>();
}

// Where lanes might meet it stays as it is beside.
bool writeAlongRows(tt::StoreOp store) {
  OpBuilder b(store);
  Location loc = store.getLoc();
  std::optional<Value> apart = askColumnsApart(b, loc, store.getPtr());
  if (!apart)
    return false;
  if (*apart) {
    auto choice = b.create<scf::IfOp>(loc, *apart, /*withElseRegion=*/true);
    choice.getElseBodyBuilder().clone(*store);
    store->moveBefore(choice.thenYield());
    b.setInsertionPoint(store);
  }
  for (OpOperand &operand : store->getOpOperands())
    operand.set(transposed(b, loc, operand.get()));
  mark(store.getValue().getDefiningOp<tt::TransOp>());
  return true;
}

// What is read lane by lane otherwise, and is no factor that is turned where it is copied.
bool isTurnedForOthers(tt::TransOp op) {
  return fillsSquares(op.getType()) && exchanges(op) &&
         llvm::any_of(op->getUsers(), [](Operation *user) { return !isa<tt::DotOp>(user); });
}

unsigned turnOthers(tt::FuncOp kernel) {
  SmallVector<tt::LoadOp> loads;
  SmallVector<tt::StoreOp> stores;
  SmallVector<tt::TransOp> given;
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      if (!load.getIsVolatile() && fillsSquares(load.getType()) && liesAlongColumns(load.getPtr()))
        loads.push_back(load);
    } else if (auto store = dyn_cast<tt::StoreOp>(op)) {
      if (fillsSquares(store.getValue().getType()) && liesAlongColumns(store.getPtr()))
        stores.push_back(store);
    } else if (auto turned = dyn_cast<tt::TransOp>(op); turned && isTurnedForOthers(turned)) {
      given.push_back(turned);
    }
  });
  llvm::for_each(given, mark);
  for (tt::LoadOp load : loads)
    mark(readAlongRows(load));
  auto written = llvm::count_if(stores, writeAlongRows);
  return given.size() + loads.size() + written;
}

// Twice is not at all.
void dropDoubles(tt::FuncOp kernel) {
  kernel.walk([](tt::TransOp op) {
    auto before = op.getSrc().getDefiningOp<tt::TransOp>();
    if (before && exchanges(before) && exchanges(op))
      op.replaceAllUsesWith(before.getSrc());
  });
  SmallVector<tt::TransOp> unused;
  kernel.walk([&](tt::TransOp op) {
    if (op.use_empty())
      unused.push_back(op);
  });
  llvm::for_each(llvm::reverse(unused), [](tt::TransOp op) { op.erase(); });
}
} // namespace

bool isTurn(Operation *op) { return isa<tt::TransOp>(op) && op->hasAttr(turnMark); }

std::string chooseReadOrder(tt::FuncOp kernel) {
  SmallVector<tt::LoadOp> loads;
  kernel.walk([&](tt::DotOp dot) {
    for (Value factor : {dot.getA(), dot.getB()}) {
      auto load = factor.getDefiningOp<tt::LoadOp>();
      if (load && load->hasOneUse() && !load.getIsVolatile() && liesAlongColumns(load.getPtr()))
        loads.push_back(load);
    }
  });
  for (tt::LoadOp load : loads)
    readAlongRows(load);
  unsigned turned = turnOthers(kernel);
  dropDoubles(kernel);
  return turned == 0 ? "" : "transposed in registers: " + std::to_string(turned) + " blocks\n";
}

} // namespace trisect::cpu
