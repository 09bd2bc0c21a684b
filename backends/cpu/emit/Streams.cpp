//===- Streams.cpp - stores that go past the caches -----------------------------------------------------===//
#include "backends/cpu/emit/Streams.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Rounds.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// The least that is worth a store of its own.
constexpr int64_t leastBytes = 32;

int64_t alignmentOf(const ChunkStore &store, unsigned lanes) {
  return std::min<int64_t>(memoryBytes(store.element) * lanes, lineBytes);
}
} // namespace

Value askForStreams(KernelState &state, const Group &group, unsigned lanes, bool marked) {
  if (!state.mayStream || state.waiting > 0 || group.rare)
    return {};
  int64_t bytes = 0;
  Operation *last = nullptr;
  for (const Action &action : group.actions)
    if (action.kind == Action::Kind::Store) {
      int64_t element = memoryBytes(ttElement(cast<tt::StoreOp>(action.op).getValue().getType()));
      if (element * lanes < leastBytes)
        continue;
      for (int64_t extent : group.space)
        element *= extent;
      bytes += element;
      last = action.op;
    }
  if (bytes == 0)
    return {};
  Streamed streamed{bytes, roundsAround(last)};
  if (!llvm::is_contained(state.streamed, streamed))
    state.streamed.push_back(std::move(streamed));
  Code c = state.code();
  LLVM::LoadOp flag = state.hookByte(offsetof(AssertHook, streams));
  if (marked)
    markPaths(flag, "results past the caches", "results through the caches");
  return c.zext(c.cmp(arith::CmpIPredicate::eq, flag, c.zero(c.i8())), c.i64());
}

Value pastCaches(Code &code, Value streams, ArrayRef<ChunkStore> stores, unsigned lanes) {
  for (const ChunkStore &store : stores) {
    int64_t bytes = memoryBytes(store.element);
    if (store.mask || bytes * lanes < leastBytes || emittedType(store.element).isInteger(1) ||
        !store.address.isStrided() || constantOf(store.address.stride) != bytes)
      return {};
  }
  Value odd = streams;
  for (const ChunkStore &store : stores) {
    Value beyond = code.both(store.address.value, code.i64(alignmentOf(store, lanes) - 1));
    odd = code.either(odd, beyond);
  }
  return code.cmp(arith::CmpIPredicate::eq, odd, code.i64(0));
}

void storePastCaches(Code &code, const ChunkStore &store, unsigned lanes) {
  code.b.create<LLVM::StoreOp>(code.loc, toVector(code, store.value, lanes),
                               code.pointer(store.address.value),
                               static_cast<unsigned>(alignmentOf(store, lanes)), /*isVolatile=*/false,
                               /*isNonTemporal=*/true);
}

void storeChunk(Code &code, Value streams, const ChunkStore &store, unsigned lanes) {
  auto throughCaches = [&] {
    storeLanes(code, store.address, store.value, store.element, store.mask, lanes);
  };
  Value past = streams ? pastCaches(code, streams, store, lanes) : Value();
  if (!past)
    return throughCaches();
  auto choice = code.b.create<scf::IfOp>(code.loc, past, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(choice.thenBlock());
  storePastCaches(code, store, lanes);
  code.b.setInsertionPointToStart(choice.elseBlock());
  throughCaches();
}

} // namespace trisect::cpu
