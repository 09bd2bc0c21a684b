//===- Products.cpp - tt.dot ----------------------------------------------------------------------------===//
//
// What: both factors are copied into scratch memory in the accumulator's format, or in their own where tile
// registers multiply them, the right one in panels (dot/), and multiplied there. Limits: f32 factors are
// multiplied in full precision whatever inputPrecision allows.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/dot/Together.h"
#include "backends/cpu/dot/Turn.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/ElementLoops.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/emit/ValidCount.h"
#include "backends/cpu/plan/Wanted.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
// True if only the last two dimensions change places.
bool exchangesRows(tt::TransOp op) {
  ArrayRef<int32_t> order = op.getOrder();
  auto rank = static_cast<int32_t>(order.size());
  for (int32_t d = 0; d + 2 < rank; ++d)
    if (order[d] != d)
      return false;
  return rank >= 2 && order[rank - 1] == rank - 2;
}

// True if sums start at 0, not at -0.
bool isZero(Value start) { return matchPattern(start, m_PosZeroFloat()) || matchPattern(start, m_Zero()); }
} // namespace

// Copies a factor; one that is turned is copied as it was and turned by finishOperands().
void BlockEmitter::copyOperand(OpOperand &use, const Buffer &buffer) {
  Value source = use.get();
  groups.coverUse(use);
  auto turned = source.getDefiningOp<tt::TransOp>();
  if (!turned || !exchangesRows(turned) || state.buffers.count(source))
    return groups.addCopy(source, buffer, buffer.element);
  turnInto(turned, buffer);
}

void BlockEmitter::turnInto(tt::TransOp turned, const Buffer &buffer) {
  Value before = turned.getSrc();
  auto found = state.buffers.find(before);
  if (found != state.buffers.end() && found->second.element == buffer.element && found->second.panel == 0) {
    turns.push_back({found->second, buffer});
    return;
  }
  Buffer rows = state.makeBuffer(buffer.element, ttShape(before.getType()));
  if (turned->hasOneUse())
    groups.coverUse(turned->getOpOperand(0));
  groups.addCopy(before, rows, buffer.element);
  turns.push_back({rows, buffer});
}

void BlockEmitter::emitTurned(tt::TransOp op) {
  if (!state.buffers.count(op.getSrc()) && groups.isCheap(op.getSrc()))
    return; // computed anew at each use
  Buffer target = state.makeBuffer(ttElement(op.getType()), ttShape(op.getType()));
  turnInto(op, target);
  finishOperands();
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

// Copies a right factor and lays its steps side by side; one that is turned is turned in words of them.
void BlockEmitter::copyTogether(OpOperand &use, const Buffer &loose, const Buffer &target, const Form &form) {
  size_t before = turns.size();
  copyOperand(use, loose);
  bool turned = turns.size() > before;
  if (!turned || !form.tiles)
    return void(interleaves.push_back({loose, target, form}));
  Code c = state.code();
  turns.back() = {asWords(c, turns.back().first, form.together, false),
                  asWords(c, target, form.together, true)};
}

// A factor that lies in memory of its own as the product reads it; nothing if the product writes there.
std::optional<Buffer> BlockEmitter::keptOperand(OpOperand &use, Type element, int64_t panel) {
  auto dot = cast<tt::DotOp>(use.getOwner());
  if (panel != 0 || ttElement(use.get().getType()) != element || use.get() == dot.getC())
    return std::nullopt;
  groups.require(use.get());
  auto found = state.buffers.find(use.get());
  if (found == state.buffers.end() || found->second.panel != 0 || found->second.element != element)
    return std::nullopt;
  auto start = state.buffers.find(dot.getC());
  bool writes = start != state.buffers.end() && start->second.offset == found->second.offset;
  return writes ? std::nullopt : std::optional(found->second);
}

Buffer BlockEmitter::dotOperand(OpOperand &use, Type convertTo, int64_t panel) {
  if (std::optional<Buffer> kept = keptOperand(use, convertTo, panel))
    return *kept;
  Buffer buffer = state.makeBuffer(convertTo, ttShape(use.get().getType()), panel);
  copyOperand(use, buffer);
  return buffer;
}

void BlockEmitter::finishOperands() {
  groups.flushAll();
  for (auto &[from, to] : turns)
    emitTurn(state, from, to);
  turns.clear();
  for (auto &[from, to, form] : interleaves)
    emitInterleave(state, from, to, form);
  interleaves.clear();
}

Extent BlockEmitter::wantedExtent(Value sums) {
  Extent wanted;
  for (const Bound &bound : wantedOf(sums)) {
    Value count = emitValidCount(state, bound).most;
    Value &extent = bound.dimension == 0 ? wanted.rows : wanted.columns;
    extent = extent && count ? state.code().make<arith::MinSIOp>(extent, count) : count ? count : extent;
  }
  return wanted;
}

// Where a product goes: in place over the start value if that is of this round and nothing else reads it.
Buffer BlockEmitter::productTarget(Operation *op, Value start) {
  groups.require(start);
  auto known = state.buffers.find(start);
  if (known != state.buffers.end() && start.getParentBlock() == op->getBlock() && groups.usersDone(start, op))
    return known->second;
  return state.makeBuffer(ttElement(start.getType()), ttShape(start.getType()));
}

// An accumulator of 16 bits is kept in f32 and rounded once, at the end.
void BlockEmitter::emitNarrowDot(tt::DotOp op) {
  Type wide = state.builder.getF32Type(), element = ttElement(op.getType());
  ArrayRef<int64_t> shape = ttShape(op.getType());
  OpOperand &start = op->getOpOperand(2);
  Buffer sums = dotOperand(start, wide, 0);
  Tile tile = tileOf(state.machine, memoryBytes(wide), shape[shape.size() - 2], shape.back());
  Buffer a = dotOperand(op->getOpOperand(0), wide, 0);
  Buffer b = dotOperand(op->getOpOperand(1), wide, tile.panel);
  finishOperands();
  state.loc = op.getLoc();
  emitProduct(state, {{}, a, b, sums, tile, wantedExtent(op.getResult())});
  Buffer target = state.makeBuffer(element, shape);
  ElementLoops loops(state);
  int64_t length = shape.back();
  auto lanes = static_cast<unsigned>(std::min<int64_t>(length, chunkLanes));
  loops.evaluator.nest.lanes = lanes;
  loops.forEach(shape.drop_back(), [&](const Index &row) {
    loops.loop(0, length, lanes, [&](LaneValue here) {
      Code c = state.code();
      Index index = row;
      index.push_back(lanes > 1 ? LaneValue{LaneValue::Kind::Strided, here.value, c.i64(1), here.level}
                                : here);
      Value sum = toVector(c, loops.evaluator.readBuffer(sums, index), lanes);
      loops.evaluator.writeBuffer(target, index, LaneValue::lanes(convertFloat(c, sum, wide, element)));
    });
  });
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

void BlockEmitter::emitDot(tt::DotOp op) {
  Type element = ttElement(op.getType());
  if (isNarrowFloat(element))
    return emitNarrowDot(op);
  if (!element.isF32() && !element.isF64() && !element.isIntOrIndex())
    unsupported(op, "with this accumulator type");
  Form form = formOf(state.machine, op);
  state.plan += adviceOn(state.machine, op);
  if (form.tiles)
    return emitTileDot(op, form);
  // Steps side by side pay in loops alone (StagedProducts.cpp).
  form.together = 1;
  Tile tile = tileOf(state.machine, form, op);
  OpOperand &left = op->getOpOperand(0), &right = op->getOpOperand(1), &start = op->getOpOperand(2);

  Buffer target = productTarget(op, start.get());
  Buffer a = dotOperand(left, element, 0);
  Buffer b = dotOperand(right, element, tile.panel);
  finishOperands();
  state.loc = op.getLoc();
  Product product{start.get(), a, b, target, tile, wantedExtent(op.getResult())};
  product.form = form;
  emitProduct(state, product);
  state.buffers[op.getResult()] = target;
  groups.markDone(op);
}

// The sums have to lie in memory, the right factor with its steps side by side.
void BlockEmitter::emitTileDot(tt::DotOp op, const Form &form) {
  Type element = factorType(form, op);
  OpOperand &left = op->getOpOperand(0), &right = op->getOpOperand(1), &start = op->getOpOperand(2);
  ArrayRef<int64_t> shape = ttShape(right.get().getType());
  Product product{{}, {}, {}, productTarget(op, start.get()), tileOf(state.machine, form, op), {}};
  product.form = form;
  product.startsAtZero = isZero(start.get());
  auto known = state.buffers.find(start.get());
  bool inPlace = known != state.buffers.end() && known->second.offset == product.sums.offset;
  if (!product.startsAtZero && !inPlace)
    copyOperand(start, product.sums);
  product.left = dotOperand(left, element, 0);
  product.right = state.makeBuffer(element, shape, product.tile.panel);
  if (std::optional<Buffer> kept = keptOperand(right, element, 0))
    interleaves.push_back({*kept, product.right, form});
  else
    copyTogether(right, state.makeBuffer(element, shape), product.right, form);
  finishOperands();
  state.loc = op.getLoc();
  product.wanted = wantedExtent(op.getResult());
  emitProduct(state, product);
  state.buffers[op.getResult()] = product.sums;
  groups.markDone(op);
}

} // namespace trisect::cpu
