//===- StagedProducts.cpp - the loop of a product, some rounds at a time --------------------------------===//
//
// What: emits what plan/Staging found: rounds make their factors ready, one behind the other, and after some
// of them a product runs over all. The left factor is read where it lies as far as nothing is masked there
// and its rows go on from round to round; from the first round on where that is not so it is copied. The
// right one is packed, or taken as the program before has left it. Steps that the masks of both factors leave
// out, at the end of a stage, are not multiplied.
// Limits: rows of the left factor whose neighbours' distance is no constant are copied.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/dot/Together.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Carried.h"
#include "backends/cpu/emit/CountedLoop.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Masks.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/ValidCount.h"
#include "backends/cpu/emit/Widenings.h"
#include "backends/cpu/plan/Staging.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace trisect::cpu {

class StageEmitter {
public:
  StageEmitter(BlockEmitter &blocks, scf::ForOp op, const Staging &found)
      : blocks(blocks), state(blocks.state), op(op), plan(found), dot(plan.dot),
        element(factorType(plan.form, dot)), bytes(memoryBytes(element)),
        loadedBytes(memoryBytes(ttElement(plan.left.getType()))), m(ttShape(dot.getType())[0]),
        n(ttShape(dot.getType())[1]), k(ttShape(dot.getB().getType())[0]), depth(k * plan.rounds) {}

  /// True if nothing but the factors and the sums needs memory of its own.
  bool fits() {
    auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
    for (unsigned i = 0; i < op.getInitArgs().size(); ++i)
      if (i != plan.sums && isa<RankedTensorType>(op.getInitArgs()[i].getType()) &&
          !blocks.inductionSteps(op.getRegionIterArg(i), yield.getOperand(i)))
        return false;
    return llvm::all_of(op.getBody()->without_terminator(), [&](Operation &inner) {
      return isOwn(&inner) || isShapeOp(&inner) || llvm::all_of(inner.getResults(), [&](Value result) {
               return !isa<RankedTensorType>(result.getType()) ||
                      (isElementwise(&inner) && blocks.groups.isCheap(result));
             });
    });
  }

  void emit() {
    state.plan += plan.describe();
    state.plan += adviceOn(state.machine, dot);
    carried = blocks.carriedBy(op);
    blocks.moveInto(carried.moved, carried.targets, {});
    lower = blocks.scalar(op.getLowerBound());
    step = blocks.scalar(op.getStep());
    Value upper = blocks.scalar(op.getUpperBound());
    state.loc = op.getLoc();
    blocks.requireStep(op, step);
    Code c = state.code();
    trips = tripCount(c, c.sext(lower, c.i64()), c.sext(upper, c.i64()), c.sext(step, c.i64()));
    tile = tileOf(state.machine, plan.form, dot);
    left = state.makeBuffer(element, {m, depth});
    bool stays = plan.stages > 1;
    SmallVector<int64_t> all{plan.stages * depth, n};
    right = stays ? state.makeLasting(element, all, tile.panel) : state.makeBuffer(element, all, tile.panel);
    right.shape = {depth, n};
    right.pitch = tile.panel ? depth : 0;
    if (plan.form.together > 1)
      loose = state.makeBuffer(element, {k, n});
    if (plan.form.together == 4 && !plan.form.tiles)
      less = stays ? state.makeLasting(ttElement(dot.getType()), {plan.stages, n})
                   : state.makeBuffer(ttElement(dot.getType()), {plan.stages, n});
    listRows();
    findReady();
    wanted = blocks.wantedExtent(dot.getResult());
    emitStages();
    leaveReady();
    op->walk([&](Operation *inner) { blocks.groups.markDone(inner); });
  }

private:
  // Bytes that are multiplied as pairs of 16 bits.
  bool widens() const { return bytes > loadedBytes; }

  // Rows that are not multiplied where they lie: bytes that become wider, and those of tiles, of which each
  // line is read once for each two tiles of columns and many would share a set of the first cache.
  bool takesRows() const { return widens() || plan.form.tiles; }

  bool isOwn(Operation *inner) {
    return inner == plan.dot.getOperation() || inner == plan.left.getOperation() ||
           inner == plan.right.getOperation();
  }

  Value word(Value offset, Value index) {
    Code c = state.code();
    return c.pointer(c.add(c.add(state.scratch, offset), c.mul(index, c.i64(8))));
  }
  Value readWord(Value offset, int64_t index) {
    Code c = state.code();
    return c.b.create<LLVM::LoadOp>(c.loc, c.i64(), word(offset, c.i64(index)));
  }
  void writeWord(Value offset, Value index, Value value) {
    Code c = state.code();
    c.b.create<LLVM::StoreOp>(c.loc, value, word(offset, index));
  }

  // The carried pointers of the left factor, if its elements are the product's and lie side by side.
  std::optional<unsigned> carriedPointers() {
    auto pointers = dyn_cast<BlockArgument>(plan.left.getPtr());
    Type loaded = ttElement(plan.left.getType());
    if (!pointers || pointers.getOwner() != op.getBody() || pointers.getArgNumber() == 0 ||
        dot.getA() != plan.left.getResult() ||
        (isa<FloatType>(element) ? loaded != element : plan.form.together == 1))
      return std::nullopt;
    unsigned number = pointers.getArgNumber() - 1;
    return carried.strides[number] ? std::optional(number) : std::nullopt;
  }

  // Lists where the rows begin: in memory, and of a copy. `inPlace` tells whether the former may be used.
  void listRows() {
    std::optional<unsigned> number = carriedPointers();
    if (!number)
      return;
    Code c = state.code();
    Value start = op.getInitArgs()[*number];
    Group reader;
    reader.space = {m, k};
    reader.runs = {{m, 1}, {k, 1}};
    reader.actions.push_back({Action::Kind::Copy, nullptr, start, {}, {}});
    Widenings widenings = findWidenings(state, reader, k);
    Value may = c.cmp(arith::CmpIPredicate::eq, carried.strides[*number], c.i64(k * loadedBytes));
    if (widenings.holds)
      may = c.both(may, widenings.holds);
    if (constantOf(may) == 0)
      return;
    Value table = state.makeBuffer(c.i64(), {2 * m}).offset;
    bool sideBySide = false;
    ElementLoops loops(state);
    loops.evaluator.steady = widenings.always;
    loops.evaluator.steady.insert(widenings.ifHolds.begin(), widenings.ifHolds.end());
    loops.loop(0, m, 1, [&](const LaneValue &row) {
      Code inner = state.code();
      Value copy = inner.add(state.scratch, left.offset);
      writeWord(table, inner.add(row.value, inner.i64(m)),
                inner.add(copy, inner.mul(row.value, inner.i64(depth * bytes))));
      loops.evaluator.nest.lanes = static_cast<unsigned>(k);
      LaneValue along = LaneValue::strided(inner.i64(0), inner.i64(1));
      along.level = row.level;
      LaneValue address = loops.evaluator.at(start, {row, along});
      sideBySide = address.isStrided() && constantOf(address.stride) == loadedBytes;
      if (sideBySide)
        writeWord(table, row.value, address.value);
    });
    if (!sideBySide)
      return;
    inPlace = may;
    rowTable = table;
    pointers = *number;
    state.plan += takesRows() ? "rows of the left factor are copied whole where no mask is off\n"
                              : "the left factor is read in place where no mask is off\n";
  }

  // How many steps of a round the bounds allow. It is carried behind the carried values.
  Value stepsOn(ArrayRef<Bound> bounds) {
    Code c = state.code();
    Value on = c.i64(k);
    for (const Bound &bound : bounds)
      if (Value most = emitValidCount(state, bound).most)
        on = c.make<arith::MinSIOp>(on, most);
    return on;
  }

  Value asWord(Value value) {
    Code c = state.code();
    if (isa<FloatType>(value.getType()))
      value = c.bits(value, c.b.getIntegerType(value.getType().getIntOrFloatBitWidth()));
    return c.zext(value, c.i64());
  }

  // How many stages of the right factor are as this program needs them.
  void findReady() {
    Code c = state.code();
    ready = c.i64(0);
    if (plan.stages == 1)
      return;
    int64_t place = state.arena.take(8 * (1 + static_cast<int64_t>(plan.keys.size())));
    state.kept.push_back(place);
    header = c.i64(place);
    ready = readWord(header, 0);
    Value same = c.integer(c.i1(), 1);
    for (auto [i, key] : llvm::enumerate(plan.keys)) {
      auto place = static_cast<int64_t>(i) + 1;
      Value now = asWord(blocks.scalar(key));
      same = c.both(same, c.cmp(arith::CmpIPredicate::eq, readWord(header, place), now));
      writeWord(header, c.i64(place), now);
    }
    ready = c.select(same, ready, c.i64(0));
    writeWord(header, c.i64(0), ready);
  }

  void leaveReady() {
    if (plan.stages == 1)
      return;
    Code c = state.code();
    Value all = c.i64(plan.stages), least = c.i64(plan.stages - 1);
    Value done = c.shr(c.add(trips, c.i64(plan.rounds - 1)), llvm::Log2_64(plan.rounds));
    // The last place serves all stages that find no other.
    Value fits = c.cmp(arith::CmpIPredicate::sle, done, all);
    writeWord(header, c.i64(0), c.select(fits, done, least));
  }

  scf::ForOp loopOver(Value from, Value to, int64_t by, ValueRange initial) {
    Code c = state.code();
    auto loop = c.b.create<scf::ForOp>(c.loc, from, to, c.i64(by), initial);
    if (loop.getBody()->mightHaveTerminator())
      loop.getBody()->getTerminator()->erase();
    return loop;
  }

  void bind(ValueRange values) {
    unsigned next = 0;
    for (auto [i, form] : llvm::enumerate(carried.forms)) {
      BlockArgument argument = op.getRegionIterArg(i);
      if (form == Carried::Form::Scalar)
        state.scalars[argument] = values[next++];
      else if (form == Carried::Form::Induction)
        state.inductions[argument] = {op.getInitArgs()[i], values[next++], carried.strides[i]};
    }
  }

  void emitStages() {
    Code c = state.code();
    scf::ForOp stages = loopOver(c.i64(0), trips, plan.rounds, carried.initial);
    {
      OpBuilder::InsertionGuard guard(state.builder);
      state.builder.setInsertionPointToEnd(stages.getBody());
      first = stages.getInductionVar();
      count = c.make<arith::MinSIOp>(c.sub(trips, first), c.i64(plan.rounds));
      Value stage = c.shr(first, llvm::Log2_64(plan.rounds));
      packs = c.cmp(arith::CmpIPredicate::sge, stage, ready);
      Value place = c.make<arith::MinSIOp>(stage, c.i64(plan.stages - 1));
      right.shift = c.mul(place, c.i64(depth * n * bytes));
      SmallVector<Value> initial(stages.getRegionIterArgs());
      if (plan.endsEarly())
        initial.push_back(c.i64(0));
      if (inPlace)
        initial.push_back(c.i64(0));
      scf::ForOp rounds = loopOver(c.i64(0), count, 1, initial);
      {
        OpBuilder::InsertionGuard inner(state.builder);
        state.builder.setInsertionPointToEnd(rounds.getBody());
        emitRound(rounds);
      }
      sumColumns(place);
      multiply(stages.getRegionIterArgs(), rounds.getResults());
      SmallVector<Value> next(rounds.getResults().take_front(carried.initial.size()));
      state.builder.create<scf::YieldOp>(state.loc, next);
    }
    unsigned next = 0;
    for (auto [i, form] : llvm::enumerate(carried.forms)) {
      Value result = op.getResult(i);
      if (form == Carried::Form::Scalar)
        state.scalars[result] = stages.getResult(next++);
      else if (form == Carried::Form::Induction)
        state.inductions[result] = {op.getInitArgs()[i], stages.getResult(next++), {}};
      else
        state.buffers[result] = carried.targets.front();
    }
  }

  void emitRound(scf::ForOp rounds) {
    Value round = rounds.getInductionVar();
    Code c = state.code();
    Value number = c.resize(c.add(first, round), lower.getType());
    state.scalars[op.getInductionVar()] = c.add(lower, c.mul(number, step));
    bind(rounds.getRegionIterArgs());
    for (Operation &inner : op.getBody()->without_terminator()) {
      state.loc = inner.getLoc();
      if (!isOwn(&inner))
        blocks.emitOp(&inner);
    }
    state.loc = dot.getLoc();
    makeReady(1, plan.right, packs, section(right, round, k * (tile.panel ? tile.panel : n)));
    Value taken = inPlace ? takeInPlace(round, rounds.getRegionIterArgs().back()) : Value();
    if (!inPlace)
      makeReady(0, plan.left, {}, section(left, round, k, depth));
    auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
    state.loc = yield.getLoc();
    SmallVector<Value> next;
    for (auto [i, form] : llvm::enumerate(carried.forms)) {
      if (form == Carried::Form::Scalar)
        next.push_back(blocks.scalar(yield.getOperand(i)));
      else if (form == Carried::Form::Induction)
        next.push_back(state.code().add(rounds.getRegionIterArg(next.size()),
                                        blocks.inductionAmount(carried.steps[i], op.getRegionIterArg(i))));
    }
    if (plan.endsEarly()) {
      Code c = state.code();
      Value on = c.make<arith::MaxSIOp>(stepsOn(plan.leftEnds), stepsOn(plan.rightEnds));
      Value none = c.cmp(arith::CmpIPredicate::eq, on, c.i64(0));
      next.push_back(c.select(none, rounds.getRegionIterArg(next.size()), c.add(c.mul(round, c.i64(k)), on)));
    }
    if (taken)
      next.push_back(taken);
    state.builder.create<scf::YieldOp>(state.loc, next);
  }

  // What a round fills of a factor of a stage.
  Buffer section(Buffer whole, Value round, int64_t elements, int64_t pitch = 0) {
    Code c = state.code();
    whole.shape = pitch ? SmallVector<int64_t>{m, k} : SmallVector<int64_t>{k, n};
    if (pitch)
      whole.pitch = pitch;
    Value before = c.mul(round, c.i64(elements * bytes));
    whole.shift = whole.shift ? c.add(whole.shift, before) : before;
    return whole;
  }

  void makeReady(unsigned number, tt::LoadOp load, Value condition, const Buffer &target) {
    Code c = state.code();
    OpBuilder::InsertionGuard guard(c.b);
    if (condition && constantOf(condition) != 1) {
      auto choice = c.b.create<scf::IfOp>(c.loc, condition, /*withElseRegion=*/number == 0);
      if (number == 0)
        markPaths(choice, "a left factor is copied", "a left factor is read in place");
      c.b.setInsertionPointToStart(choice.thenBlock());
    }
    blocks.groups.rare = number == 0 && condition;
    blocks.groups.add(load);
    if (number == 1 && plan.form.together > 1)
      blocks.copyTogether(dot->getOpOperand(number), loose, target, plan.form);
    else
      blocks.copyOperand(dot->getOpOperand(number), target);
    blocks.finishOperands();
    blocks.groups.rare = false;
    state.loc = dot.getLoc();
  }

  // The rounds from the first on that are read in place, this one perhaps among them.
  Value takeInPlace(Value round, Value before) {
    Code c = state.code();
    Value on = plan.left.getMask() ? emitAllTrue(state, plan.left.getMask()) : c.integer(c.i1(), 1);
    if (!on)
      on = c.integer(c.i1(), 0);
    on = c.both(c.both(on, inPlace), c.cmp(arith::CmpIPredicate::eq, before, round));
    makeReady(0, plan.left, c.negate(on), section(left, round, k, depth));
    return c.select(on, c.add(round, c.i64(1)), before);
  }

  // The scalar that tells how far the rows of the left factor have moved.
  unsigned movedScalar() {
    unsigned scalar = 0;
    for (unsigned i = 0; i < pointers; ++i)
      scalar += carried.forms[i] != Carried::Form::Buffer;
    return scalar;
  }

  void sumColumns(Value place) {
    if (!less)
      return;
    Code c = state.code();
    less->shift = c.mul(place, c.i64(n * 4));
    OpBuilder::InsertionGuard guard(c.b);
    auto choice = c.b.create<scf::IfOp>(c.loc, packs, /*withElseRegion=*/false);
    c.b.setInsertionPointToStart(choice.thenBlock());
    emitColumnSums(state, right, *less, c.mul(count, c.i64(k)));
  }

  // Copies the rounds that are read in place, in whole rows; bytes that become wider, as pairs.
  void takeRows(ValueRange begin, ValueRange end) {
    Code c = state.code();
    Value border = c.mul(end.back(), c.i64(k)), rows = c.add(state.scratch, left.offset);
    auto lanes = static_cast<unsigned>(std::min<int64_t>(k, 64 / bytes));
    scf::ForOp outer = c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(m), c.i64(1));
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(outer.getBody());
    Value row = outer.getInductionVar();
    Value start = c.b.create<LLVM::LoadOp>(c.loc, c.i64(), word(rowTable, row));
    start = c.add(start, begin[movedScalar()]);
    Value target = c.add(rows, c.mul(row, c.i64(depth * bytes)));
    scf::ForOp inner = c.b.create<scf::ForOp>(c.loc, c.i64(0), border, c.i64(lanes));
    c.b.setInsertionPointToStart(inner.getBody());
    Value step = inner.getInductionVar();
    Value address = c.pointer(c.add(start, c.mul(step, c.i64(loadedBytes))));
    Type loaded = vectorOf(c.b.getIntegerType(static_cast<unsigned>(8 * loadedBytes)), lanes);
    Value part = c.b.create<LLVM::LoadOp>(c.loc, loaded, address, 1);
    address = c.pointer(c.add(target, c.mul(step, c.i64(bytes))));
    c.b.create<LLVM::StoreOp>(c.loc, widens() ? c.sext(part, c.i16()) : part, address, 1);
  }

  void multiply(ValueRange begin, ValueRange end) {
    Code c = state.code();
    Product product{{}, left, right, carried.targets.front(), tile, wanted, {}, {}, {}};
    product.left.pitch = depth;
    product.from = c.i64(0);
    product.to = c.mul(count, c.i64(k));
    if (plan.endsEarly()) {
      // One step of zeros is multiplied, as it makes a sum of -0 one of 0; the next ones change nothing.
      Value least = c.add(end[carried.initial.size()], c.i64(stepsAtOnce));
      least = c.mul(c.shr(least, llvm::Log2_64(stepsAtOnce)), c.i64(stepsAtOnce));
      product.to = c.make<arith::MinSIOp>(product.to, least);
    }
    product.form = plan.form;
    product.less = less;
    if (inPlace && takesRows())
      takeRows(begin, end);
    if (!inPlace || takesRows())
      return emitProduct(state, product);
    // The rounds that are read in place, then the others.
    Value taken = end.back(), zero = c.i64(0), one = c.i64(1);
    Value skips = c.cmp(arith::CmpIPredicate::eq, taken, zero);
    Value ends = c.cmp(arith::CmpIPredicate::eq, taken, count);
    Value part = c.select(skips, one, zero);
    auto parts = c.b.create<scf::ForOp>(c.loc, part, c.select(ends, one, c.i64(2)), one);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(parts.getBody());
    Value there = c.cmp(arith::CmpIPredicate::eq, parts.getInductionVar(), zero);
    Value border = c.mul(taken, c.i64(k));
    if (less)
      product.takesLess = c.cmp(arith::CmpIPredicate::eq, parts.getInductionVar(), part);
    product.from = c.select(there, zero, border);
    product.to = c.select(there, border, product.to);
    Value table = c.add(state.scratch, rowTable);
    product.rows.table = c.add(table, c.mul(parts.getInductionVar(), c.i64(8 * m)));
    product.rows.moved = c.select(there, begin[movedScalar()], zero);
    Value more = c.cmp(arith::CmpIPredicate::slt, c.add(first, c.i64(plan.rounds)), trips);
    product.rows.ahead = c.select(c.both(there, more), c.i64(depth * bytes), zero);
    emitProduct(state, product);
  }

  BlockEmitter &blocks;
  KernelState &state;
  scf::ForOp op;
  Staging plan;
  tt::DotOp dot;
  Type element;                               ///< of the factors
  int64_t bytes, loadedBytes, m, n, k, depth; ///< of a stage: so many steps of k
  Carried carried;
  Tile tile;
  Extent wanted;
  Buffer left, right, loose;  ///< `loose`: a round of the right factor that is not interleaved yet
  std::optional<Buffer> less; ///< what columns of the sums have too much, by stage
  Value lower, step, trips;
  Value inPlace;          ///< null: the left factor is always copied
  Value rowTable, header; ///< offsets in the scratch memory
  unsigned pointers = 0;  ///< the carried value that points to the left factor
  Value ready, packs;     ///< stages of the right factor that need no packing; whether this one does
  Value first, count;     ///< rounds of the stage at hand
};

bool BlockEmitter::emitStagedProduct(scf::ForOp op) {
  std::optional<Staging> plan = stagingOf(op, pointers, state.machine);
  if (!plan)
    return false;
  StageEmitter stages(*this, op, *plan);
  if (!stages.fits())
    return false;
  stages.emit();
  return true;
}

} // namespace trisect::cpu
