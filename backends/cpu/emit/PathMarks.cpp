//===- PathMarks.cpp - questions where paths begin ------------------------------------------------------===//
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Effects.h"
#include "backends/cpu/emit/KeepMarks.h"
#include "backends/cpu/emit/PathQuestions.h"
#include "backends/cpu/emit/ValueNumbers.h"
#include "backends/target/PathWatch.h"
#include "core/ir/Locations.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr llvm::StringRef yesAttr = "trisect.path", noAttr = "trisect.other_path";

class Numbering {
public:
  // The last argument of every function is the scratch memory (RegionFunction.h).
  Numbering(LLVM::LLVMFuncOp function, const Effects &effects, bool keeps, const Machine &machine)
      : effects(effects), keeps(keeps),
        questions(function.getArguments().back(),
                  llvm::Triple(machine.triple).getArch() == llvm::Triple::x86_64) {}

  void mark(Operation *op, std::vector<Path> &paths) {
    auto purpose = llvm::cast<StringAttr>(op->removeAttr(yesAttr));
    auto other = llvm::cast_if_present<StringAttr>(op->removeAttr(noAttr));
    std::vector<Operation *> &alike = marked[conditionOf(op, other != nullptr)];
    auto first = llvm::find_if(alike, [&](Operation *each) { return isBefore(each, op); });
    if (first != alike.end()) {
      sides[op] = sides[*first];
      return;
    }
    alike.push_back(op);
    seen = effects.before(op);
    within = around(op);
    auto choice = dyn_cast<scf::IfOp>(op);
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
  }

private:
  // What decides at a mark. Who went by a mark of the same was asked there.
  std::vector<uintptr_t> conditionOf(Operation *op, bool both) {
    if (auto choice = dyn_cast<scf::IfOp>(op))
      return {both, values.of(choice.getCondition())};
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return {both, values.of(loop.getLowerBound()), values.of(loop.getUpperBound())};
    return {both, values.of(op->getResult(0))};
  }

  /// Whether who comes to `later` has come by `first`.
  static bool isBefore(Operation *first, Operation *later) {
    Operation *there = first->getBlock()->findAncestorOpInBlock(*later);
    return there && first->isBeforeInBlock(there);
  }

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
    if (paths.size() == mostPaths)
      return;
    OpBuilder b = OpBuilder::atBlockBegin(block);
    questions.ask(Code{b, loc}, add(loc, purpose, paths));
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
    if (paths.size() == mostPaths)
      return;
    questions.askIfLess(c, loop.getLowerBound(), loop.getUpperBound(), add(c.loc, purpose, paths));
  }

  // One question for both sides, whose numbers follow one another.
  void after(LLVM::LoadOp flag, StringAttr yes, StringAttr no, std::vector<Path> &paths) {
    if (paths.size() + 2 > mostPaths)
      return;
    OpBuilder b(flag.getContext());
    b.setInsertionPointAfter(flag);
    Code c{b, flag.getLoc()};
    int64_t on = add(c.loc, yes, paths);
    questions.askByFlag(c, flag, on, add(c.loc, no, paths));
  }

  /// The number of a new path.
  int64_t add(Location loc, StringAttr purpose, std::vector<Path> &paths) {
    paths.push_back({purpose.str(), tt::positionOf(loc),
                     seen == Effects::Kind::Lasting || (seen == Effects::Kind::Written && !keeps),
                     seen == Effects::Kind::Written && keeps, within});
    return static_cast<int64_t>(paths.size()) - 1;
  }

  const Effects &effects;
  bool keeps;                               ///< what programs write over can be kept
  Effects::Kind seen = Effects::Kind::None; ///< before the mark at hand
  int32_t within = -1;                      ///< the path around the mark at hand
  PathQuestions questions;
  llvm::DenseMap<Operation *, std::pair<int32_t, int32_t>> sides; ///< of marks, in their order
  ValueNumbers values;
  std::map<std::vector<uintptr_t>, std::vector<Operation *>> marked; ///< by conditionOf()
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

std::vector<Path> numberPaths(ModuleOp module, LLVM::LLVMFuncOp program, const Machine &machine, bool keeps) {
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
    Numbering numbering(function, effects, keeps, machine);
    for (Operation *op : marked)
      numbering.mark(op, paths);
  }
  if (llvm::any_of(paths, [](const Path &path) { return path.kept; }))
    keepBefore(effects.stores(), program);
  return paths;
}

} // namespace trisect::cpu
