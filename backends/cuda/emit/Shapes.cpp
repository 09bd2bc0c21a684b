//===- Shapes.cpp - ops that move elements without looking at them --------------------------------------===//
//
// What: expand, broadcast, transpose, reshape, join, split, cat. Each is an edit of the source's layout,
// after which every part has its element; if the result's layout is another one, its parts are exchanged.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace trisect::cuda {

namespace {
std::vector<int32_t> sizes(mlir::Type type) {
  ArrayRef<int64_t> shape = tt::shapeOf(type);
  return {shape.begin(), shape.end()};
}

/// The parts of `source` under an edited layout, whose registers are those of the source (and more).
Parts edited(const Parts &parts, const Placement &source, const Placement &result) {
  Parts moved;
  for (unsigned n = 0; n < result.held(); ++n)
    moved.push_back(parts[source.heldFor(result.registerOf(n))]);
  return moved;
}

/// Gives `op` the parts that lie by `layout`.
void finish(Emitter &e, mlir::Operation *op, const Parts &parts, const Placement &placement) {
  mlir::Value result = op->getResult(0);
  e.set(result,
        e.exchange(op, parts, placement, e.placement(result.getType()), tt::elementOf(result.getType())));
}

void edit(Emitter &e, mlir::Operation *op, gpu::Layout layout) {
  const Placement &source = e.placement(op->getOperand(0).getType());
  Placement result(std::move(layout));
  finish(e, op, edited(e.parts(op->getOperand(0)), source, result), result);
}

void emitBroadcast(Emitter &e, tt::BroadcastOp op) {
  const Placement &source = e.placement(op.getSrc().getType());
  const Placement &target = e.placement(op.getType());
  // Where threads lie alike, a part of the result is the part whose element has zeros in the repeated places.
  std::vector<int32_t> from = sizes(op.getSrc().getType());
  const gpu::Layout &layout = target.layout();
  auto shrunk = [&](uint32_t element) {
    gpu::Coordinates at = layout.coordinates(element);
    for (size_t dim = 0; dim < from.size(); ++dim)
      at[dim] = from[dim] == 1 ? 0 : at[dim];
    return source.layout().number(at);
  };
  // The source as the result's threads want it: its registers are those of the result that still differ.
  gpu::Layout wanted = gpu::Layout::empty(from);
  for (gpu::Bits bits : {gpu::Bits::Register, gpu::Bits::Lane, gpu::Bits::Warp})
    for (unsigned bit = 0; bit < layout.bits(bits); ++bit)
      wanted.append(bits, shrunk(layout.flat(bits, bit)));
  Placement near(std::move(wanted));
  Parts parts = e.exchange(op, e.parts(op.getSrc()), source, near, tt::elementOf(op.getType()));
  Parts result;
  for (unsigned n = 0; n < target.held(); ++n) {
    uint32_t element = shrunk(target.element(n));
    unsigned found = 0;
    while (near.element(found) != element)
      ++found;
    result.push_back(parts[found]);
  }
  e.set(op, std::move(result));
}

void emitJoin(Emitter &e, tt::JoinOp op) {
  const Placement &source = e.placement(op.getLhs().getType());
  Placement result(source.layout().joined());
  const Parts &lhs = e.parts(op.getLhs()), &rhs = e.parts(op.getRhs());
  Parts parts;
  for (unsigned n = 0; n < result.held(); ++n) {
    uint32_t number = result.registerOf(n);
    parts.push_back((number & 1 ? rhs : lhs)[source.heldFor(number >> 1)]);
  }
  finish(e, op, parts, result);
}

// The halves lie in one thread if the last dimension is a register bit; else they are brought there.
void emitSplit(Emitter &e, tt::SplitOp op) {
  mlir::Type element = tt::elementOf(op.getSrc().getType());
  const Placement &target = e.placement(op.getLhs().getType());
  Placement wanted(target.layout().joined());
  Parts both = e.exchange(op, e.parts(op.getSrc()), e.placement(op.getSrc().getType()), wanted, element);
  Parts lhs(target.held()), rhs(target.held());
  for (unsigned n = 0; n < wanted.held(); ++n) {
    uint32_t number = wanted.registerOf(n);
    (number & 1 ? rhs : lhs)[target.heldFor(number >> 1)] = both[n];
  }
  e.set(op.getLhs(), std::move(lhs));
  e.set(op.getRhs(), std::move(rhs));
}

// lhs, then rhs, along the first dimension.
void emitCat(Emitter &e, tt::CatOp op) {
  const Placement &source = e.placement(op.getLhs().getType());
  gpu::Layout layout = gpu::Layout::empty(sizes(op.getType()));
  for (gpu::Bits bits : {gpu::Bits::Register, gpu::Bits::Lane, gpu::Bits::Warp})
    for (unsigned bit = 0; bit < source.layout().bits(bits); ++bit)
      layout.append(bits, source.layout().flat(bits, bit));
  unsigned newBit = layout.bits(gpu::Bits::Register);
  layout.append(gpu::Bits::Register, static_cast<uint32_t>(source.size()));
  Placement result(std::move(layout));
  const Parts &lhs = e.parts(op.getLhs()), &rhs = e.parts(op.getRhs());
  Parts parts;
  for (unsigned n = 0; n < result.held(); ++n) {
    uint32_t number = result.registerOf(n);
    parts.push_back((number >> newBit & 1 ? rhs : lhs)[source.heldFor(number)]);
  }
  finish(e, op, parts, result);
}
} // namespace

bool emitShape(Emitter &e, mlir::Operation *op) {
  if (op->getNumOperands() == 0 || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return false;
  const gpu::Layout &source = e.placement(op->getOperand(0).getType()).layout();
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    edit(e, op, source.expanded(expand.getAxis()));
  } else if (auto reshape = dyn_cast<tt::ReshapeOp>(op)) {
    edit(e, op, source.reshaped(sizes(reshape.getType())));
  } else if (auto trans = dyn_cast<tt::TransOp>(op)) {
    edit(e, op, source.transposed(trans.getOrder()));
  } else if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    emitBroadcast(e, broadcast);
  } else if (auto join = dyn_cast<tt::JoinOp>(op)) {
    emitJoin(e, join);
  } else if (auto split = dyn_cast<tt::SplitOp>(op)) {
    emitSplit(e, split);
  } else if (auto cat = dyn_cast<tt::CatOp>(op)) {
    emitCat(e, cat);
  } else if (auto unsplat = dyn_cast<tt::UnsplatOp>(op)) {
    // Every thread holds the only element.
    e.set(unsplat, e.parts(unsplat.getSrc())[0]);
  } else {
    return false;
  }
  return true;
}

} // namespace trisect::cuda
