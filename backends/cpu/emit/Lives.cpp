//===- Lives.cpp - which operations work on which buffers -----------------------------------------------===//
#include "backends/cpu/emit/Lives.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr llvm::StringRef bytesAttr = "trisect.bytes";

/// Whether an address may be in a value of the type.
bool mayHoldAddress(Type type) {
  type = getElementTypeOrSelf(type);
  return isa<IntegerType, IndexType, LLVM::LLVMPointerType>(type) && !type.isInteger(1);
}

/// Follows what is computed from the marks of buffers.
class Follower {
public:
  explicit Follower(ArrayRef<Value> marks)
      : users(marks.size()), strays(marks.size()), holds(marks.size(), llvm::SmallBitVector(marks.size())),
        loads(marks.size()) {
    for (auto [i, mark] : llvm::enumerate(marks))
      reach(mark, i);
    do {
      while (!waiting.empty()) {
        auto [value, buffer] = waiting.pop_back_val();
        for (OpOperand &use : value.getUses())
          follow(use, buffer);
      }
      for (auto [address, buffer] : std::exchange(kept, {}))
        keepAddress(address, buffer);
    } while (!waiting.empty());
    shareUsers();
  }

  SmallVector<llvm::SetVector<Operation *>> users; ///< by buffer: all that work on it
  llvm::SmallBitVector strays;                     ///< buffers whose address lies in other memory

private:
  void reach(Value value, size_t buffer) {
    if (!mayHoldAddress(value.getType()))
      return;
    llvm::SmallBitVector &known = reached[value];
    known.resize(users.size());
    if (known.test(buffer))
      return;
    known.set(buffer);
    waiting.push_back({value, buffer});
  }

  void reachAll(ValueRange values, size_t buffer) {
    for (Value value : values)
      reach(value, buffer);
  }

  void reachRegions(Operation *op, size_t buffer) {
    reachAll(op->getResults(), buffer);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        reachAll(block.getArguments(), buffer);
  }

  void follow(OpOperand &use, size_t buffer) {
    Operation *op = use.getOwner();
    users[buffer].insert(op);
    if (isa<LLVM::StoreOp, LLVM::MaskedStoreOp, LLVM::masked_scatter>(op)) {
      if (use.getOperandNumber() == 0)
        kept.push_back({op->getOperand(1), buffer});
    } else if (isa<LLVM::LoadOp, LLVM::MaskedLoadOp, LLVM::masked_gather>(op)) {
      loads[buffer].push_back(op);
      for (unsigned inside : holds[buffer].set_bits())
        reachAll(op->getResults(), inside);
    } else if (op->getNumRegions() != 0) {
      reachRegions(op, buffer);
    } else if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
      reachRegions(op->getParentOp(), buffer);
    } else {
      reachAll(op->getResults(), buffer);
    }
  }

  // The address of a buffer goes to memory: to that of other buffers, or who knows where.
  void keepAddress(Value address, size_t buffer) {
    auto found = reached.find(address);
    if (found == reached.end()) {
      strays.set(buffer);
      return;
    }
    llvm::SmallBitVector holders = found->second;
    for (unsigned holder : holders.set_bits()) {
      holds[holder].set(buffer);
      for (Operation *load : loads[holder])
        reachAll(load->getResults(), buffer);
    }
  }

  // What is handed a buffer may find others in it.
  void shareUsers() {
    for (size_t round = 0; round < users.size(); ++round)
      for (auto [holder, inside] : llvm::enumerate(holds))
        for (unsigned buffer : inside.set_bits())
          if (buffer != holder)
            users[buffer].insert(users[holder].begin(), users[holder].end());
  }

  llvm::DenseMap<Value, llvm::SmallBitVector> reached; ///< the buffers that a value may point to
  SmallVector<llvm::SmallBitVector> holds;             ///< buffers whose addresses lie in a buffer
  SmallVector<SmallVector<Operation *>> loads;         ///< from a buffer
  SmallVector<std::pair<Value, size_t>> waiting, kept; ///< to be followed; addresses to which one goes
};

/// Numbers of a function's operations in the order of its text: where each begins and ends.
class Clock {
public:
  explicit Clock(Operation *function) { count(function); }

  int64_t begin(Operation *op) const { return times.lookup(op).first; }
  int64_t end(Operation *op) const { return times.lookup(op).second; }
  bool knows(Operation *op) const { return times.count(op) != 0; }

private:
  void count(Operation *op) {
    int64_t begin = now++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          count(&inner);
    times[op] = {begin, now++};
  }

  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> times;
  int64_t now = 0;
};
} // namespace

Value makeMark(Code &code, int64_t bytes) {
  auto mark = code.b.create<UnrealizedConversionCastOp>(code.loc, TypeRange(code.i64()), ValueRange());
  mark->setAttr(bytesAttr, code.b.getI64IntegerAttr(bytes));
  return mark.getResult(0);
}

SmallVector<Life> livesOf(ArrayRef<Value> marks, Operation *program) {
  Follower follower(marks);
  Clock clock(program);
  SmallVector<Life> lives;
  for (auto [i, mark] : llvm::enumerate(marks)) {
    Operation *made = mark.getDefiningOp();
    Life life{made->getAttrOfType<IntegerAttr>(bytesAttr).getInt(), clock.begin(program), clock.end(program)};
    lives.push_back(life);
    if (!clock.knows(made) || follower.strays.test(i))
      continue;
    life = {life.bytes, clock.begin(made), clock.end(made)};
    bool stays = true; // in its block
    for (Operation *user : follower.users[i]) {
      Operation *around = made->getBlock()->findAncestorOpInBlock(*user);
      stays = stays && around;
      if (around)
        life.end = std::max(life.end, clock.end(around));
    }
    if (stays)
      lives.back() = life;
  }
  return lives;
}

void replaceMarks(Code &code, ArrayRef<Value> marks, ArrayRef<int64_t> offsets) {
  for (auto [mark, offset] : llvm::zip(marks, offsets)) {
    Operation *made = mark.getDefiningOp();
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPoint(made);
    made->getResult(0).replaceAllUsesWith(code.i64(offset));
    made->erase();
  }
}

} // namespace trisect::cpu
