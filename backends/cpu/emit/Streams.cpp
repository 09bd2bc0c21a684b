//===- Streams.cpp - stores that go past the caches -----------------------------------------------------===//
#include "backends/cpu/emit/Streams.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// The least that is worth a store of its own.
constexpr int64_t leastBytes = 32;
} // namespace

Value askForStreams(KernelState &state, const Group &group, unsigned lanes) {
  if (!state.mayStream || state.waiting > 0 || group.rare)
    return {};
  int64_t bytes = 0;
  for (const Action &action : group.actions)
    if (action.kind == Action::Kind::Store) {
      int64_t element = memoryBytes(ttElement(cast<tt::StoreOp>(action.op).getValue().getType()));
      if (element * lanes < leastBytes)
        continue;
      for (int64_t extent : group.space)
        element *= extent;
      bytes += element;
    }
  if (bytes == 0)
    return {};
  state.streamedBytes = std::max(state.streamedBytes, bytes);
  Code c = state.code();
  LLVM::LoadOp flag = state.hookByte(offsetof(AssertHook, streams));
  markPaths(flag, "results past the caches", "results through the caches");
  return c.zext(c.cmp(arith::CmpIPredicate::eq, flag, c.zero(c.i8())), c.i64());
}

bool streamStore(Code &code, Value streams, const LaneValue &address, const LaneValue &value, Type element,
                 unsigned lanes) {
  int64_t bytes = memoryBytes(element), whole = bytes * lanes;
  if (whole < leastBytes || emittedType(element).isInteger(1) || !address.isStrided() ||
      constantOf(address.stride) != bytes)
    return false;
  auto alignment = static_cast<unsigned>(std::min(whole, lineBytes));
  Value odd = code.either(code.both(address.value, code.i64(alignment - 1)), streams);
  auto choice = code.b.create<scf::IfOp>(code.loc, code.cmp(arith::CmpIPredicate::eq, odd, code.i64(0)),
                                         /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(choice.thenBlock());
  code.b.create<LLVM::StoreOp>(code.loc, toVector(code, value, lanes), code.pointer(address.value), alignment,
                               /*isVolatile=*/false, /*isNonTemporal=*/true);
  code.b.setInsertionPointToStart(choice.elseBlock());
  storeLanes(code, address, value, element, {}, lanes);
  return true;
}

} // namespace trisect::cpu
