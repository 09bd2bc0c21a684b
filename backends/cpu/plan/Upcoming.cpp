//===- Upcoming.cpp - rows that reductions read and are asked for long before ---------------------------===//
#include "backends/cpu/plan/Upcoming.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Addresses that take more are not looked at.
constexpr size_t mostValues = 64;

/// What a scalar is computed from, by arithmetic alone; nothing if there is too much of it, or something
/// else.
std::optional<llvm::SetVector<Value>> sourcesOf(Value scalar) {
  llvm::SetVector<Value> values;
  values.insert(scalar);
  for (size_t next = 0; next < values.size(); ++next) {
    Operation *op = values[next].getDefiningOp();
    if (!op)
      continue;
    if (values.size() > mostValues || op->getNumRegions() > 0 || !isMemoryEffectFree(op))
      return std::nullopt;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return values;
}
} // namespace

Moves movesOf(tt::LoadOp load) {
  std::optional<llvm::SetVector<Value>> sources = sourcesOf(load.getPtr());
  Moves moves = Moves::No;
  for (Value value : sources.value_or(llvm::SetVector<Value>())) {
    if (value.getDefiningOp<tt::GetProgramIdOp>())
      moves = std::max(moves, Moves::WithPrograms);
    else if (isa<BlockArgument>(value) && !isa<tt::FuncOp>(value.getParentBlock()->getParentOp()))
      moves = Moves::WithRounds;
  }
  return moves;
}

namespace {
/// Nothing if a round or program does not always go on as far, or stays where it was.
std::optional<Motion> motionOf(const tt::AffineBlock &place, Operation *around) {
  auto loop = dyn_cast<scf::ForOp>(around);
  auto moves = [&](Value scalar) {
    if (loop)
      return scalar == loop.getInductionVar();
    auto id = scalar.getDefiningOp<tt::GetProgramIdOp>();
    return id && static_cast<int>(id.getAxis()) == 0;
  };
  std::optional<llvm::SetVector<Value>> base = place.base ? sourcesOf(place.base) : std::nullopt;
  bool known = base && place.isLinear() && llvm::none_of(*base, moves);
  tt::Polynomial motion;
  place.start.forTerms([&](ArrayRef<Value> product, int64_t factor) {
    tt::Polynomial others(factor);
    int64_t times = 0;
    for (Value scalar : product) {
      if (moves(scalar)) {
        ++times;
        continue;
      }
      std::optional<llvm::SetVector<Value>> sources = sourcesOf(scalar);
      known = known && sources && llvm::none_of(*sources, moves);
      others = others * tt::Polynomial(scalar);
    }
    known = known && times <= 1;
    if (times)
      motion = motion + others;
  });
  if (loop)
    motion = motion * tt::affineOf(loop.getStep()).start;
  return known && !motion.isZero() ? std::optional(Motion{around, motion}) : std::nullopt;
}

/// The sum with another scalar in the place of one.
tt::Polynomial replaced(const tt::Polynomial &sum, Value old, Value other) {
  tt::Polynomial result;
  sum.forTerms([&](ArrayRef<Value> product, int64_t factor) {
    tt::Polynomial term(factor);
    for (Value scalar : product)
      term = term * tt::Polynomial(scalar == old ? other : scalar);
    result = result + term;
  });
  return result;
}

bool haveSameBounds(scf::ForOp one, scf::ForOp other) {
  auto same = [](Value a, Value b) { return a == b || tt::affineOf(a).start == tt::affineOf(b).start; };
  return same(one.getLowerBound(), other.getLowerBound()) && same(one.getStep(), other.getStep()) &&
         same(one.getUpperBound(), other.getUpperBound());
}
} // namespace

int64_t innermost(tt::LoadOp load) {
  ArrayRef<int64_t> shape = tt::shapeOf(load.getType());
  size_t last = shape.size() - 1;
  while (last > 0 && shape[last] == 1)
    --last;
  return static_cast<int64_t>(last);
}

std::optional<MovingRows> movingRows(tt::LoadOp load) {
  tt::AffineBlock place = tt::affineOf(load.getPtr());
  if (place.strides.size() != tt::shapeOf(load.getType()).size() ||
      place.strides[innermost(load)].constant() != memoryBytes(tt::elementOf(load.getType())))
    return std::nullopt;
  std::optional<Motion> motion = motionOf(place, load->getParentOp());
  return motion ? std::optional(MovingRows{place.base, place.start, place.strides, *motion}) : std::nullopt;
}

std::optional<Motion> motionOfReread(tt::LoadOp load) {
  auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
  if (!loop || !isa<RankedTensorType>(load.getType()))
    return std::nullopt;
  for (Operation *earlier = loop->getPrevNode(); earlier; earlier = earlier->getPrevNode()) {
    auto first = dyn_cast<scf::ForOp>(earlier);
    if (!first || !haveSameBounds(first, loop))
      continue;
    tt::AffineBlock now = tt::affineOf(load.getPtr());
    for (auto read : first.getBody()->getOps<tt::LoadOp>()) {
      if (read.getType() != load.getType())
        continue;
      tt::AffineBlock before = tt::affineOf(read.getPtr());
      if (before.isLinear() && before.base == now.base && before.strides == now.strides &&
          replaced(before.start, first.getInductionVar(), loop.getInductionVar()) == now.start)
        return motionOf(now, loop->getParentOp());
    }
  }
  return std::nullopt;
}

} // namespace trisect::cpu
