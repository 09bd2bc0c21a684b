//===- GroupLoops.cpp - the loop nest of a fusion group -------------------------------------------------===//
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Accumulators.h"
#include "backends/cpu/emit/ChunkLanes.h"
#include "backends/cpu/emit/Extremes.h"
#include "backends/cpu/emit/LateStores.h"
#include "backends/cpu/emit/LaterRows.h"
#include "backends/cpu/emit/Loads.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Reach.h"
#include "backends/cpu/emit/Reduction.h"
#include "backends/cpu/emit/Repeated.h"
#include "backends/cpu/emit/Streams.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Versions.h"
#include "backends/cpu/emit/Waits.h"
#include "backends/cpu/emit/Widenings.h"
#include "backends/cpu/plan/Quiet.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

class NestEmitter {
public:
  NestEmitter(KernelState &state, const Group &group, ArrayRef<std::pair<Value, Buffer>> kept,
              const DenseMap<Value, Buffer> &reduced, const LaterRows &later, unsigned most, bool allOn,
              const OpSet &steady, Reach reach = {})
      : state(state), group(group), kept(kept), reduced(reduced), later(later), allOn(allOn), reach(reach),
        evaluator(state, 1) {
    evaluator.steady = steady;
    length = group.runs.empty() ? 1 : group.runs.back().extent;
    lanes = static_cast<unsigned>(std::min<int64_t>(length, most));
    evaluator.nest.lanes = lanes;
    for (const Action &action : group.actions)
      if (action.kind == Action::Kind::Reduce)
        reduces.push_back(cast<tt::ReduceOp>(action.op));
    moves = kept.empty() && (allOn || reach.all) && movesElements(state, group, lanes);
    unsigned perStep = !reduces.empty() ? reduceChunks : moves ? movedChunks : 1;
    chunks = static_cast<unsigned>(std::min<int64_t>(length / lanes, perStep));
    trips = length / (lanes * chunks);
  }

  /// Emits the nest; gives the results of reductions to scalars, in order.
  SmallVector<Value> run() {
    if (allOn || reach.all)
      streams = askForStreams(state, group, lanes, /*marked=*/!namesLoops());
    if (allOn)
      makeRepeated(state, evaluator, group.repeats);
    outer(0);
    return scalars;
  }

private:
  Code code() { return state.code(); }
  unsigned level() const { return evaluator.nest.loops.size(); }

  void outer(size_t number) {
    if (group.runs.empty() || number + 1 == group.runs.size())
      return inner();
    Code c = code();
    const Run &run = group.runs[number];
    auto loop = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(run.extent), c.i64(1));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(loop.getBody());
    evaluator.nest.loops.push_back(loop);
    LaneValue here = LaneValue::uniform(loop.getInductionVar());
    here.level = level();
    here.span = run.dimensions > 1 ? run.extent : 0;
    position.push_back(here);
    outer(number + 1);
    position.pop_back();
    evaluator.nest.loops.pop_back();
  }

  void inner() {
    Code c = code();
    if (group.runs.empty()) {
      Accumulators none;
      chunk({}, none);
      storeLate();
      return finish(none);
    }
    Accumulators accumulators;
    if (trips == 1) {
      accumulators.assign(reduces.size(), {});
      step(c.i64(0), chunks, accumulators);
      return finish(accumulators);
    }
    if (allOn || reach.all)
      askForLater();
    std::optional<Accumulators> first = neutralAccumulators(c, reduces, lanes, chunks);
    neutral = first.has_value();
    if (neutral)
      accumulators = *first;
    int64_t width = static_cast<int64_t>(lanes) * chunks, begin = 0;
    if (!neutral) {
      accumulators.assign(reduces.size(), {});
      step(c.i64(0), chunks, accumulators);
      begin = width;
    }
    if (!reach.all)
      return finish(along(c.i64(begin), c.i64(length), accumulators));
    auto upTo = [&](Value count) { // in whole steps
      Value end = c.both(c.add(count, c.i64(width - 1)), c.i64(-width));
      return c.make<arith::MaxSIOp>(end, c.i64(begin));
    };
    if (!reach.masked) {
      allOn = true;
      Value end = upTo(reach.some);
      return finish(beyond(end, along(c.i64(begin), end, accumulators)));
    }
    Value whole = c.both(reach.all, c.i64(-width)), from = c.make<arith::MaxSIOp>(whole, c.i64(begin));
    allOn = true;
    accumulators = along(c.i64(begin), whole, accumulators, "the part of a row with all lanes on");
    allOn = false;
    bool lasts = !reduces.empty() || !kept.empty();
    // What nothing reads and the masks drop is left out.
    Value end = !lasts ? reach.any : reach.some ? upTo(reach.some) : c.i64(length);
    accumulators = oneByOne(from, end, accumulators, "the end of a row, with masks");
    finish(lasts && reach.some ? beyond(end, accumulators) : accumulators);
  }

  // Whether the loops past the caches and through them say that they are paths.
  bool namesLoops() const { return moves && reach.masked; }

  void askForLater() {
    for (tt::LoadOp load : later.pages)
      chunkAt(code().i64(0),
              [&] { askForPages(state, value(load.getPtr()), ttElement(load.getType()), length); });
  }

  // Chunks from `begin` on, whose masks are all off: each lane has what the first one has, which is made
  // once.
  Accumulators beyond(Value begin, const Accumulators &accumulators) {
    Code c = code();
    Evaluator off(state, lanes);
    position.push_back(LaneValue::uniform(c.i64(length - 1)));
    turnOff(state, off, group, [&](Value v) { return indexFor(v.getType()); });
    auto lanesOf = [&](Value v) { return off.at(v, indexFor(v.getType())); };
    SmallVector<Parts> parts;
    for (tt::ReduceOp op : reduces)
      parts.push_back(
          llvm::map_to_vector<2>(op->getOperands(), [&](Value v) { return toVector(c, lanesOf(v), lanes); }));
    SmallVector<LaneValue> contents;
    for (const auto &[result, buffer] : kept)
      contents.push_back(lanesOf(result));
    position.pop_back();
    StringRef path = "what lies after a row";
    return rounds(begin, c.i64(length), chunks, accumulators, path, [&](Value start, auto &sums) {
      eachChunk(start, chunks, [&](unsigned u) {
        for (auto [r, each] : llvm::enumerate(parts))
          join(r, u, sums[r], each);
        for (auto [entry, content] : llvm::zip(kept, contents))
          evaluator.writeBuffer(entry.second, indexFor(entry.first.getType()), content);
      });
    });
  }

  // The loop over chunks; gives the accumulators after it. `path`: what it is for, if it is one of two.
  Accumulators along(Value begin, Value end, const Accumulators &accumulators, llvm::StringRef path = "") {
    if (moves && streams)
      return pastOrThrough(begin, end, path);
    return rounds(begin, end, chunks, accumulators, path,
                  [&](Value start, auto &sums) { step(start, chunks, sums); });
  }

  // A loop past the caches, a chunk a round, as memory takes lines that come one by one better than bursts of
  // them; another one through the caches.
  Accumulators pastOrThrough(Value begin, Value end, llvm::StringRef path) {
    Code c = code();
    Value past;
    chunkAt(begin, [&] {
      SmallVector<ChunkStore> first;
      for (const Action &action : group.actions)
        if (auto store = dyn_cast_or_null<tt::StoreOp>(action.op))
          first.push_back({value(store.getPtr()), {}, {}, ttElement(store.getValue().getType())});
      past = pastCaches(c, streams, first, lanes);
    });
    streams = {}; // it has been asked, for the end of a row, too
    auto loop = [&](unsigned chunksOfRound, llvm::StringRef name) {
      rounds(begin, end, chunksOfRound, {}, name,
             [&](Value start, auto &sums) { step(start, chunksOfRound, sums); });
    };
    if (!past) {
      loop(chunks, path);
    } else {
      auto choice = c.b.create<scf::IfOp>(c.loc, past, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(c.b);
      around = choice;
      storesPast = true;
      c.b.setInsertionPointToStart(choice.thenBlock());
      loop(1, path.empty() ? "" : "the part of a row with all lanes on, past the caches");
      storesPast = false;
      c.b.setInsertionPointToStart(choice.elseBlock());
      loop(chunks, path);
      around = nullptr;
    }
    return {};
  }

  // The same a chunk a round, for what runs seldom: a quarter of the code. The accumulator of a chunk goes
  // behind the others, so that each stands first in its turn, and in its place again after a whole step.
  Accumulators oneByOne(Value begin, Value end, const Accumulators &accumulators, llvm::StringRef path) {
    return rounds(begin, end, 1, accumulators, path, [&](Value start, auto &sums) {
      chunkAt(start, [&] { chunk(0, sums); });
      storeLate();
      for (SmallVector<Parts> &each : sums)
        // What only the first one has beside its own, as extremes do, stays there.
        for (size_t part = 0; part < each.back().size(); ++part)
          for (size_t u = 0; u + 1 < each.size(); ++u)
            std::swap(each[u][part], each[u + 1][part]);
    });
  }

  using Round = llvm::function_ref<void(Value, Accumulators &)>;
  Accumulators rounds(Value begin, Value end, unsigned chunksOfRound, const Accumulators &accumulators,
                      llvm::StringRef path, Round round) {
    Code c = code();
    int64_t width = static_cast<int64_t>(lanes) * chunksOfRound;
    SmallVector<Value> initial = flatten(accumulators);
    auto loop = c.b.create<scf::ForOp>(c.loc, begin, end, c.i64(width), initial);
    if (!path.empty())
      markPath(loop, path);
    {
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(loop.getBody());
      evaluator.nest.loops.push_back(around ? around : loop);
      auto carried = unflatten(accumulators, loop.getRegionIterArgs());
      round(loop.getInductionVar(), carried);
      if (!initial.empty())
        c.b.create<scf::YieldOp>(c.loc, flatten(carried));
      evaluator.nest.loops.pop_back();
    }
    return unflatten(accumulators, loop.getResults());
  }

  // One step of the innermost loop: chunks from `start`. Empty accumulators are started.
  void step(Value start, unsigned count, Accumulators &accumulators) {
    eachChunk(start, count, [&](unsigned u) { chunk(u, accumulators); });
    storeLate();
  }

  void eachChunk(Value start, unsigned count, llvm::function_ref<void(unsigned)> body) {
    Code c = code();
    for (unsigned u = 0; u < count; ++u)
      chunkAt(c.add(start, c.i64(static_cast<int64_t>(u) * lanes)), [&] { body(u); });
  }

  void chunkAt(Value first, llvm::function_ref<void()> body) {
    LaneValue here = lanes == 1 ? LaneValue::uniform(first) : LaneValue::strided(first, code().i64(1));
    here.level = level();
    here.span = group.runs.back().dimensions > 1 ? length : 0;
    position.push_back(here);
    body();
    position.pop_back();
  }

  // The last dimension of a run holds its position.
  Index indexFor(Type type) {
    Code c = code();
    Index index = zeroIndex(c, ttShape(type));
    size_t run = 0;
    unsigned done = 0; // dimensions of that run
    for (auto [here, extent] : llvm::zip(index, ttShape(type))) {
      if (extent == 1 || ++done < group.runs[run].dimensions)
        continue;
      here = position[run++];
      done = 0;
    }
    return index;
  }

  LaneValue value(Value v) { return evaluator.at(v, indexFor(v.getType())); }

  void chunk(unsigned u, Accumulators &accumulators) {
    unsigned reduction = 0;
    if (allOn)
      for (const ComingRows &rows : later.lines)
        askForLines(state, rows, indexFor(rows.type), lanes, u);
    for (const Action &action : group.actions) {
      state.loc = action.op ? action.op->getLoc() : action.source.getLoc();
      switch (action.kind) {
      case Action::Kind::Load:
        load(cast<tt::LoadOp>(action.op), u);
        break;
      case Action::Kind::Store:
        store(cast<tt::StoreOp>(action.op));
        break;
      case Action::Kind::Value:
        break;
      case Action::Kind::Copy:
        copy(action);
        break;
      case Action::Kind::Reduce:
        reduce(reduction++, u, accumulators);
        break;
      }
    }
    // All old contents have been read by now: a kept value may overwrite what it was computed from.
    SmallVector<LaneValue> results;
    for (const auto &[result, buffer] : kept)
      results.push_back(value(result));
    for (auto [entry, result] : llvm::zip(kept, results))
      evaluator.writeBuffer(entry.second, indexFor(entry.first.getType()), result);
  }

  void load(tt::LoadOp op, unsigned u) {
    if (op->use_empty() && !op.getIsVolatile())
      return;
    if (allOn) {
      askForNextRound(state, group, op, value(op.getPtr()), lanes);
      askFurther(state, later, op, value(op.getPtr()), lanes, u);
    }
    emitLoad(state, evaluator, op, indexFor(op.getType()), allOn);
  }

  // Its address and value are known now; where the group moves elements it waits for the end of the step.
  void store(tt::StoreOp op) {
    LaneValue mask = op.getMask() && !allOn ? value(op.getMask()) : LaneValue();
    ChunkStore made{value(op.getPtr()), value(op.getValue()), mask, ttElement(op.getValue().getType())};
    markStore(state, made.address, made.value, made.element, mask, lanes);
    late.push_back(made);
    if (!moves)
      storeLate();
  }

  void storeLate() {
    Code c = code();
    for (const ChunkStore &store : late)
      if (storesPast)
        storePastCaches(c, store, lanes);
      else
        storeChunk(c, streams, store, lanes);
    late.clear();
  }

  void copy(const Action &action) {
    Code c = code();
    LaneValue data = value(action.source);
    Type from = ttElement(action.source.getType());
    if (action.convertTo && action.convertTo != from) {
      Value all = toVector(c, data, lanes);
      data = LaneValue::lanes(isa<FloatType>(from) ? convertFloat(c, all, from, action.convertTo)
                                                   : c.sext(all, emittedType(action.convertTo)));
    }
    evaluator.writeBuffer(action.target, indexFor(action.source.getType()), data);
  }

  void reduce(unsigned reduction, unsigned u, Accumulators &accumulators) {
    Code c = code();
    tt::ReduceOp op = reduces[reduction];
    Parts parts;
    for (Value operand : op->getOperands())
      parts.push_back(toVector(c, value(operand), lanes));
    if (reduction >= accumulators.size())
      accumulators.resize(reduction + 1);
    SmallVector<Parts> &mine = accumulators[reduction];
    if (u >= mine.size())
      mine.push_back(parts);
    else
      join(reduction, u, mine, parts);
  }

  void join(unsigned reduction, unsigned u, SmallVector<Parts> &sums, const Parts &more) {
    tt::ReduceOp op = reduces[reduction];
    Code c = code();
    if (neutral && isPlainExtreme(c, op, lanes))
      joinExtreme(c, op, sums, u, more.front());
    else if (neutral || isQuiet(op))
      sums[u] = accumulate(state, op->getRegion(0), sums[u], more, isQuiet(op));
    else
      sums[u] = combine(state, op->getRegion(0), sums[u], more, positionsAlongAxis(op));
  }

  static bool isQuiet(tt::ReduceOp op) {
    return op->getNumOperands() == 1 && ttElement(op->getOperand(0).getType()).isF32() &&
           neverSignals(op->getOperand(0));
  }

  void finish(const Accumulators &accumulators) {
    for (auto [i, op] : llvm::enumerate(reduces)) {
      state.loc = op->getLoc();
      Code c = code();
      Parts result = neutral && isPlainExtreme(c, op, lanes)
                         ? Parts{finishExtremes(c, op, accumulators[i])}
                         : foldInHalves(state, op->getRegion(0), accumulators[i], neutral || isQuiet(op));
      for (auto [value, part] : llvm::zip(op->getResults(), result)) {
        auto buffer = reduced.find(value);
        if (buffer == reduced.end()) {
          scalars.push_back(part);
          continue;
        }
        unsigned saved = evaluator.nest.lanes;
        evaluator.nest.lanes = 1;
        evaluator.writeBuffer(buffer->second, indexFor(value.getType()), LaneValue::uniform(part));
        evaluator.nest.lanes = saved;
      }
    }
  }

  KernelState &state;
  const Group &group;
  ArrayRef<std::pair<Value, Buffer>> kept;
  const DenseMap<Value, Buffer> &reduced;
  const LaterRows &later;
  bool allOn;
  bool moves = false;          ///< stores stand at the end of a step
  bool storesPast = false;     ///< all stores of the loop that is emitted go past the caches
  Operation *around = nullptr; ///< the choice between two loops that is emitted; null: there is none
  bool neutral = false;        ///< accumulators began with the neutral element
  Reach reach;                 ///< null: the loop is not cut
  Value streams;               ///< null: no store goes past the caches
  Evaluator evaluator;
  unsigned lanes = 1, chunks = 1;
  int64_t length = 1, trips = 1;
  SmallVector<tt::ReduceOp> reduces;
  Index position; ///< of the loops, in the order of the space
  SmallVector<ChunkStore, movedChunks> late;
  SmallVector<Value> scalars;
};

} // namespace

void emitGroup(KernelState &state, const Group &group, ArrayRef<std::pair<Value, Buffer>> kept) {
  DenseMap<Value, Buffer> reduced;
  SmallVector<Value> scalarResults;
  SmallVector<Type> scalarTypes;
  for (const Action &action : group.actions) {
    if (action.kind != Action::Kind::Reduce)
      continue;
    for (Value result : action.op->getResults()) {
      if (isa<RankedTensorType>(result.getType())) {
        reduced[result] = state.makeBuffer(ttElement(result.getType()), ttShape(result.getType()));
      } else {
        scalarResults.push_back(result);
        scalarTypes.push_back(emittedType(result.getType()));
      }
    }
  }

  Code code = state.code();
  bool anyMask = false;
  Value allOn = allMasksOn(state, group, anyMask);
  if (!allOn || (group.space.empty() && anyMask))
    allOn = code.integer(code.i1(), 0);
  int64_t chunks = group.space.size() == 1 ? group.space[0] / chunkLanes : 0;
  Reach reach = chunks > reduceChunks && group.repeats.empty() ? reachOf(state, group, kept) : Reach();
  unsigned lanes = lanesOfChunks(state, group);
  LaterRows later = laterRows(state, group, lanes);
  Widenings widenings = findWidenings(state, group, lanes);
  OpSet all = widenings.always;
  all.insert(widenings.ifHolds.begin(), widenings.ifHolds.end());
  auto nest = [&](bool on, const OpSet &steady) {
    return NestEmitter(state, group, kept, reduced, later, lanes, on, steady).run();
  };
  SmallVector<Value> values =
      either(code, widenings.holds, scalarTypes, {"no index wraps", "an index may wrap"}, [&](bool holds) {
        const OpSet &steady = holds ? all : widenings.always;
        // Where lanes wrap speed is no concern: one form, with masks.
        if (!holds || group.rare)
          return nest(!anyMask, steady);
        if (reach.all)
          return NestEmitter(state, group, kept, reduced, later, lanes, false, steady, reach).run();
        return either(code, allOn, scalarTypes, {"all lanes on", "some lanes off"},
                      [&](bool on) { return nest(on, steady); });
      });
  noteEven(state, group, kept, reach);
  for (auto [result, value] : llvm::zip(scalarResults, values))
    state.scalars[result] = value;
  for (auto &[result, buffer] : reduced)
    state.buffers[result] = buffer;
}

} // namespace trisect::cpu
