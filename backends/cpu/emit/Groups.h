//===- Groups.h - fusion groups: ops that share one loop nest -------------------------------------------===//
//
// What: collects tensor ops in program order into groups over one iteration space and emits each group as one
// loop nest over machine vectors. A group ends where something needs a result of it as a whole: a product, a
// reduction's result, a change of layout, an access that may touch the same memory, control flow.
// Why: the size of the code must not grow with the block, and a value that is used only inside its group
// never leaves registers. Limits: cheap integer arithmetic (ranges, masks, addresses) belongs to no group:
// each use computes it anew.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_GROUPS_H
#define TRISECT_BACKENDS_CPU_EMIT_GROUPS_H

#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/plan/Pointers.h"
#include "backends/cpu/plan/Repeats.h"
#include "backends/cpu/plan/Space.h"
#include "llvm/ADT/DenseSet.h"
#include <list>

namespace trisect::cpu {

/// One step of a group, in program order.
struct Action {
  enum class Kind : uint8_t { Load, Store, Value, Reduce, Copy };
  Kind kind;
  mlir::Operation *op = nullptr; ///< all but Copy
  mlir::Value source;            ///< Copy: what is copied
  Buffer target;                 ///< Copy: to where
  mlir::Type convertTo;          ///< Copy: the float format of the copy
};

struct Group {
  llvm::SmallVector<int64_t> space; ///< extents without those of one
  llvm::SmallVector<Run, 4> runs;   ///< its loops, known once it is closed; the last one is cut into chunks
  llvm::SmallVector<Action> actions;
  llvm::SmallPtrSet<mlir::Operation *, 16> members;
  llvm::SmallVector<Access> accesses;
  llvm::SmallVector<Repeats, 1> repeats; ///< values that are made once, before the loop
  bool rare = false;                     ///< seldom runs: one form of its loops will do
  bool exchanges = false;                ///< lanes of a chunk change places: the chunks must hold both

  /// True if it computes values and does nothing else.
  bool isPure() const {
    return llvm::all_of(actions, [](const Action &action) { return action.kind == Action::Kind::Value; });
  }
};

/// Where a value that is carried to the next round of a loop should end up.
struct CarrySlot {
  mlir::Value argument; ///< the loop's block argument
  Buffer buffer;
};

class Groups {
public:
  Groups(KernelState &state, Pointers &pointers) : state(state), pointers(pointers) {}

  /// Takes a tensor op: elementwise, load, store, or a reduction over the last axis.
  void add(mlir::Operation *op);
  /// Copies a tensor into `target`, converted to `convertTo` if that is set.
  void addCopy(mlir::Value source, const Buffer &target, mlir::Type convertTo = {});
  /// That use of a value is served by a copy and needs no buffer of its own.
  void coverUse(mlir::OpOperand &use) { covered.insert(&use); }
  /// Emits whatever open groups `value` depends on, so that it can be evaluated.
  void require(mlir::Value value);
  /// Emits the open groups with which an access would conflict.
  void requireOrder(const Access &access);
  void flushAll();

  /// Takes what computes the operands of a reduction out of an open group, in program order, if nothing else
  /// reads any of it: the reduction then makes it itself, element by element.
  std::optional<Group> takeInputs(tt::ReduceOp op);

  /// True for values that are computed anew at each use.
  bool isCheap(mlir::Value value);
  /// The op has been emitted.
  void markDone(mlir::Operation *op) { done.insert(op); }
  bool usersDone(mlir::Value value, mlir::Operation *except) const;

  llvm::DenseMap<mlir::Value, CarrySlot> carried; ///< by the yielded value
  bool rare = false;                              ///< of groups that are opened from now on

private:
  using Position = std::list<Group>::iterator;
  Position groupFor(llvm::ArrayRef<int64_t> space, mlir::ValueRange direct, mlir::ValueRange indirect,
                    const Access *access, bool pure);
  void requireTotals(mlir::Value value);
  void requireExcept(mlir::Value value, Group *direct, bool pure);
  void chooseRuns(Group &group);
  void findRepeats(Group &group);
  void flush(Position group);
  unsigned costOf(mlir::Value value);
  bool escapes(mlir::Value value, const Group &group) const;
  bool canReload(mlir::Operation *op);
  bool isSteady(mlir::Value value);
  void addReloads(Group &group);
  std::optional<Buffer> carryBuffer(mlir::Value value, const Group &group);

  KernelState &state;
  Pointers &pointers;
  std::list<Group> open;
  llvm::DenseMap<mlir::Value, Group *> owner;
  llvm::DenseSet<mlir::OpOperand *> covered;
  llvm::DenseSet<mlir::Operation *> done;
  llvm::DenseMap<mlir::Value, unsigned> costs;
  llvm::DenseSet<mlir::Operation *> reloaded; ///< loads that each group which reads them makes anew
};

/// The extents that are not one.
llvm::SmallVector<int64_t> spaceOf(llvm::ArrayRef<int64_t> shape);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_GROUPS_H
