//===- LaterRows.cpp - what a reduction of rows asks for ahead ------------------------------------------===//
#include "backends/cpu/emit/LaterRows.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Slope.h"
#include "backends/cpu/plan/Upcoming.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>

using namespace mlir;

namespace trisect::cpu {

namespace {
Block *blockOf(const Group &group) {
  Action first = group.actions.front();
  return first.op ? first.op->getBlock() : first.source.getParentBlock();
}

int64_t blockBytes(tt::LoadOp load) {
  return tt::numElementsOf(load.getType()) * memoryBytes(ttElement(load.getType()));
}

/// An order of scalars that are known in one place; the same in each run.
bool isMadeBefore(Value one, Value other) {
  auto depth = [](Value value) {
    int64_t found = 0;
    for (Operation *op = value.getParentBlock()->getParentOp(); op; op = op->getParentOp())
      ++found;
    return found;
  };
  if (int64_t here = depth(one), there = depth(other); here != there)
    return here < there;
  Operation *first = one.getDefiningOp(), *second = other.getDefiningOp();
  if (first && second)
    return first != second && first->isBeforeInBlock(second);
  if (first || second)
    return second;
  return cast<BlockArgument>(one).getArgNumber() < cast<BlockArgument>(other).getArgNumber();
}

/// The sum of a value and a number; null if either is, or if a scalar of the number was not emitted yet.
Value emitted(KernelState &state, const tt::Polynomial &number, Value sum) {
  std::vector<std::pair<tt::Polynomial::Product, int64_t>> terms;
  number.forTerms([&](ArrayRef<Value> product, int64_t factor) {
    terms.emplace_back(product, factor);
    llvm::sort(terms.back().first, isMadeBefore);
  });
  llvm::sort(terms, [](const auto &one, const auto &other) {
    return std::ranges::lexicographical_compare(one.first, other.first, isMadeBefore);
  });
  Code c = state.code();
  for (const auto &[product, factor] : terms) {
    Value term = c.i64(factor);
    for (Value scalar : product) {
      Value found = state.scalars.lookup(scalar);
      term = term && found ? c.mul(term, c.sext(found, c.i64())) : Value();
    }
    sum = sum && term ? c.add(sum, term) : Value();
  }
  return sum;
}

/// Loads of rows that a reduction is the first to read.
SmallVector<tt::LoadOp, 1> readByRows(KernelState &state, const Group &group, unsigned lanes) {
  bool reduces =
      llvm::any_of(group.actions, [](const Action &action) { return action.kind == Action::Kind::Reduce; });
  int64_t elements = static_cast<int64_t>(lanes) * reduceChunks; // of a step
  bool rows = reduces && !group.rare && !group.space.empty() && group.space.back() > elements;
  SmallVector<tt::LoadOp, 1> found;
  for (const Action &action : group.actions) {
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    // Only the first loop finds a row in memory.
    if (load && state.rowsRead.insert(load).second && rows &&
        slopeAlong(load.getPtr(), innermost(load)) == 1 && movesOf(load) != Moves::No &&
        blockBytes(load) >= leastRow)
      found.push_back(load);
  }
  return found;
}

/// `distance` where there are so many more rounds or programs, else 0.
Value ifThereIsOne(KernelState &state, Operation *around, Value rounds, Value distance) {
  Code c = state.code();
  auto wide = [&](Value value) { return c.sext(value, c.i64()); };
  Value here, end;
  if (auto loop = dyn_cast<scf::ForOp>(around)) {
    here = state.scalars.lookup(loop.getInductionVar());
    Value step = state.scalars.lookup(loop.getStep());
    end = state.scalars.lookup(loop.getUpperBound());
    if (!here || !step || !end)
      return {};
    rounds = c.mul(rounds, wide(step));
  } else {
    here = state.programId[0];
    end = state.numPrograms[0];
  }
  Value there = c.cmp(arith::CmpIPredicate::slt, c.add(wide(here), rounds), wide(end));
  return c.b.create<arith::SelectOp>(c.loc, there, distance, c.i64(0));
}

/// Rows that come later are asked for, or these once more if none come.
SmallVector<ComingRows, 1> comingRows(KernelState &state, const Group &group) {
  SmallVector<ComingRows, 1> found;
  if (group.rare || group.runs.size() != group.space.size())
    return found;
  for (tt::LoadOp load : state.rowsFound) {
    if (group.space != spaceOf(ttShape(load.getType())) || blockOf(group) != load->getBlock())
      continue;
    std::optional<MovingRows> rows = movingRows(load);
    if (!rows)
      continue;
    Code c = state.code();
    Value rounds = c.i64(std::max<int64_t>(1, laterRowBytes / blockBytes(load)));
    Value begin = emitted(state, rows->start, state.scalars.lookup(rows->base));
    Value motion = emitted(state, rows->motion.bytes, c.i64(0));
    Value distance =
        motion ? ifThereIsOne(state, rows->motion.around, rounds, c.mul(motion, rounds)) : Value();
    auto strides = llvm::map_to_vector<2>(
        rows->strides, [&](const auto &stride) { return emitted(state, stride, c.i64(0)); });
    if (begin && distance && llvm::all_of(strides, [](Value stride) { return stride != nullptr; }))
      found.push_back({load.getType(), c.add(begin, distance), std::move(strides)});
  }
  return found;
}

/// How many bytes further than what is read again lies what is asked for: whole rounds, so many that it comes
/// in time, and none if they are too large, or go back, or if no more come.
Value distanceOf(KernelState &state, const Motion &motion) {
  Code c = state.code();
  Value round = emitted(state, motion.bytes, c.i64(0));
  if (!round)
    return {};
  Value rows = c.make<arith::MaxSIOp>(round, c.i64(1));
  Value rounds = c.add(c.make<arith::DivUIOp>(c.i64(laterRowBytes - 1), rows), c.i64(1));
  Value near = c.cmp(arith::CmpIPredicate::ule, round, c.i64(largestBlock));
  Value distance = c.b.create<arith::SelectOp>(c.loc, near, c.mul(round, rounds), c.i64(0));
  return ifThereIsOne(state, motion.around, rounds, distance);
}

void addDistances(KernelState &state, const Group &group, LaterRows &later) {
  for (const Action &action : group.actions) {
    auto load = dyn_cast_or_null<tt::LoadOp>(action.op);
    if (!load || group.rare)
      continue;
    std::optional<Motion> motion = motionOfReread(load);
    if (Value distance = motion ? distanceOf(state, *motion) : Value())
      later.distances[load] = distance;
  }
}
} // namespace

LaterRows laterRows(KernelState &state, const Group &group, unsigned lanes) {
  LaterRows later;
  later.lines = comingRows(state, group);
  addDistances(state, group, later);
  for (tt::LoadOp load : readByRows(state, group, lanes)) {
    if (group.space.size() == 1)
      later.pages.push_back(load);
    if (blockBytes(load) <= largestBlock)
      state.rowsFound.push_back(load);
  }
  if (!later.distances.empty())
    state.plan += "what is read again is asked for of later rounds\n";
  if (!later.pages.empty())
    state.plan += "later rows are asked for\n";
  if (!later.lines.empty())
    state.plan += "later rows are asked for line by line\n";
  return later;
}

void askForPages(KernelState &state, const LaneValue &address, Type element, int64_t length) {
  int64_t bytes = memoryBytes(element);
  if (!address.isStrided() || constantOf(address.stride) != bytes)
    return;
  Code c = state.code();
  Value begin = c.add(address.value, c.i64(upcomingBytes));
  ElementLoops(state).loop(0, length * bytes, pageBytes, [&](const LaneValue &page) {
    c.prefetch(c.add(begin, page.value), 2); // the first cache is small
  });
}

static void askFor(Code &c, Value begin, int64_t bytes, unsigned cache) {
  for (int64_t offset = 0; offset < bytes; offset += lineBytes)
    c.prefetch(c.add(begin, c.i64(offset)), cache);
}

/// All lines of a chunk; of several chunks in a line the first one asks.
static void askForChunk(Code &c, Value begin, int64_t elementBytes, unsigned lanes, unsigned number) {
  int64_t bytes = elementBytes * lanes;
  if (number * bytes % lineBytes == 0)
    askFor(c, begin, bytes, 2);
}

void askForLines(KernelState &state, const ComingRows &rows, const Index &index, unsigned lanes,
                 unsigned number) {
  Code c = state.code();
  Value begin = rows.begin;
  for (auto [position, stride] : llvm::zip(index, rows.strides))
    begin = c.add(begin, c.mul(position.value, stride));
  askForChunk(c, begin, memoryBytes(ttElement(rows.type)), lanes, number);
}

void askFurther(KernelState &state, const LaterRows &later, tt::LoadOp load, const LaneValue &address,
                unsigned lanes, unsigned number) {
  Value distance = later.distances.lookup(load);
  int64_t bytes = memoryBytes(ttElement(load.getType()));
  if (!distance || !address.isStrided() || constantOf(address.stride) != bytes)
    return;
  Code c = state.code();
  askForChunk(c, c.add(address.value, distance), bytes, lanes, number);
}

void askForNextRound(KernelState &state, const Group &group, tt::LoadOp load, const LaneValue &address,
                     unsigned lanes) {
  Value pointer = load.getPtr();
  if (auto turned = pointer.getDefiningOp<tt::TransOp>())
    pointer = turned.getSrc();
  auto found = state.inductions.find(pointer);
  if (found == state.inductions.end() || !found->second.step || address.isVector())
    return;
  if (llvm::none_of(group.actions, [&](const Action &other) { return other.source == load.getResult(); }))
    return;
  Code c = state.code();
  int64_t bytes = static_cast<int64_t>(lanes) * memoryBytes(ttElement(load.getType()));
  askFor(c, c.add(address.value, found->second.step), bytes, 1);
}

} // namespace trisect::cpu
