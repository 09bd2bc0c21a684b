//===- LateStores.cpp - stores that wait for the loads of several chunks --------------------------------===//
#include "backends/cpu/emit/LateStores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// Of a group of which more is computed than this, the arithmetic takes longer than its memory.
constexpr unsigned mostValues = 4;

bool isShort(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  return isa<arith::ArithDialect>(op->getDialect());
}

} // namespace

bool movesElements(const KernelState &state, const Group &group, unsigned lanes) {
  if (state.waiting > 0 || group.rare || group.exchanges || !group.repeats.empty())
    return false;
  if (group.runs.size() != 1 || group.runs.front().extent <= static_cast<int64_t>(movedChunks) * lanes)
    return false;
  unsigned values = 0;
  bool stored = false;
  for (const Action &action : group.actions)
    switch (action.kind) {
    case Action::Kind::Load:
      if (stored || cast<tt::LoadOp>(action.op).getIsVolatile())
        return false;
      break;
    case Action::Kind::Value:
      if (++values > mostValues || !isShort(action.op))
        return false;
      break;
    case Action::Kind::Store:
      stored = true;
      break;
    case Action::Kind::Reduce:
    case Action::Kind::Copy:
      return false;
    }
  return stored;
}

} // namespace trisect::cpu
