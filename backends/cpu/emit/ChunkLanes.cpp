//===- ChunkLanes.cpp - how many elements a round of a group's loop takes -------------------------------===//
#include "backends/cpu/emit/ChunkLanes.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

/// Of elements: the end of a shorter one weighs more than what two registers at a time gain.
constexpr int64_t longRow = 512;

/// Functions are computed in f32, a long chain of steps each.
bool isFunction(const Action &action) {
  return action.kind == Action::Kind::Value && !isa<arith::ArithDialect>(action.op->getDialect());
}

/// Of f32 by one number a row, which asks for each chunk whether a reciprocal is enough (Quotients.cpp).
bool isQuotient(const Action &action) {
  auto quotient = dyn_cast<arith::DivFOp>(action.op);
  if (action.kind != Action::Kind::Value || !quotient || !ttElement(quotient.getType()).isF32())
    return false;
  auto spread = quotient.getRhs().getDefiningOp<tt::BroadcastOp>();
  return spread ? ttShape(spread.getSrc().getType()).back() == 1
                : quotient.getRhs().getDefiningOp<tt::SplatOp>() != nullptr;
}

/// Bytes of an element that an action brings into registers; 0 if chunks of more lanes are not for it. Copies
/// are for products, whose panels are cut to small chunks.
int64_t bytesOf(const Action &action) {
  if (action.kind == Action::Kind::Reduce || action.kind == Action::Kind::Copy)
    return 0;
  if (action.kind == Action::Kind::Value &&
      !isa<arith::ArithDialect, math::MathDialect>(action.op->getDialect()) &&
      !isa<tt::ExternElementwiseOp>(action.op))
    return 0;
  auto store = dyn_cast<tt::StoreOp>(action.op);
  Value moved = store ? store.getValue() : Value(action.op->getResult(0));
  return memoryBytes(ttElement(moved.getType()));
}

/// True if `value` is made of what goes on evenly in small chunks alone: a quotient or remainder, or a buffer
/// in panels.
bool needsSmallChunks(const KernelState &state, Value value, llvm::SmallPtrSet<void *, 16> &seen) {
  if (auto buffer = state.buffers.find(value); buffer != state.buffers.end())
    return buffer->second.panel != 0;
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return false;
  return isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value v) { return needsSmallChunks(state, v, seen); });
}

} // namespace

unsigned lanesOfChunks(const KernelState &state, const Group &group) {
  if (group.exchanges || group.rare)
    return chunkLanes;
  int64_t widest = 1, narrowest = sizeof(int64_t), registers = 1;
  bool quotients = false;
  llvm::SmallPtrSet<void *, 16> seen;
  for (const Action &action : group.actions) {
    int64_t bytes = bytesOf(action);
    if (bytes == 0)
      return chunkLanes;
    widest = std::max(widest, bytes);
    narrowest = std::min(narrowest, bytes);
    quotients |= isQuotient(action);
    if (isFunction(action)) {
      widest = std::max<int64_t>(widest, sizeof(float));
      registers = state.machine.hasManyRegisters() ? 4 : 2;
    }
    if (llvm::any_of(action.op->getOperands(), [&](Value v) { return needsSmallChunks(state, v, seen); }))
      return chunkLanes;
  }
  if (quotients && narrowest == sizeof(float) && group.space.back() >= longRow)
    registers = std::max<int64_t>(registers, 2);
  return std::max<unsigned>(chunkLanes, registers * state.machine.vectorBytes / widest);
}

} // namespace trisect::cpu
