//===- Scans.cpp - tt.scan with any region --------------------------------------------------------------===//
//
// What: an inclusive scan in either direction. The block is brought into a layout in which a thread holds
// neighbours along the axis, neighbouring threads neighbouring runs, and warps what follows: runs are scanned
// in registers, their ends over lanes, the ends of those over warps, and what is left in turn.
// Operands keep their order.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Combine.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using mlir::RankedTensorType;
using trisect::gpu::Bits;

namespace trisect::cuda {

namespace {
using Tuple = SmallVector<Value *, 4>; ///< one value for each operand

class Scan {
public:
  Scan(Emitter &e, tt::ScanOp op)
      : e(e), op(op), axis(op.getAxis()), reverse(op.getReverse()), region(op.getCombineOp()),
        shape(cast<RankedTensorType>(op.getSrcs()[0].getType()).getShape()), placement(alongAxis()) {}

  void emit() {
    for (mlir::Value operand : op.getSrcs()) {
      mlir::Type element = tt::elementOf(operand.getType());
      types.push_back(e.elementType(element));
      operands.push_back(
          e.exchange(op, e.parts(operand), e.placement(operand.getType()), placement, element));
    }
    countBits();
    for (SmallVector<unsigned> &row : rows())
      scanRow(row);
    for (auto [result, parts] : zip(op.getResults(), operands))
      e.set(result,
            e.exchange(op, parts, placement, e.placement(result.getType()), tt::elementOf(result.getType())));
  }

private:
  gpu::Layout alongAxis() const {
    std::vector<int32_t> sizes(shape.begin(), shape.end()), order{static_cast<int32_t>(axis)};
    int64_t elements = 1;
    for (int32_t dim = int32_t(sizes.size()) - 1; dim >= 0; --dim) {
      elements *= sizes[dim];
      if (dim != static_cast<int32_t>(axis))
        order.push_back(dim);
    }
    int64_t each = std::clamp<int64_t>(elements / e.threads(), 1, std::min<int64_t>(sizes[axis], 8));
    return gpu::coalesced(sizes, order, static_cast<int32_t>(each),
                          {static_cast<int32_t>(e.options.warps), 32});
  }

  bool along(Bits bits, unsigned bit) const {
    return !(placement.layout().freeBits(bits) >> bit & 1) && placement.layout().basis(bits, bit)[axis] != 0;
  }

  // In this layout the bits along the axis come first in lanes and warps.
  void countBits() {
    while (laneBits < placement.layout().bits(Bits::Lane) && along(Bits::Lane, laneBits))
      ++laneBits;
    while (warpBits < placement.layout().bits(Bits::Warp) && along(Bits::Warp, warpBits))
      ++warpBits;
    uint32_t threadSpan = laneBits ? placement.layout().basis(Bits::Lane, 0)[axis] : 0;
    if (!threadSpan && warpBits)
      threadSpan = placement.layout().basis(Bits::Warp, 0)[axis];
    run = threadSpan ? threadSpan : static_cast<uint32_t>(shape[axis]);
  }

  /// The parts of each row that the thread holds, in the order of the scan.
  SmallVector<SmallVector<unsigned>> rows() {
    const gpu::Layout &layout = placement.layout();
    SmallVector<std::pair<uint32_t, SmallVector<unsigned>>> found;
    auto position = [&](unsigned n) { return layout.coordinates(placement.element(n))[axis]; };
    for (unsigned n = 0; n < placement.held(); ++n) {
      gpu::Coordinates at = layout.coordinates(placement.element(n));
      at[axis] = 0;
      uint32_t row = layout.number(at);
      auto known = find_if(found, [&](const auto &entry) { return entry.first == row; });
      if (known == found.end()) {
        found.push_back({row, {}});
        known = found.end() - 1;
      }
      known->second.push_back(n);
    }
    SmallVector<SmallVector<unsigned>> result;
    for (auto &[row, parts] : found) {
      sort(parts, [&](unsigned a, unsigned b) {
        return reverse ? position(a) > position(b) : position(a) < position(b);
      });
      result.push_back(std::move(parts));
    }
    return result;
  }

  Tuple at(unsigned part) const {
    Tuple values;
    for (const Parts &operand : operands)
      values.push_back(operand[part]);
    return values;
  }
  void put(unsigned part, const Tuple &values) {
    for (auto [operand, value] : zip(operands, values))
      operand[part] = value;
  }
  /// `earlier` stands left.
  Tuple join(const Tuple &earlier, const Tuple &later) {
    Parts joined = combine(e, region, earlier, later);
    return Tuple(joined.begin(), joined.end());
  }
  Tuple choose(Value *condition, const Tuple &a, const Tuple &b) {
    Tuple chosen;
    for (auto [x, y] : zip(a, b))
      chosen.push_back(e.b.CreateSelect(condition, x, y));
    return chosen;
  }

  void scanRow(ArrayRef<unsigned> row) {
    unsigned length = std::min<size_t>(run, row.size());
    std::optional<Tuple> carried;
    for (unsigned start = 0; start < row.size(); start += length) {
      ArrayRef<unsigned> chunk = row.slice(start, length);
      for (unsigned i = 1; i < chunk.size(); ++i)
        put(chunk[i], join(at(chunk[i - 1]), at(chunk[i])));
      std::optional<Tuple> total;
      if (laneBits || warpBits)
        total = scanThreads(chunk);
      if (carried) {
        for (unsigned part : chunk)
          put(part, join(*carried, at(part)));
        if (total)
          total = join(*carried, *total);
      }
      carried = total ? *total : at(chunk.back());
    }
  }

  /// Joins what lies in threads before to a chunk; gives the sum of all threads.
  Tuple scanThreads(ArrayRef<unsigned> chunk) {
    Tuple ends = at(chunk.back());
    // Where the thread stands in the order of the scan.
    Value *place = e.b.CreateAnd(e.lane(), e.i32((1u << laneBits) - 1));
    if (reverse)
      place = e.b.CreateSub(e.i32((1u << laneBits) - 1), place);
    Shuffle kind = reverse ? Shuffle::Down : Shuffle::Up;
    Tuple sum = ends;
    for (unsigned bit = 0; bit < laneBits; ++bit) {
      Value *distance = e.i32(int64_t(1) << bit);
      Tuple before;
      for (Value *value : sum)
        before.push_back(e.shuffleValue(kind, value, distance));
      sum = choose(e.b.CreateICmpUGE(place, distance), join(before, sum), sum);
    }
    // What comes before this thread in its warp.
    std::optional<Tuple> before;
    Value *hasBefore = nullptr;
    if (laneBits) {
      before.emplace();
      for (Value *value : sum)
        before->push_back(e.shuffleValue(kind, value, e.i32(1)));
      hasBefore = e.b.CreateICmpNE(place, e.i32(0));
    }
    Tuple total = sum;
    if (laneBits) {
      // The last lane of the row has the warp's sum.
      Value *base = e.b.CreateAnd(e.lane(), e.i32(~((1u << laneBits) - 1) & 31));
      Value *last = reverse ? base : e.b.CreateOr(base, e.i32((1u << laneBits) - 1));
      for (Value *&value : total)
        value = e.shuffleValue(Shuffle::Index, value, last);
    }
    if (warpBits)
      total = scanWarps(total, before, hasBefore);
    if (before) {
      for (unsigned part : chunk)
        put(part, hasBefore ? choose(hasBefore, join(*before, at(part)), at(part)) : join(*before, at(part)));
    }
    return total;
  }

  // Sums of warps meet in shared memory: [operand][row of warps][warp in the row].
  Tuple scanWarps(const Tuple &sum, std::optional<Tuple> &before, Value *&hasBefore) {
    unsigned count = 1u << warpBits;
    // One sum for each row of lanes and warps.
    unsigned laneRows = 32u >> laneBits, slots = laneRows * e.options.warps;
    Value *laneRow = e.b.CreateLShr(e.lane(), laneBits);
    Value *place = e.b.CreateAnd(e.warp(), e.i32(count - 1));
    Value *base = e.scratch(op, int64_t(slots) * 8 * sum.size());
    auto address = [&](unsigned operand, Value *warp) {
      Value *slot = e.b.CreateAdd(e.b.CreateMul(warp, e.i32(laneRows)), laneRow);
      return e.b.CreateAdd(base,
                           e.b.CreateAdd(e.b.CreateMul(slot, e.i32(8)), e.i32(int64_t(slots) * 8 * operand)));
    };
    Value *writes = e.b.CreateICmpEQ(e.b.CreateAnd(e.lane(), e.i32((1u << laneBits) - 1)), e.i32(0));
    for (unsigned i = 0; i < sum.size(); ++i)
      e.storeElement(address(i, e.warp()), sum[i], writes);
    e.machine.barrier();
    Value *first = e.b.CreateSub(e.warp(), place);
    std::optional<Tuple> running, mine;
    for (unsigned step = 0; step < count; ++step) {
      unsigned number = reverse ? count - 1 - step : step;
      Tuple next;
      for (unsigned i = 0; i < sum.size(); ++i)
        next.push_back(e.loadElement(address(i, e.b.CreateAdd(first, e.i32(number))), types[i]));
      // `running` is what comes before warp `number`.
      if (running)
        mine = mine ? choose(e.b.CreateICmpEQ(place, e.i32(number)), *running, *mine) : *running;
      running = running ? join(*running, next) : next;
    }
    Value *hasWarps = e.b.CreateICmpNE(place, e.i32(reverse ? count - 1 : 0));
    if (!before) {
      before = mine;
      hasBefore = hasWarps;
    } else {
      Tuple both = choose(hasBefore, join(*mine, *before), *mine);
      before = choose(hasWarps, both, *before);
      hasBefore = e.b.CreateOr(hasBefore, hasWarps);
    }
    return *running;
  }

  Emitter &e;
  tt::ScanOp op;
  unsigned axis;
  bool reverse;
  mlir::Region &region;
  ArrayRef<int64_t> shape;
  Placement placement;
  SmallVector<Parts> operands;
  SmallVector<Type *> types;
  unsigned laneBits = 0, warpBits = 0;
  uint32_t run = 1; ///< neighbours along the axis in one thread
};
} // namespace

bool emitScan(Emitter &e, mlir::Operation *op) {
  auto scan = dyn_cast<tt::ScanOp>(op);
  if (!scan)
    return false;
  Scan(e, scan).emit();
  return true;
}

} // namespace trisect::cuda
