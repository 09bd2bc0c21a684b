//===- Atomics.cpp - atomic accesses --------------------------------------------------------------------===//
//
// What: read-modify-write, compare-and-swap, load, store and waiting, element by element; one holder of each
// element acts, and the others get its result. Kinds and widths that the machine lacks are loops of
// compare-and-swap. Around release and acquire the whole block meets, so that what other threads of the
// program wrote before is released with it, and what they read after is acquired.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace trisect::cuda {

namespace {
bool releases(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::Release || sem == tt::MemSemantic::AcqRel;
}
bool acquires(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::Acquire || sem == tt::MemSemantic::AcqRel;
}

AtomicKind kindOf(tt::RmwKind kind) {
  switch (kind) {
  case tt::RmwKind::And:
    return AtomicKind::And;
  case tt::RmwKind::Or:
    return AtomicKind::Or;
  case tt::RmwKind::Xor:
    return AtomicKind::Xor;
  case tt::RmwKind::Add:
    return AtomicKind::Add;
  case tt::RmwKind::FAdd:
    return AtomicKind::FAdd;
  case tt::RmwKind::Max:
    return AtomicKind::Max;
  case tt::RmwKind::Min:
    return AtomicKind::Min;
  case tt::RmwKind::UMax:
    return AtomicKind::UMax;
  case tt::RmwKind::UMin:
    return AtomicKind::UMin;
  case tt::RmwKind::Exch:
    return AtomicKind::Exch;
  }
  return AtomicKind::Exch;
}

/// What a read-modify-write leaves, of the words `old` and `value`.
Value *updated(Emitter &e, AtomicKind kind, DType type, Value *old, Value *value) {
  IRBuilder<> &b = e.b;
  switch (kind) {
  case AtomicKind::And:
    return b.CreateAnd(old, value);
  case AtomicKind::Or:
    return b.CreateOr(old, value);
  case AtomicKind::Xor:
    return b.CreateXor(old, value);
  case AtomicKind::Add:
    return b.CreateAdd(old, value);
  case AtomicKind::Max:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, old, value);
  case AtomicKind::Min:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, old, value);
  case AtomicKind::UMax:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, old, value);
  case AtomicKind::UMin:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, old, value);
  case AtomicKind::FAdd: {
    DType compute = computeType(type);
    Value *sum = b.CreateFAdd(convertFloat(e, old, type, compute), convertFloat(e, value, type, compute));
    return convertFloat(e, sum, compute, type);
  }
  default:
    return value;
  }
}

/// Repeats until no one else has written in between; gives the old word. Bytes are swapped within their word.
Value *swapLoop(Emitter &e, AtomicKind kind, DType type, Value *address, Value *value, Value *predicate,
                Ordering ordering) {
  IRBuilder<> &b = e.b;
  Value *word = e.toWord(value);
  unsigned bits = word->getType()->getIntegerBitWidth();
  bool byte = bits == 8;
  Value *at = byte ? b.CreateAnd(address, ~uint64_t(3)) : address;
  Value *shift = byte ? b.CreateTrunc(b.CreateShl(b.CreateAnd(address, 3), 3), b.getInt32Ty()) : nullptr;
  BasicBlock *before = b.GetInsertBlock(), *enter = e.newBlock("swap"), *loop = e.newBlock("swap.again"),
             *after = e.newBlock("swap.end");
  if (predicate)
    b.CreateCondBr(predicate, enter, after);
  else
    b.CreateBr(enter);
  b.SetInsertPoint(enter);
  unsigned held = byte ? 32 : bits;
  Value *first = e.machine.atomicLoad(at, held, nullptr, {tt::MemSemantic::Relaxed, ordering.scope});
  BasicBlock *entered = b.GetInsertBlock();
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *seen = b.CreatePHI(b.getIntNTy(held), 2);
  seen->addIncoming(first, entered);
  Value *old = byte ? b.CreateTrunc(b.CreateLShr(seen, shift), word->getType()) : static_cast<Value *>(seen);
  Value *operand = value->getType()->isIntegerTy() && !isFloat(type) ? word : value;
  Value *fresh = e.toWord(updated(e, kind, type, e.fromWord(old, operand->getType()), operand));
  if (byte) {
    Value *mask = b.CreateShl(b.getInt32(0xff), shift);
    fresh = b.CreateOr(b.CreateAnd(seen, b.CreateNot(mask)),
                       b.CreateShl(b.CreateZExt(fresh, b.getInt32Ty()), shift));
  }
  Value *now = e.machine.atomicCas(at, seen, fresh, nullptr, ordering);
  seen->addIncoming(now, b.GetInsertBlock());
  BasicBlock *end = b.GetInsertBlock();
  b.CreateCondBr(b.CreateICmpEQ(now, seen), after, loop);
  b.SetInsertPoint(after);
  PHINode *result = b.CreatePHI(word->getType(), 2);
  result->addIncoming(old, end);
  if (predicate)
    result->addIncoming(e.zero(word->getType()), before);
  return e.fromWord(result, value->getType());
}

Value *readModifyWrite(Emitter &e, AtomicKind kind, DType type, Value *address, Value *value,
                       Value *predicate, Ordering ordering) {
  if (!e.machine.hasAtomic(kind, type))
    return swapLoop(e, kind, type, address, value, predicate, ordering);
  if (kind == AtomicKind::FAdd)
    return e.machine.atomicRmw(kind, type, address, value, predicate, ordering);
  Value *old = e.machine.atomicRmw(kind, type, address, e.toWord(value), predicate, ordering);
  return e.fromWord(old, value->getType());
}

using Each = function_ref<Value *(unsigned n, Value *predicate)>;

/// Runs `each` for every part in its one holder; gives all holders the results.
void forEachPart(Emitter &e, mlir::Operation *op, mlir::Value pointer, mlir::Value mask, tt::MemSemantic sem,
                 Each each) {
  if (releases(sem))
    e.machine.barrier();
  const Parts *masks = mask ? &e.parts(mask) : nullptr;
  Value *holder = e.writer(pointer.getType());
  Parts results;
  for (unsigned n = 0; n < e.parts(pointer).size(); ++n)
    results.push_back(each(n, e.both(holder, masks ? (*masks)[n] : nullptr)));
  bool spreads = op->getNumResults() == 1 && !op->use_empty();
  if (spreads)
    e.set(op->getResult(0), e.spread(op, std::move(results), op->getResult(0).getType()));
  else if (op->getNumResults() == 1)
    e.set(op->getResult(0), std::move(results));
  // Where one thread tells the others what it got, they have met behind it.
  if (acquires(sem) && !(spreads && holder))
    e.machine.barrier();
}

void emitRmw(Emitter &e, tt::AtomicRMWOp op) {
  DType type = *tt::dtypeOf(tt::elementOf(op.getVal().getType()));
  AtomicKind kind = kindOf(op.getAtomicRmwOp());
  if (kind == AtomicKind::FAdd && !isFloat(type))
    unsupported(op, "a float sum of integers");
  Ordering ordering{op.getSem(), op.getScope()};
  forEachPart(e, op, op.getPtr(), op.getMask(), op.getSem(), [&](unsigned n, Value *predicate) {
    return readModifyWrite(e, kind, type, e.parts(op.getPtr())[n], e.parts(op.getVal())[n], predicate,
                           ordering);
  });
}

// A byte is compared within its word: the loop ends when the byte differs or the word was swapped.
Value *swapByte(Emitter &e, Value *address, Value *expected, Value *desired, Value *predicate,
                Ordering ordering) {
  IRBuilder<> &b = e.b;
  Value *at = b.CreateAnd(address, ~uint64_t(3));
  Value *shift = b.CreateTrunc(b.CreateShl(b.CreateAnd(address, 3), 3), b.getInt32Ty());
  BasicBlock *before = b.GetInsertBlock(), *enter = e.newBlock("byte"), *loop = e.newBlock("byte.again"),
             *swap = e.newBlock("byte.swap"), *after = e.newBlock("byte.end");
  b.CreateCondBr(predicate ? predicate : b.getTrue(), enter, after);
  b.SetInsertPoint(enter);
  Value *first = e.machine.atomicLoad(at, 32, nullptr, {tt::MemSemantic::Relaxed, ordering.scope});
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *seen = b.CreatePHI(b.getInt32Ty(), 2);
  seen->addIncoming(first, enter);
  Value *old = b.CreateTrunc(b.CreateLShr(seen, shift), b.getInt8Ty());
  b.CreateCondBr(b.CreateICmpEQ(old, expected), swap, after);
  b.SetInsertPoint(swap);
  Value *mask = b.CreateNot(b.CreateShl(b.getInt32(0xff), shift));
  Value *fresh =
      b.CreateOr(b.CreateAnd(seen, mask), b.CreateShl(b.CreateZExt(desired, b.getInt32Ty()), shift));
  Value *now = e.machine.atomicCas(at, seen, fresh, nullptr, ordering);
  seen->addIncoming(now, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpEQ(now, seen), after, loop);
  b.SetInsertPoint(after);
  PHINode *result = b.CreatePHI(b.getInt8Ty(), 3);
  result->addIncoming(b.getInt8(0), before);
  result->addIncoming(old, loop);
  result->addIncoming(old, swap);
  return result;
}

void emitCas(Emitter &e, tt::AtomicCASOp op) {
  Ordering ordering{op.getSem(), op.getScope(), e.releasedSwap == op};
  forEachPart(e, op, op.getPtr(), {}, op.getSem(), [&](unsigned n, Value *predicate) {
    Value *address = e.parts(op.getPtr())[n], *value = e.parts(op.getVal())[n];
    Value *expected = e.toWord(e.parts(op.getCmp())[n]), *desired = e.toWord(value);
    Value *old = desired->getType()->isIntegerTy(8)
                     ? swapByte(e, address, expected, desired, predicate, ordering)
                     : e.machine.atomicCas(address, expected, desired, predicate, ordering);
    return e.fromWord(old, value->getType());
  });
}

void emitAtomicLoad(Emitter &e, tt::AtomicLoadOp op) {
  Type *type = e.elementType(op.getType());
  unsigned bits = std::max(8u, static_cast<unsigned>(type->getScalarSizeInBits()));
  Ordering ordering{op.getSem(), op.getScope()};
  forEachPart(e, op, op.getPtr(), op.getMask(), op.getSem(), [&](unsigned n, Value *predicate) {
    return e.fromWord(e.machine.atomicLoad(e.parts(op.getPtr())[n], bits, predicate, ordering), type);
  });
}

void emitAtomicStore(Emitter &e, tt::AtomicStoreOp op) {
  Ordering ordering{op.getSem(), op.getScope()};
  forEachPart(e, op, op.getPtr(), op.getMask(), op.getSem(), [&](unsigned n, Value *predicate) -> Value * {
    e.machine.atomicStore(e.parts(op.getPtr())[n], e.toWord(e.parts(op.getVal())[n]), predicate, ordering);
    return nullptr;
  });
}

// Reads until the element is the wanted one or the time is over.
Value *poll(Emitter &e, tt::AtomicPollOp op, unsigned n, Value *predicate, Value *deadline) {
  IRBuilder<> &b = e.b;
  Value *expected = e.toWord(e.parts(op.getExpected())[n]);
  BasicBlock *before = b.GetInsertBlock(), *loop = e.newBlock("poll"), *after = e.newBlock("poll.end");
  b.CreateCondBr(predicate ? predicate : b.getTrue(), loop, after);
  b.SetInsertPoint(loop);
  Value *seen = e.machine.atomicLoad(e.parts(op.getPtr())[n], expected->getType()->getIntegerBitWidth(),
                                     nullptr, {op.getSem(), op.getScope()});
  Value *met = b.CreateICmpEQ(seen, expected), *done = met;
  if (deadline)
    done = b.CreateOr(met, b.CreateICmpSGE(e.machine.nanoseconds(), deadline));
  BasicBlock *end = b.GetInsertBlock();
  b.CreateCondBr(done, after, loop);
  b.SetInsertPoint(after);
  PHINode *result = b.CreatePHI(b.getInt1Ty(), 2);
  result->addIncoming(b.getFalse(), before);
  result->addIncoming(met, end);
  return result;
}

void emitPoll(Emitter &e, tt::AtomicPollOp op) {
  Value *deadline = nullptr;
  if (op.getTimeout())
    deadline = e.b.CreateAdd(e.machine.nanoseconds(), e.scalar(op.getTimeout()));
  forEachPart(e, op, op.getPtr(), {}, op.getSem(),
              [&](unsigned n, Value *predicate) { return poll(e, op, n, predicate, deadline); });
}
} // namespace

Parts Emitter::spread(mlir::Operation *op, Parts parts, mlir::Type type) {
  if (!isa<RankedTensorType>(type))
    return {broadcastFromFirst(op, parts[0])};
  const Placement &holders = placement(type);
  Value *mine = soleHolder(holders);
  if (!mine)
    return parts;
  Type *element = elementType(type);
  unsigned bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
  Value *base = scratch(op, holders.size() * bytes);
  auto address = [&](unsigned n) {
    return b.CreateAdd(base, b.CreateMul(elementNumber(holders, n), i32(bytes)));
  };
  for (unsigned n = 0; n < parts.size(); ++n)
    storeElement(address(n), parts[n], mine);
  machine.barrier();
  for (unsigned n = 0; n < parts.size(); ++n)
    parts[n] = loadElement(address(n), element);
  return parts;
}

bool emitAtomic(Emitter &e, mlir::Operation *op) {
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    emitRmw(e, rmw);
  else if (auto cas = dyn_cast<tt::AtomicCASOp>(op))
    emitCas(e, cas);
  else if (auto load = dyn_cast<tt::AtomicLoadOp>(op))
    emitAtomicLoad(e, load);
  else if (auto store = dyn_cast<tt::AtomicStoreOp>(op))
    emitAtomicStore(e, store);
  else if (auto wait = dyn_cast<tt::AtomicPollOp>(op))
    emitPoll(e, wait);
  else
    return false;
  return true;
}

} // namespace trisect::cuda
