//===- Exchange.cpp - between threads -------------------------------------------------------------------===//
//
// What: scratch in shared memory, a block in another layout, a scalar of one thread for all.
// Why bytes of 8 bits and more: an i1 lies in a byte.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Memory.h"
#include "backends/gpu/layouts/Conversion.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace llvm;

namespace trisect::cuda {

Value *Emitter::toWord(Value *value) {
  Type *type = value->getType();
  if (type->isIntegerTy(1))
    return b.CreateZExt(value, b.getInt8Ty());
  if (type->isIntegerTy())
    return type->getIntegerBitWidth() < 8 ? b.CreateSExt(value, b.getInt8Ty()) : value;
  return b.CreateBitCast(value, b.getIntNTy(type->getScalarSizeInBits()));
}

Value *Emitter::fromWord(Value *word, Type *type) {
  if (type == word->getType())
    return word;
  if (type->isIntegerTy(1))
    return b.CreateICmpNE(word, zero(word->getType()));
  return type->isIntegerTy() ? b.CreateTrunc(word, type) : b.CreateBitCast(word, type);
}

void Emitter::storeElement(Value *address, Value *value, Value *predicate) {
  machine.storeShared(address, {toWord(value)}, predicate);
}

Value *Emitter::loadElement(Value *address, Type *type, Value *predicate) {
  unsigned bits = std::max(8u, static_cast<unsigned>(type->getScalarSizeInBits()));
  return fromWord(machine.loadShared(address, bits, 1, predicate)[0], type);
}

Value *Emitter::shuffleValue(Shuffle kind, Value *value, Value *operand) {
  Value *word = toWord(value);
  unsigned bits = word->getType()->getIntegerBitWidth();
  if (bits <= 32) {
    Value *moved = machine.shuffle(kind, b.CreateZExt(word, b.getInt32Ty()), operand);
    return fromWord(b.CreateTrunc(moved, word->getType()), value->getType());
  }
  Value *low = machine.shuffle(kind, b.CreateTrunc(word, b.getInt32Ty()), operand);
  Value *high = machine.shuffle(kind, b.CreateTrunc(b.CreateLShr(word, 32), b.getInt32Ty()), operand);
  Value *joined =
      b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
  return fromWord(joined, value->getType());
}

Value *Emitter::sharedAt(int64_t offset) {
  if (!sharedAddress)
    sharedAddress = atStart([&] { return machine.sharedBase(); });
  return b.CreateAdd(sharedAddress, i32(offset));
}

Value *Emitter::scratch(mlir::Operation *op, int64_t bytes) {
  auto place = op->getAttrOfType<mlir::DenseI64ArrayAttr>("tile.scratch");
  bool again = std::exchange(lastScratch, op) == op;
  if (place && place.size() == 2 && place[1] >= bytes) {
    if (again)
      machine.barrier();
    return sharedAt(place[0]);
  }
  // Ops without a place share one. Nothing to wait for before its first use, unless the op comes again.
  if (ownShared > 0 || op->getParentOfType<mlir::LoopLikeOpInterface>() || !kernel.getBody().hasOneBlock())
    machine.barrier();
  ownShared = std::max(ownShared, (bytes + 15) / 16 * 16);
  return sharedAt(ownSharedAt());
}

Value *Emitter::broadcastFromFirst(mlir::Operation *op, Value *value) {
  Type *type = value->getType();
  Value *address = scratch(op, 8);
  storeElement(address, value, b.CreateICmpEQ(thread(), i32(0)));
  machine.barrier();
  return loadElement(address, type);
}

namespace {
/// One of `values` by a number that threads know: `base ^ number`, where `number` has bits of `mask` only.
Value *pick(IRBuilder<> &b, ArrayRef<Value *> values, uint32_t base, Value *number, uint32_t mask) {
  if (!mask)
    return values[base];
  uint32_t bit = mask & -mask;
  Value *without = pick(b, values, base, number, mask & ~bit);
  Value *with = pick(b, values, base ^ bit, number, mask & ~bit);
  Value *isSet = b.CreateICmpNE(b.CreateAnd(number, bit), b.getInt32(0));
  return b.CreateSelect(isSet, with, without);
}

uint32_t reach(const gpu::XorChain &chain) {
  uint32_t bits = 0;
  for (const gpu::XorTerm &term : chain)
    bits |= term.shift >= 0 ? term.mask << term.shift : term.mask >> -term.shift;
  return bits;
}

Parts emitShuffles(Emitter &e, const gpu::Shuffle &plan, const Parts &from) {
  IRBuilder<> &b = e.b;
  Value *offered = e.evaluate(plan.offered), *lane = e.evaluate(plan.lane), *place = e.evaluate(plan.result);
  Parts got;
  for (const gpu::Shuffle::Round &round : plan.rounds) {
    Value *value = pick(b, from, round.offered, offered, reach(plan.offered));
    if (!plan.withinLanes())
      value = e.shuffleValue(Shuffle::Index, value, b.CreateXor(lane, e.i32(round.lane)));
    got.push_back(value);
  }
  Parts result;
  for (uint32_t r = 0; r < got.size(); ++r)
    result.push_back(pick(b, got, r, place, reach(plan.result)));
  return result;
}

Parts emitThroughShared(Emitter &e, mlir::Operation *op, const gpu::SharedPlan &plan, const Parts &from,
                        unsigned count, Type *type) {
  IRBuilder<> &b = e.b;
  Value *base = e.scratch(op, plan.bytes);
  Value *mine = nullptr;
  if (plan.copyLanes)
    mine = b.CreateICmpEQ(b.CreateAnd(e.lane(), plan.copyLanes), e.i32(0));
  if (uint32_t warps = plan.copyWarps & (e.options.warps - 1))
    mine = e.both(mine, b.CreateICmpEQ(b.CreateAnd(e.warp(), warps), e.i32(0)));
  // What no thread's offset has bits of is a constant in the instruction.
  auto address = [&](const gpu::SharedAccess::Group &group, const gpu::XorChain &chain, Value *thread) {
    uint32_t mixed = group.offset & reach(chain);
    Value *offset = b.CreateMul(b.CreateXor(thread, e.i32(mixed)), e.i32(plan.elementBytes));
    return b.CreateAdd(b.CreateAdd(base, offset), e.i32((group.offset ^ mixed) * plan.elementBytes));
  };
  Value *storeAt = e.evaluate(plan.store.offset), *loadAt = e.evaluate(plan.load.offset);
  WordShape shape = wordShape(8 * plan.elementBytes, plan.vector);
  Parts result(count);
  for (size_t round = 0; round < plan.store.rounds.size(); ++round) {
    if (round)
      e.machine.barrier();
    for (const gpu::SharedAccess::Group &group : plan.store.rounds[round]) {
      SmallVector<Value *> values;
      for (uint32_t r : group.registers)
        values.push_back(from[r]);
      e.machine.storeShared(address(group, plan.store.offset, storeAt), pack(e, values), mine);
    }
    e.machine.barrier();
    for (const gpu::SharedAccess::Group &group : plan.load.rounds[round]) {
      Parts values;
      Value *from = address(group, plan.load.offset, loadAt);
      unpack(e, e.machine.loadShared(from, shape.bits, shape.count), type, plan.vector, values);
      for (auto [r, value] : zip(group.registers, values))
        result[r] = value;
    }
  }
  return result;
}
} // namespace

Parts Emitter::exchange(mlir::Operation *op, const Parts &from, const Placement &source,
                        const Placement &target, mlir::Type element) {
  // A constant is the same wherever it lies.
  if (all_of(from, [&](Value *part) { return part == from[0]; }) && isa<Constant>(from[0]))
    return Parts(target.held(), from[0]);
  Type *type = elementType(element);
  unsigned bits = std::max(8u, static_cast<unsigned>(type->getScalarSizeInBits()));
  gpu::Conversion plan =
      gpu::conversion(source.layout().withoutFreeRegisters(), target.layout().withoutFreeRegisters(), bits);
  if (auto *names = std::get_if<gpu::Renaming>(&plan)) {
    Parts result;
    for (uint32_t r : names->source)
      result.push_back(from[r]);
    return result;
  }
  auto *shuffles = std::get_if<gpu::Shuffle>(&plan);
  Parts result =
      shuffles ? emitShuffles(*this, *shuffles, from)
               : emitThroughShared(*this, op, std::get<gpu::SharedPlan>(plan), from, target.held(), type);
  machine.conversions.push_back({from, result});
  return result;
}

} // namespace trisect::cuda
