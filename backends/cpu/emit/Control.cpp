//===- Control.cpp - loops and branches over tensors ----------------------------------------------------===//
//
// What: scf.for, scf.if and scf.while. A carried tensor lives in a buffer of its own; one that only grows by
// a uniform amount (the usual pointer increments) is its start and a scalar.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Carried.h"
#include "backends/cpu/emit/CountedLoop.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/Waits.h"
#include "backends/cpu/plan/Waiting.h"
#include "core/ir/Locations.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

// One scalar for all elements, or nothing.
bool isUniformStep(Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  return value.getDefiningOp<tt::SplatOp>() != nullptr;
}
} // namespace

// True if a uniform step (isUniformStep) is known before the loop; its splat may stand inside.
static bool standsBefore(scf::ForOp loop, Value step) {
  if (auto splat = step.getDefiningOp<tt::SplatOp>())
    step = splat.getSrc();
  return !loop->isAncestor(step.getParentRegion()->getParentOp());
}

// The values that are added to `argument` on the way to `next`, if nothing else happens to it.
std::optional<SmallVector<Value>> BlockEmitter::inductionSteps(BlockArgument argument, Value next) {
  SmallVector<Value> steps;
  while (next != argument) {
    Operation *op = next.getDefiningOp();
    if (!op || !isa<tt::AddPtrOp, arith::AddIOp>(op))
      return std::nullopt;
    Value from = op->getOperand(0), step = op->getOperand(1);
    if (isa<arith::AddIOp>(op) && isUniformStep(from))
      std::swap(from, step);
    if (!isUniformStep(step))
      return std::nullopt;
    steps.push_back(step);
    next = from;
  }
  return steps;
}

// The sum of the steps: bytes for addresses, else in the type of the elements.
Value BlockEmitter::inductionAmount(ArrayRef<Value> steps, Value like) {
  Code code = state.code();
  Type element = ttElement(like.getType());
  bool address = isa<tt::PtrType>(element);
  Type type = address ? code.i64() : emittedType(element);
  Value sum = code.zero(type);
  for (Value step : steps) {
    groups.require(step);
    Evaluator evaluator(state, 1);
    Value amount = evaluator.at(step, zeroIndex(code, ttShape(step.getType()))).value;
    amount = code.resize(amount, type);
    if (address)
      amount = code.mul(amount, code.i64(memoryBytes(pointee(like.getType()))));
    sum = code.add(sum, amount);
  }
  return sum;
}

bool BlockEmitter::dependsOn(Value value, Value other) {
  if (value == other)
    return true;
  if (!isTensor(value) || state.buffers.count(value))
    return false;
  if (auto found = state.inductions.find(value); found != state.inductions.end())
    return dependsOn(found->second.start, other);
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, other); });
}

// Copies tensors into buffers as if all at once. `old` are the values that the buffers hold so far.
void BlockEmitter::moveInto(ValueRange values, ArrayRef<Buffer> targets, ValueRange old) {
  for (Value value : values)
    groups.require(value);
  groups.flushAll();
  // What reads a buffer that another copy overwrites goes through a temporary.
  SmallVector<std::pair<Buffer, Buffer>> second;
  SmallVector<Value> secondSources;
  auto sameBuffer = [&](Value value, const Buffer &buffer) {
    auto found = state.buffers.find(value);
    return found != state.buffers.end() && found->second.offset == buffer.offset;
  };
  SmallVector<std::pair<Value, Buffer>> copies;
  for (auto [i, value] : llvm::enumerate(values)) {
    if (sameBuffer(value, targets[i]))
      continue;
    bool threatened = false;
    for (auto [j, other] : llvm::enumerate(old))
      threatened |= j != i && (dependsOn(value, other) || sameBuffer(value, targets[j]));
    // Reading one's own old contents element by element is fine; any other order is not known.
    threatened |= i < old.size() && dependsOn(value, old[i]);
    if (threatened) {
      Buffer temporary = state.makeBuffer(targets[i].element, targets[i].shape);
      groups.addCopy(value, temporary);
      second.push_back({temporary, targets[i]});
      secondSources.push_back(value);
    } else {
      copies.push_back({value, targets[i]});
    }
  }
  groups.flushAll();
  for (auto &[value, target] : copies)
    groups.addCopy(value, target);
  groups.flushAll();
  for (auto [source, move] : llvm::zip(secondSources, second)) {
    auto saved = state.buffers.find(source);
    std::optional<Buffer> before = saved == state.buffers.end() ? std::nullopt : std::optional(saved->second);
    state.buffers[source] = move.first;
    groups.addCopy(source, move.second);
    groups.flushAll();
    if (before)
      state.buffers[source] = *before;
    else
      state.buffers.erase(source);
  }
}

// A loop whose step is below 1 has no trip count.
void BlockEmitter::requireStep(scf::ForOp op, Value step) {
  if (std::optional<int64_t> known = constantOf(step); known && *known > 0)
    return;
  Code code = state.code();
  Value holds = code.cmp(arith::CmpIPredicate::sgt, step, code.zero(step.getType()));
  Assertion assertion{AssertionKind::LoopStep, {}, tt::positionOf(op.getLoc())};
  emitCheck(std::move(assertion), holds, code.resize(step, code.i64()));
}

Carried BlockEmitter::carriedBy(scf::ForOp op) {
  auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
  unsigned count = op.getInitArgs().size();
  Carried all;
  all.steps.resize(count);
  all.strides.resize(count);
  for (unsigned i = 0; i < count; ++i) {
    Value start = op.getInitArgs()[i];
    BlockArgument argument = op.getRegionIterArg(i);
    if (!isTensor(start)) {
      all.forms.push_back(Carried::Form::Scalar);
      all.initial.push_back(scalar(start));
    } else if (auto found = inductionSteps(argument, yield.getOperand(i))) {
      all.forms.push_back(Carried::Form::Induction);
      all.steps[i] = *found;
      groups.require(start);
      state.loc = op.getLoc();
      all.initial.push_back(inductionAmount({}, argument));
      if (llvm::all_of(*found, [&](Value step) { return standsBefore(op, step); }))
        all.strides[i] = inductionAmount(*found, argument);
    } else {
      all.forms.push_back(Carried::Form::Buffer);
      all.moved.push_back(start);
      all.arguments.push_back(argument);
      all.targets.push_back(state.makeBuffer(ttElement(start.getType()), ttShape(start.getType())));
    }
  }
  return all;
}

void BlockEmitter::emitFor(scf::ForOp op) {
  using Form = Carried::Form;
  Block &body = *op.getBody();
  auto yield = cast<scf::YieldOp>(body.getTerminator());
  unsigned count = op.getInitArgs().size();
  groups.flushAll();
  if (emitStagedProduct(op))
    return;
  auto [forms, steps, strides, initial, moved, arguments, targets] = carriedBy(op);
  moveInto(moved, targets, {});
  Value lower = scalar(op.getLowerBound()), upper = scalar(op.getUpperBound()), step = scalar(op.getStep());

  state.loc = op.getLoc();
  requireStep(op, step);
  auto [loop, inductionVariable] = makeCountedLoop(state.code(), lower, upper, step, initial);
  {
    OpBuilder::InsertionGuard guard(state.builder);
    state.builder.setInsertionPointToEnd(loop.getBody());
    state.scalars[op.getInductionVar()] = inductionVariable;
    unsigned nextScalar = 0, nextBuffer = 0;
    for (unsigned i = 0; i < count; ++i) {
      BlockArgument argument = op.getRegionIterArg(i);
      if (forms[i] == Form::Scalar) {
        state.scalars[argument] = loop.getRegionIterArg(nextScalar++);
      } else if (forms[i] == Form::Induction) {
        state.inductions[argument] = {op.getInitArgs()[i], loop.getRegionIterArg(nextScalar++), strides[i]};
      } else {
        const Buffer &buffer = targets[nextBuffer++];
        state.buffers[argument] = buffer;
        // The value to carry on, and what a product adds up into it, may be made in place.
        for (Value value = yield.getOperand(i); value;) {
          groups.carried[value] = {argument, buffer};
          auto dot = value.getDefiningOp<tt::DotOp>();
          value = dot && dot->hasOneUse() && dot.getC() != argument ? dot.getC() : Value();
        }
      }
    }
    emitBlock(body);
    SmallVector<Value> next, carriedOn;
    for (unsigned i = 0; i < count; ++i)
      if (forms[i] == Form::Buffer)
        carriedOn.push_back(yield.getOperand(i));
    moveInto(carriedOn, targets, arguments);
    nextScalar = 0;
    state.loc = yield.getLoc();
    for (unsigned i = 0; i < count; ++i) {
      if (forms[i] == Form::Scalar) {
        next.push_back(scalar(yield.getOperand(i)));
        ++nextScalar;
      } else if (forms[i] == Form::Induction) {
        Value amount = inductionAmount(steps[i], op.getRegionIterArg(i));
        next.push_back(state.code().add(loop.getRegionIterArg(nextScalar++), amount));
      }
    }
    state.builder.create<scf::YieldOp>(state.loc, next);
  }
  unsigned nextScalar = 0, nextBuffer = 0;
  for (unsigned i = 0; i < count; ++i) {
    Value result = op.getResult(i);
    if (forms[i] == Form::Scalar)
      state.scalars[result] = loop.getResult(nextScalar++);
    else if (forms[i] == Form::Induction)
      state.inductions[result] = {op.getInitArgs()[i], loop.getResult(nextScalar++), {}};
    else
      state.buffers[result] = targets[nextBuffer++];
  }
  op->walk([&](Operation *inner) { groups.markDone(inner); });
}

void BlockEmitter::emitIf(scf::IfOp op) {
  groups.flushAll();
  SmallVector<Type> types;
  SmallVector<Buffer> targets;
  for (Value result : op.getResults()) {
    if (isTensor(result))
      targets.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
    else
      types.push_back(emittedType(result.getType()));
  }
  Value condition = scalar(op.getCondition());
  state.loc = op.getLoc();
  bool hasElse = !op.getElseRegion().empty();
  auto branch = state.builder.create<scf::IfOp>(state.loc, types, condition, hasElse);
  markPaths(branch, "a branch of the kernel", "the other side of a branch");
  for (bool yes : {true, false}) {
    if (!yes && !hasElse)
      break;
    OpBuilder::InsertionGuard guard(state.builder);
    Block *target = yes ? branch.thenBlock() : branch.elseBlock();
    Block &source = yes ? op.getThenRegion().front() : op.getElseRegion().front();
    if (target->mightHaveTerminator())
      target->getTerminator()->erase();
    state.builder.setInsertionPointToEnd(target);
    emitBlock(source);
    SmallVector<Value> tensors, scalars;
    for (Value value : source.getTerminator()->getOperands())
      (isTensor(value) ? tensors : scalars).push_back(value);
    moveInto(tensors, targets, {});
    for (Value &value : scalars)
      value = scalar(value);
    state.builder.create<scf::YieldOp>(state.loc, scalars);
  }
  unsigned nextScalar = 0, nextBuffer = 0;
  for (Value result : op.getResults()) {
    if (isTensor(result))
      state.buffers[result] = targets[nextBuffer++];
    else
      state.scalars[result] = branch.getResult(nextScalar++);
  }
  op->walk([&](Operation *inner) { groups.markDone(inner); });
}

void BlockEmitter::emitWhile(scf::WhileOp op) {
  groups.flushAll();
  SmallVector<Value> tensors, initial, beforeTensors;
  SmallVector<Buffer> beforeBuffers, afterBuffers;
  SmallVector<Type> beforeTypes, afterTypes;
  for (auto [value, argument] : llvm::zip(op.getInits(), op.getBeforeArguments())) {
    if (isTensor(value)) {
      tensors.push_back(value);
      beforeTensors.push_back(argument);
      beforeBuffers.push_back(state.makeBuffer(ttElement(value.getType()), ttShape(value.getType())));
      state.buffers[argument] = beforeBuffers.back();
    } else {
      initial.push_back(scalar(value));
      beforeTypes.push_back(initial.back().getType());
    }
  }
  for (auto [result, argument] : llvm::zip(op.getResults(), op.getAfterArguments())) {
    if (isTensor(result)) {
      afterBuffers.push_back(state.makeBuffer(ttElement(result.getType()), ttShape(result.getType())));
      state.buffers[argument] = state.buffers[result] = afterBuffers.back();
    } else {
      afterTypes.push_back(emittedType(result.getType()));
    }
  }
  moveInto(tensors, beforeBuffers, {});
  state.loc = op.getLoc();
  std::optional<Wait> wait;
  if (mayWait(op)) {
    wait = beginWait(state, op, waitsBy(op), initial.size(), !tensors.empty());
    ++state.waiting;
  }
  auto loop = state.builder.create<scf::WhileOp>(state.loc, afterTypes, initial);
  OpBuilder::InsertionGuard guard(state.builder);
  auto enter = [&](Region &region, ArrayRef<Type> types, ValueRange arguments) {
    SmallVector<Location> places(types.size(), state.loc);
    Block *block = state.builder.createBlock(&region, {}, types, places);
    unsigned next = 0;
    for (Value argument : arguments)
      if (!isTensor(argument))
        state.scalars[argument] = block->getArgument(next++);
  };
  enter(loop.getBefore(), beforeTypes, op.getBeforeArguments());
  emitBlock(op.getBefore().front());
  auto condition = cast<scf::ConditionOp>(op.getBefore().front().getTerminator());
  SmallVector<Value> passed, scalars;
  for (Value value : condition.getArgs())
    (isTensor(value) ? passed : scalars).push_back(value);
  moveInto(passed, afterBuffers, {});
  for (Value &value : scalars)
    value = scalar(value);
  state.builder.create<scf::ConditionOp>(state.loc, scalar(condition.getCondition()), scalars);

  enter(loop.getAfter(), afterTypes, op.getAfterArguments());
  emitBlock(op.getAfter().front());
  passed.clear();
  scalars.clear();
  for (Value value : op.getAfter().front().getTerminator()->getOperands())
    (isTensor(value) ? passed : scalars).push_back(value);
  moveInto(passed, beforeBuffers, beforeTensors);
  for (Value &value : scalars)
    value = scalar(value);
  if (wait) {
    pause(state, *wait, scalars);
    --state.waiting;
  }
  state.builder.create<scf::YieldOp>(state.loc, scalars);

  unsigned next = 0;
  for (Value result : op.getResults())
    if (!isTensor(result))
      state.scalars[result] = loop.getResult(next++);
  op->walk([&](Operation *inner) { groups.markDone(inner); });
}

} // namespace trisect::cpu
