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

std::optional<RowPlace> laterRow(tt::LoadOp load, int64_t rounds) {
  auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
  auto moves = [&](Value scalar) {
    if (loop)
      return scalar == loop.getInductionVar();
    auto id = scalar.getDefiningOp<tt::GetProgramIdOp>();
    return id && static_cast<int>(id.getAxis()) == 0;
  };
  tt::AffineBlock place = tt::affineOf(load.getPtr());
  std::optional<llvm::SetVector<Value>> base = place.base ? sourcesOf(place.base) : std::nullopt;
  bool known = base && place.isLinear() && llvm::none_of(*base, moves);
  int64_t bytes = memoryBytes(tt::elementOf(load.getType()));
  for (auto [length, stride] : llvm::zip(tt::shapeOf(load.getType()), place.strides))
    known = known && (length == 1 || stride.constant() == bytes);
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
  if (!known || motion.isZero())
    return std::nullopt;
  return RowPlace{place.base, place.start + motion * tt::Polynomial(rounds)};
}

} // namespace trisect::cpu
