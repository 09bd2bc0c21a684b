//===- HostMachine.cpp - the emulated machine -----------------------------------------------------------===//
#include "backends/cuda/emit/HostMachine.h"
#include "backends/cuda/emulate/Functions.h"
#include "core/support/Outcome.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// Bytes of the buffer for one access, and of a warp-wide product's words.
constexpr unsigned bufferBytes = 128;
} // namespace

CallInst *HostMachine::call(StringRef function, Type *result, ArrayRef<Value *> operands, Touch touch) {
  void *address = emulatorFunction(std::string_view(function.data(), function.size()));
  if (!address)
    throw EngineError("cuda emulator: no function '" + function.str() + "'");
  SmallVector<Value *> all{context};
  all.append(operands.begin(), operands.end());
  SmallVector<Type *> types;
  for (Value *operand : all)
    types.push_back(operand->getType());
  Value *callee = b.CreateIntToPtr(b.getInt64(reinterpret_cast<uint64_t>(address)), b.getPtrTy());
  CallInst *made = b.CreateCall(FunctionType::get(result, types, false), callee, all);
  made->setDoesNotThrow();
  made->setConvergent();
  touches[made] = touch;
  return made;
}

Value *HostMachine::active(Value *predicate) {
  return predicate ? b.CreateZExt(predicate, b.getInt32Ty()) : b.getInt32(1);
}

Value *HostMachine::wide(Value *word) {
  if (!word->getType()->isIntegerTy())
    word = b.CreateBitCast(word, b.getIntNTy(word->getType()->getScalarSizeInBits()));
  return b.CreateZExt(word, b.getInt64Ty());
}

void HostMachine::toBuffer(ArrayRef<Value *> words) {
  for (unsigned i = 0; i < words.size(); ++i)
    b.CreateAlignedStore(words[i], b.CreateConstGEP1_32(words[i]->getType(), buffer, i), Align(1));
}

Words HostMachine::fromBuffer(unsigned wordBits, unsigned count) {
  Words words;
  Type *word = b.getIntNTy(wordBits);
  for (unsigned i = 0; i < count; ++i)
    words.push_back(b.CreateAlignedLoad(word, b.CreateConstGEP1_32(word, buffer, i), Align(1)));
  return words;
}

// kernel(thread, arguments, launch)
Frame HostMachine::openFrame(StringRef name, ArrayRef<Type *> parameters, const FrameOptions &) {
  Type *pointer = b.getPtrTy(), *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Frame frame;
  frame.function = Function::Create(FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                    GlobalValue::ExternalLinkage, name, module);
  frame.function->setDoesNotThrow();
  context = frame.function->getArg(0);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", frame.function));
  AllocaInst *made = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), bufferBytes));
  made->setAlignment(Align(16));
  buffer = made;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    Value *bits = b.CreateLoad(i64, b.CreateConstGEP1_32(i64, frame.function->getArg(1), i));
    Type *type = parameters[i];
    Value *word = b.CreateTrunc(bits, b.getIntNTy(type->getScalarSizeInBits()));
    frame.arguments.push_back(type->isIntegerTy() ? word : b.CreateBitCast(word, type));
  }
  StructType *launch = StructType::get(module.getContext(), {i32, i32, i32, i32, i32, i32, i64, i32});
  auto field = [&](unsigned index) -> Value * {
    return b.CreateLoad(launch->getElementType(index),
                        b.CreateStructGEP(launch, frame.function->getArg(2), index));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    frame.launch.first[axis] = field(axis);
    frame.launch.grid[axis] = field(3 + axis);
  }
  frame.launch.record = field(6);
  frame.launch.apart = field(7);
  return frame;
}

Value *HostMachine::threadId() { return call("threadId", b.getInt32Ty(), {}, Touch::Nothing); }
Value *HostMachine::blockId(unsigned axis) {
  return call("blockId", b.getInt32Ty(), {b.getInt32(axis)}, Touch::Nothing);
}
Value *HostMachine::sharedBase() { return b.getInt32(0); }
Value *HostMachine::uniform(Value *value) { return shuffle(Shuffle::Index, value, b.getInt32(0)); }

void HostMachine::nextOperation() { call("nextOperation", b.getVoidTy(), {}, Touch::Nothing); }

Words HostMachine::loadGlobal(Value *address, unsigned wordBits, unsigned count, Value *predicate,
                              ArrayRef<Value *> other, const CacheWords &) {
  if (other.empty())
    toBuffer(SmallVector<Value *>(count, ConstantInt::get(b.getIntNTy(wordBits), 0)));
  else
    toBuffer(other);
  call("loadGlobal", b.getVoidTy(), {address, b.getInt32(wordBits / 8 * count), active(predicate), buffer});
  return fromBuffer(wordBits, count);
}

void HostMachine::storeGlobal(Value *address, ArrayRef<Value *> words, Value *predicate, const CacheWords &) {
  toBuffer(words);
  unsigned bytes = words[0]->getType()->getIntegerBitWidth() / 8 * words.size();
  call("storeGlobal", b.getVoidTy(), {address, b.getInt32(bytes), active(predicate), buffer});
}

bool HostMachine::hasAtomic(AtomicKind kind, DType type) const {
  if (kind == AtomicKind::FAdd)
    return type == DType::F32 || type == DType::F64;
  return bitWidth(type) == 32 || bitWidth(type) == 64;
}

namespace {
unsigned bytesOf(Value *word) { return word->getType()->getScalarSizeInBits() / 8; }
} // namespace

void HostMachine::order(Ordering ordering, Value *predicate) {
  using Semantic = tt::MemSemantic;
  bool acquires = ordering.sem == Semantic::Acquire || ordering.sem == Semantic::AcqRel;
  bool releases = ordering.sem == Semantic::Release || ordering.sem == Semantic::AcqRel;
  if (acquires || releases)
    call("order", b.getVoidTy(), {b.getInt32(acquires), b.getInt32(releases), active(predicate)});
}

Value *HostMachine::atomicRmw(AtomicKind kind, DType, Value *address, Value *value, Value *predicate,
                              Ordering ordering) {
  order(ordering, predicate);
  Value *old = call("atomicRmw", b.getInt64Ty(),
                    {b.getInt32(static_cast<uint32_t>(kind)), address, b.getInt32(bytesOf(value)),
                     wide(value), active(predicate)});
  Value *word = b.CreateTrunc(old, b.getIntNTy(8 * bytesOf(value)));
  return value->getType()->isIntegerTy() ? word : b.CreateBitCast(word, value->getType());
}

Value *HostMachine::atomicCas(Value *address, Value *expected, Value *desired, Value *predicate,
                              Ordering ordering) {
  order(ordering, predicate);
  Value *old =
      call("atomicCas", b.getInt64Ty(),
           {address, b.getInt32(bytesOf(expected)), wide(expected), wide(desired), active(predicate)});
  return b.CreateTrunc(old, expected->getType());
}

Value *HostMachine::atomicLoad(Value *address, unsigned wordBits, Value *predicate, Ordering ordering) {
  order(ordering, predicate);
  Value *value = call("atomicLoad", b.getInt64Ty(), {address, b.getInt32(wordBits / 8), active(predicate)});
  return b.CreateTrunc(value, b.getIntNTy(wordBits));
}

void HostMachine::atomicStore(Value *address, Value *value, Value *predicate, Ordering ordering) {
  order(ordering, predicate);
  call("atomicStore", b.getVoidTy(), {address, b.getInt32(bytesOf(value)), wide(value), active(predicate)});
}

// One host thread runs all: its order is every thread's.
void HostMachine::fence(Ordering) {}

Words HostMachine::loadShared(Value *address, unsigned wordBits, unsigned count, Value *predicate) {
  if (predicate)
    toBuffer(SmallVector<Value *>(count, ConstantInt::get(b.getIntNTy(wordBits), 0)));
  call("loadShared", b.getVoidTy(), {address, b.getInt32(wordBits / 8 * count), active(predicate), buffer},
       Touch::SharedMemory);
  return fromBuffer(wordBits, count);
}

void HostMachine::storeShared(Value *address, ArrayRef<Value *> words, Value *predicate) {
  toBuffer(words);
  call("storeShared", b.getVoidTy(),
       {address, b.getInt32(bytesOf(words[0]) * words.size()), active(predicate), buffer},
       Touch::SharedMemory);
}

void HostMachine::copyToShared(Value *shared, Value *address, unsigned bytes, Value *predicate, Value *mine,
                               const CacheWords &) {
  call("copyToShared", b.getVoidTy(), {shared, address, b.getInt32(bytes), active(predicate), active(mine)});
}

void HostMachine::commitCopies() { call("commitCopies", b.getVoidTy(), {}); }

void HostMachine::waitForCopies(unsigned pending) {
  call("waitForCopies", b.getVoidTy(), {b.getInt32(pending)});
}

Words HostMachine::loadMatrices(Value *address, unsigned count, bool transposed) {
  call("loadMatrices", b.getVoidTy(), {site(), address, b.getInt32(count), b.getInt32(transposed), buffer},
       Touch::SharedMemory);
  return fromBuffer(32, count);
}

void HostMachine::atomicAddShared(Value *address, Value *value, Value *predicate) {
  call("atomicAddShared", b.getVoidTy(), {address, value, active(predicate)}, Touch::SharedMemory);
}

void HostMachine::barrier() { barriers.insert(call("barrier", b.getVoidTy(), {site()})); }
void HostMachine::barrierIf(Value *condition) {
  conditionalBarriers.insert(
      call("barrierIf", b.getVoidTy(), {site(), b.CreateZExt(condition, b.getInt32Ty())}));
}

Value *HostMachine::anyInBlock(Value *bit) {
  Value *any = call("anyInBlock", b.getInt32Ty(), {site(), b.CreateZExt(bit, b.getInt32Ty())});
  return b.CreateICmpNE(any, b.getInt32(0));
}

void HostMachine::pause(unsigned) {}

void HostMachine::warpBarrier() { call("warpBarrier", b.getVoidTy(), {site()}); }

Value *HostMachine::shuffle(Shuffle kind, Value *word32, Value *operand) {
  return call("shuffle", b.getInt32Ty(), {site(), b.getInt32(static_cast<uint32_t>(kind)), word32, operand},
              Touch::Nothing);
}

Words HostMachine::mma(MmaKind kind, ArrayRef<Value *> a, ArrayRef<Value *> right, ArrayRef<Value *> c) {
  SmallVector<Value *> words;
  for (ArrayRef<Value *> part : {a, right, c})
    for (Value *value : part)
      words.push_back(wide(value));
  toBuffer(words);
  call("mma", b.getVoidTy(), {site(), b.getInt32(static_cast<uint32_t>(kind)), buffer}, Touch::Nothing);
  Words all = fromBuffer(64, words.size()), sums;
  for (unsigned i = 0; i < c.size(); ++i) {
    Type *type = c[i]->getType();
    Value *word = b.CreateTrunc(all[a.size() + right.size() + i], b.getIntNTy(type->getScalarSizeInBits()));
    sums.push_back(type->isIntegerTy() ? word : b.CreateBitCast(word, type));
  }
  return sums;
}

Value *HostMachine::approximate(Approximation what, Value *x, Value *y) {
  void *address = emulatorFunction("approximate");
  Value *callee = b.CreateIntToPtr(b.getInt64(reinterpret_cast<uint64_t>(address)), b.getPtrTy());
  Type *type = b.getFloatTy();
  CallInst *made = b.CreateCall(FunctionType::get(type, {b.getInt32Ty(), type, type}, false), callee,
                                {b.getInt32(static_cast<uint32_t>(what)), x, y ? y : x});
  made->setDoesNotThrow();
  made->setDoesNotAccessMemory();
  return made;
}

Value *HostMachine::extreme(Value *, Value *, bool, bool) { return nullptr; }
Value *HostMachine::fuse(DType, Value *, Value *, Value *) { return nullptr; }
Value *HostMachine::sqrt(Value *x) { return b.CreateUnaryIntrinsic(Intrinsic::sqrt, x); }
Value *HostMachine::divide(Value *x, Value *y) { return b.CreateFDiv(x, y); }
bool HostMachine::convertFloats(MutableArrayRef<Value *>, DType, DType, Rounding) { return false; }

Value *HostMachine::toInteger(Value *value, unsigned bits, bool isSigned) {
  return b.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                           {b.getIntNTy(bits), value->getType()}, {value});
}

// runAssembly(thread, text, inputs, outputs)
Value *HostMachine::assembly(StringRef text, StringRef constraints, Type *result, ArrayRef<Value *> operands,
                             bool pure) {
  std::string problem;
  texts.push_back(reader({text.data(), text.size()}, {constraints.data(), constraints.size()}, problem));
  if (!texts.back())
    throw Unsupported("the emulator of the cuda tier: inline assembly: " + problem);
  Type *word = b.getInt64Ty();
  SmallVector<Type *> types;
  if (auto *several = dyn_cast<StructType>(result))
    types.append(several->element_begin(), several->element_end());
  else if (!result->isVoidTy())
    types.push_back(result);
  Value *inputs = openArray(word, operands.size()), *outputs = openArray(word, types.size());
  for (unsigned i = 0; i < operands.size(); ++i)
    b.CreateStore(wide(operands[i]), b.CreateConstGEP1_32(word, inputs, i));
  call("runAssembly", b.getVoidTy(),
       {b.getInt64(reinterpret_cast<uint64_t>(texts.back().get())), inputs, outputs},
       pure ? Touch::Nothing : Touch::AnyMemory);
  Value *made = types.empty() ? nullptr : PoisonValue::get(result);
  for (unsigned i = 0; i < types.size(); ++i) {
    Value *bits = b.CreateTrunc(b.CreateLoad(word, b.CreateConstGEP1_32(word, outputs, i)),
                                b.getIntNTy(types[i]->getScalarSizeInBits()));
    Value *value = types[i]->isIntegerTy() ? bits : b.CreateBitCast(bits, types[i]);
    made = result->isStructTy() ? b.CreateInsertValue(made, value, i) : value;
  }
  return made;
}

/// An array in the frame of the function, whatever loop asks for it.
Value *HostMachine::openArray(Type *element, size_t count) {
  BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(ArrayType::get(element, std::max<size_t>(count, 1)));
}

Value *HostMachine::nanoseconds() { return call("nanoseconds", b.getInt64Ty(), {}); }
void HostMachine::exitThread() { call("exitThread", b.getVoidTy(), {}); }
void HostMachine::dependencyWait() {}
void HostMachine::dependencyLaunch() {}

} // namespace trisect::cuda
