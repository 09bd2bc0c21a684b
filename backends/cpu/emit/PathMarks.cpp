//===- PathMarks.cpp - questions where paths begin ------------------------------------------------------===//
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/Code.h"
#include "backends/cpu/emit/Effects.h"
#include "backends/cpu/emit/KeepMarks.h"
#include "core/ir/Locations.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr llvm::StringRef yesAttr = "trisect.path", noAttr = "trisect.other_path";

class Numbering {
public:
  Numbering(LLVM::LLVMFuncOp function, const Effects &effects, bool keeps) : effects(effects), keeps(keeps) {
    scratch = function.getArguments().back(); // of every function (RegionFunction.h)
  }

  void mark(Operation *op, std::vector<Path> &paths) {
    seen = effects.before(op);
    within = around(op);
    auto purpose = op->getAttrOfType<StringAttr>(yesAttr);
    auto choice = dyn_cast<scf::IfOp>(op);
    auto other = op->getAttrOfType<StringAttr>(noAttr);
    auto next = static_cast<int32_t>(paths.size());
    sides[op] = {next, next + 1};
    if (choice)
      ask(choice.thenBlock(), op->getLoc(), purpose, paths);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      before(loop, purpose, paths);
    else
      after(cast<LLVM::LoadOp>(op), purpose, other, paths);
    if (choice && other)
      ask(choice.elseBlock(), op->getLoc(), other, paths);
    op->removeAttr(yesAttr);
    op->removeAttr(noAttr);
  }

private:
  /// The path that a program is on at `op`: the nearest mark around it.
  int32_t around(Operation *op) const {
    for (; Operation *parent = op->getParentOp(); op = parent)
      if (auto mark = sides.find(parent); mark != sides.end()) {
        bool second = op->getParentRegion()->getRegionNumber() != 0;
        return second ? mark->second.second : mark->second.first;
      }
    return -1;
  }

  void ask(Block *block, Location loc, StringAttr purpose, std::vector<Path> &paths) {
    OpBuilder b(loc.getContext());
    b.setInsertionPointToStart(block);
    at(b, loc, purpose, paths);
  }

  // As soon as it is known whether the loop has a round: the program has written less by then.
  void before(scf::ForOp loop, StringAttr purpose, std::vector<Path> &paths) {
    Operation *place = &loop->getBlock()->front();
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
      if (Operation *op = bound.getDefiningOp();
          op && op->getBlock() == loop->getBlock() && !op->isBeforeInBlock(place))
        place = op->getNextNode();
    seen = effects.before(place);
    OpBuilder b(place);
    Code c{b, loop.getLoc()};
    Value runs = c.cmp(arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
    auto choice = b.create<scf::IfOp>(loop.getLoc(), runs, /*withElseRegion=*/false);
    ask(choice.thenBlock(), loop.getLoc(), purpose, paths);
  }

  // One question for both sides, whose numbers follow one another.
  void after(LLVM::LoadOp flag, StringAttr yes, StringAttr no, std::vector<Path> &paths) {
    if (paths.size() + 2 > mostPaths)
      return;
    OpBuilder b(flag.getContext());
    b.setInsertionPointAfter(flag);
    Code c{b, flag.getLoc()};
    int64_t first = add(c.loc, yes, paths), second = add(c.loc, no, paths);
    Value isOff = c.cmp(arith::CmpIPredicate::eq, flag, c.zero(flag.getType()));
    at(c, c.add(c.i64(first), c.mul(c.zext(isOff, c.i64()), c.i64(second - first))));
  }

  void at(OpBuilder &b, Location loc, StringAttr purpose, std::vector<Path> &paths) {
    if (paths.size() == mostPaths)
      return;
    Code c{b, loc};
    at(c, c.i64(add(loc, purpose, paths)));
  }

  int64_t add(Location loc, StringAttr purpose, std::vector<Path> &paths) {
    paths.push_back({purpose.str(), tt::positionOf(loc),
                     seen == Effects::Kind::Lasting || (seen == Effects::Kind::Written && !keeps),
                     seen == Effects::Kind::Written && keeps, within});
    return static_cast<int64_t>(paths.size()) - 1;
  }

  // if (hook->closed[number]) hook->untried(hook, number)
  void at(Code &c, Value number) {
    OpBuilder &b = c.b;
    Location loc = c.loc;
    auto field = [&](Type type, Value offset) -> Value {
      return b.create<LLVM::LoadOp>(loc, type, c.pointer(c.add(scratch, offset)));
    };
    Value closed = field(c.i8(), c.add(number, c.i64(offsetof(AssertHook, closed))));
    Value asks = c.cmp(arith::CmpIPredicate::ne, closed, c.integer(c.i8(), 0));
    auto branch = b.create<scf::IfOp>(loc, asks, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value function = field(pointer, c.i64(offsetof(AssertHook, untried)));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, c.i64()});
    b.create<LLVM::CallOp>(loc, type, ValueRange{function, c.pointer(scratch), number})
        .setCConv(LLVM::cconv::CConv::PreserveAll);
  }

  const Effects &effects;
  bool keeps;                                                     ///< what programs write over can be kept
  Effects::Kind seen = Effects::Kind::None;                       ///< before the mark at hand
  int32_t within = -1;                                            ///< the path around the mark at hand
  llvm::DenseMap<Operation *, std::pair<int32_t, int32_t>> sides; ///< of marks, in their order
  Value scratch;
};
} // namespace

void markPaths(scf::IfOp choice, llvm::StringRef yes, llvm::StringRef no) {
  OpBuilder b(choice.getContext());
  choice->setAttr(yesAttr, b.getStringAttr(yes));
  if (!choice.getElseRegion().empty())
    choice->setAttr(noAttr, b.getStringAttr(no));
}

void markPath(scf::ForOp loop, llvm::StringRef purpose) {
  loop->setAttr(yesAttr, StringAttr::get(loop.getContext(), purpose));
}

void markPaths(LLVM::LoadOp flag, llvm::StringRef on, llvm::StringRef off) {
  flag->setAttr(yesAttr, StringAttr::get(flag.getContext(), on));
  flag->setAttr(noAttr, StringAttr::get(flag.getContext(), off));
}

std::vector<Path> numberPaths(ModuleOp module, LLVM::LLVMFuncOp program, bool keeps) {
  Effects effects(module, program);
  std::vector<Path> paths;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    SmallVector<Operation *> marked;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr(yesAttr))
        marked.push_back(op);
    });
    if (marked.empty())
      continue;
    Numbering numbering(function, effects, keeps);
    for (Operation *op : marked)
      numbering.mark(op, paths);
  }
  if (llvm::any_of(paths, [](const Path &path) { return path.kept; }))
    keepBefore(effects.stores(), program);
  return paths;
}

} // namespace trisect::cpu
