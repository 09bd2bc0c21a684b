//===- Upcoming.cpp - rows that reductions read and are asked for long before ---------------------------===//
#include "backends/cpu/plan/Upcoming.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Addresses that take more are not looked at.
constexpr size_t mostValues = 64;
} // namespace

Moves movesOf(tt::LoadOp load) {
  llvm::SetVector<Value> values;
  values.insert(load.getPtr());
  Moves moves = Moves::No;
  for (size_t next = 0; next < values.size(); ++next) {
    Value value = values[next];
    Operation *op = value.getDefiningOp();
    if (!op) {
      if (!isa<tt::FuncOp>(value.getParentBlock()->getParentOp()))
        moves = Moves::WithRounds;
      continue;
    }
    if (values.size() > mostValues || op->getNumRegions() > 0 || !isMemoryEffectFree(op))
      return Moves::No;
    if (isa<tt::GetProgramIdOp>(op))
      moves = std::max(moves, Moves::WithPrograms);
    values.insert(op->operand_begin(), op->operand_end());
  }
  return moves;
}

} // namespace trisect::cpu
