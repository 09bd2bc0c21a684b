//===- NvptxMemory.cpp - global and shared memory of NVIDIA GPUs ----------------------------------------===//
//
// What: vector accesses with predicates and cache words, atomics with order and scope, as inline PTX;
// accesses that need neither are plain LLVM loads and stores.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/cuda/emit/PtxAsm.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
std::string vectorSuffix(unsigned count) { return count == 1 ? "" : ".v" + std::to_string(count); }

/// Registers hold 8-bit words in 16 bits.
unsigned registerBits(unsigned wordBits) { return std::max(wordBits, 16u); }

std::string scopeWord(tt::MemScope scope) {
  switch (scope) {
  case tt::MemScope::Cta:
    return ".cta";
  case tt::MemScope::Gpu:
    return ".gpu";
  case tt::MemScope::Sys:
    return ".sys";
  }
  return ".gpu";
}

std::string semWord(Ordering ordering) {
  // What a fence has released, the access behind it need not release again.
  bool half = ordering.released;
  switch (ordering.sem) {
  case tt::MemSemantic::Relaxed:
    return ".relaxed";
  case tt::MemSemantic::Acquire:
    return ".acquire";
  case tt::MemSemantic::Release:
    return half ? ".relaxed" : ".release";
  case tt::MemSemantic::AcqRel:
    return half ? ".acquire" : ".acq_rel";
  }
  return ".acq_rel";
}

std::string loadCache(const CacheWords &words) {
  switch (words.cache) {
  case tt::CacheModifier::Ca:
    return ".ca";
  case tt::CacheModifier::Cg:
    return ".cg";
  case tt::CacheModifier::Cs:
    return ".cs";
  case tt::CacheModifier::Cv:
    return ".cv";
  default:
    return "";
  }
}

std::string storeCache(const CacheWords &words) {
  switch (words.cache) {
  case tt::CacheModifier::Wb:
    return ".wb";
  case tt::CacheModifier::Cg:
    return ".cg";
  case tt::CacheModifier::Cs:
    return ".cs";
  case tt::CacheModifier::Wt:
    return ".wt";
  default:
    return "";
  }
}

/// PTX takes an eviction word only without a cache word.
std::string evictWord(const CacheWords &words, const std::string &cache) {
  if (!cache.empty())
    return "";
  switch (words.evict) {
  case tt::EvictionPolicy::First:
    return ".L1::evict_first";
  case tt::EvictionPolicy::Last:
    return ".L1::evict_last";
  case tt::EvictionPolicy::Normal:
    return "";
  }
  return "";
}

bool isPlain(const CacheWords &words) { return words == CacheWords(); }

/// A predicate that LLVM knows to be true needs no guard.
Value *unlessTrue(Value *predicate) {
  auto *constant = dyn_cast_or_null<ConstantInt>(predicate);
  return constant && constant->isOne() ? nullptr : predicate;
}

Value *widened(IRBuilder<> &b, Value *word) {
  return word->getType()->getIntegerBitWidth() < 16 ? b.CreateZExt(word, b.getInt16Ty()) : word;
}
} // namespace

Words NvptxMachine::loadGlobal(Value *address, unsigned wordBits, unsigned count, Value *predicate,
                               ArrayRef<Value *> other, const CacheWords &cache) {
  predicate = unlessTrue(predicate);
  Words words;
  Type *word = b.getIntNTy(wordBits);
  if (!predicate && isPlain(cache)) {
    Value *pointer = b.CreateIntToPtr(address, b.getPtrTy(1));
    Type *type = count == 1 ? word : FixedVectorType::get(word, count);
    Value *loaded = b.CreateAlignedLoad(type, pointer, Align(wordBits / 8 * count));
    for (unsigned i = 0; i < count; ++i)
      words.push_back(count == 1 ? loaded : b.CreateExtractElement(loaded, i));
    return words;
  }
  PtxAsm code(b);
  Type *held = b.getIntNTy(registerBits(wordBits));
  SmallVector<std::string> results;
  for (unsigned i = 0; i < count; ++i)
    results.push_back(code.result(held, /*early=*/true));
  std::string moveType = ".b" + std::to_string(registerBits(wordBits));
  if (predicate)
    for (unsigned i = 0; i < count; ++i) {
      auto *constant = other.empty() ? nullptr : dyn_cast<ConstantInt>(other[i]);
      std::string from = other.empty() ? "0"
                         : constant    ? std::to_string(constant->getZExtValue())
                                       : code.operand(widened(b, other[i]));
      code.text("mov" + moveType + " " + results[i] + ", " + from + ";\n\t");
    }
  std::string words1 = cache.isVolatile ? ".volatile" : "";
  std::string modifier = cache.isVolatile ? "" : loadCache(cache);
  std::string evict = cache.isVolatile ? "" : evictWord(cache, modifier);
  std::string guard = code.guard(predicate);
  code.text(guard + "ld" + words1 + ".global" + modifier + evict + vectorSuffix(count) + ".b" +
            std::to_string(wordBits) + " " + PtxAsm::list(results) + ", " + code.place(address) + ";");
  if (cache.isVolatile || cache.cache == tt::CacheModifier::Cv)
    code.touchesMemory();
  else
    code.readsMemory();
  for (Value *value : code.emit())
    words.push_back(wordBits < 16 ? b.CreateTrunc(value, word) : value);
  return words;
}

void NvptxMachine::storeGlobal(Value *address, ArrayRef<Value *> words, Value *predicate,
                               const CacheWords &cache) {
  predicate = unlessTrue(predicate);
  unsigned wordBits = words[0]->getType()->getIntegerBitWidth(), count = words.size();
  if (!predicate && isPlain(cache)) {
    Value *pointer = b.CreateIntToPtr(address, b.getPtrTy(1));
    Value *stored = words[0];
    if (count > 1) {
      stored = PoisonValue::get(FixedVectorType::get(words[0]->getType(), count));
      for (unsigned i = 0; i < count; ++i)
        stored = b.CreateInsertElement(stored, words[i], i);
    }
    b.CreateAlignedStore(stored, pointer, Align(wordBits / 8 * count));
    return;
  }
  PtxAsm code(b);
  SmallVector<std::string> names;
  for (Value *word : words)
    names.push_back(code.operand(widened(b, word)));
  std::string modifier = storeCache(cache);
  std::string guard = code.guard(predicate);
  code.text(guard + "st.global" + modifier + evictWord(cache, modifier) + vectorSuffix(count) + ".b" +
            std::to_string(wordBits) + " " + code.place(address) + ", " + PtxAsm::list(names) + ";");
  code.touchesMemory();
  code.emit();
}

bool NvptxMachine::hasAtomic(AtomicKind kind, DType type) const {
  unsigned bits = bitWidth(type);
  switch (kind) {
  case AtomicKind::FAdd:
    return type == DType::F32 || type == DType::F64 || type == DType::F16 ||
           (type == DType::BF16 && capability >= 90);
  case AtomicKind::Inc:
  case AtomicKind::Dec:
    return bits == 32;
  default:
    return bits == 32 || bits == 64;
  }
}

Value *NvptxMachine::atomicRmw(AtomicKind kind, DType type, Value *address, Value *value, Value *predicate,
                               Ordering ordering) {
  unsigned bits = bitWidth(type);
  std::string width = std::to_string(bits), word;
  switch (kind) {
  case AtomicKind::And:
    word = ".and.b" + width;
    break;
  case AtomicKind::Or:
    word = ".or.b" + width;
    break;
  case AtomicKind::Xor:
    word = ".xor.b" + width;
    break;
  case AtomicKind::Add:
    word = ".add.u" + width;
    break;
  case AtomicKind::FAdd:
    word = type == DType::F16 ? ".add.noftz.f16" : type == DType::BF16 ? ".add.noftz.bf16" : ".add.f" + width;
    break;
  case AtomicKind::Max:
    word = ".max.s" + width;
    break;
  case AtomicKind::Min:
    word = ".min.s" + width;
    break;
  case AtomicKind::UMax:
    word = ".max.u" + width;
    break;
  case AtomicKind::UMin:
    word = ".min.u" + width;
    break;
  case AtomicKind::Exch:
    word = ".exch.b" + width;
    break;
  case AtomicKind::Inc:
    word = ".inc.u32";
    break;
  case AtomicKind::Dec:
    word = ".dec.u32";
    break;
  }
  PtxAsm code(b);
  std::string to = code.result(value->getType(), /*early=*/true);
  predicate = unlessTrue(predicate);
  if (predicate)
    code.text("mov.b" + width + " " + to + ", 0;\n\t");
  std::string guard = code.guard(predicate), at = code.operand(address);
  code.text(guard + "atom" + semWord(ordering) + scopeWord(ordering.scope) + ".global" + word + " " + to +
            ", [" + at + "], " + code.operand(value) + ";");
  code.touchesMemory();
  return code.emit()[0];
}

Value *NvptxMachine::atomicCas(Value *address, Value *expected, Value *desired, Value *predicate,
                               Ordering ordering) {
  std::string width = std::to_string(expected->getType()->getIntegerBitWidth());
  PtxAsm code(b);
  std::string to = code.result(expected->getType(), /*early=*/true);
  predicate = unlessTrue(predicate);
  if (predicate)
    code.text("mov.b" + width + " " + to + ", 0;\n\t");
  std::string guard = code.guard(predicate), at = code.operand(address), old = code.operand(expected);
  code.text(guard + "atom" + semWord(ordering) + scopeWord(ordering.scope) + ".global.cas.b" + width + " " +
            to + ", [" + at + "], " + old + ", " + code.operand(desired) + ";");
  code.touchesMemory();
  return code.emit()[0];
}

Value *NvptxMachine::atomicLoad(Value *address, unsigned wordBits, Value *predicate, Ordering ordering) {
  PtxAsm code(b);
  Type *held = b.getIntNTy(registerBits(wordBits));
  std::string to = code.result(held, /*early=*/true);
  predicate = unlessTrue(predicate);
  if (predicate)
    code.text("mov.b" + std::to_string(registerBits(wordBits)) + " " + to + ", 0;\n\t");
  std::string guard = code.guard(predicate);
  std::string sem = ordering.sem == tt::MemSemantic::Relaxed ? ".relaxed" : ".acquire";
  code.text(guard + "ld" + sem + scopeWord(ordering.scope) + ".global.b" + std::to_string(wordBits) + " " +
            to + ", [" + code.operand(address) + "];");
  code.touchesMemory();
  Value *value = code.emit()[0];
  return wordBits < 16 ? b.CreateTrunc(value, b.getIntNTy(wordBits)) : value;
}

void NvptxMachine::atomicStore(Value *address, Value *value, Value *predicate, Ordering ordering) {
  PtxAsm code(b);
  std::string width = std::to_string(value->getType()->getIntegerBitWidth());
  std::string guard = code.guard(unlessTrue(predicate)), at = code.operand(address);
  std::string sem = ordering.sem == tt::MemSemantic::Relaxed ? ".relaxed" : ".release";
  code.text(guard + "st" + sem + scopeWord(ordering.scope) + ".global.b" + width + " [" + at + "], " +
            code.operand(widened(b, value)) + ";");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::fence(Ordering ordering) {
  PtxAsm code(b);
  code.text("fence.acq_rel" + scopeWord(ordering.scope) + ";");
  code.touchesMemory();
  code.emit();
}

Words NvptxMachine::loadShared(Value *address, unsigned wordBits, unsigned count, Value *predicate) {
  PtxAsm code(b);
  Type *held = b.getIntNTy(registerBits(wordBits));
  SmallVector<std::string> results;
  for (unsigned i = 0; i < count; ++i)
    results.push_back(code.result(held, predicate != nullptr));
  if (predicate)
    for (const std::string &result : results)
      code.text("mov.b" + std::to_string(registerBits(wordBits)) + " " + result + ", 0;\n\t");
  std::string guard = code.guard(predicate);
  code.text(guard + "ld.shared" + vectorSuffix(count) + ".b" + std::to_string(wordBits) + " " +
            PtxAsm::list(results) + ", [" + code.operand(address) + "];");
  code.readsMemory();
  Words words;
  for (Value *value : code.emit())
    words.push_back(wordBits < 16 ? b.CreateTrunc(value, b.getIntNTy(wordBits)) : value);
  return words;
}

void NvptxMachine::storeShared(Value *address, ArrayRef<Value *> words, Value *predicate) {
  PtxAsm code(b);
  unsigned wordBits = words[0]->getType()->getIntegerBitWidth();
  SmallVector<std::string> names;
  for (Value *word : words)
    names.push_back(code.operand(widened(b, word)));
  std::string guard = code.guard(unlessTrue(predicate));
  code.text(guard + "st.shared" + vectorSuffix(words.size()) + ".b" + std::to_string(wordBits) + " [" +
            code.operand(address) + "], " + PtxAsm::list(names) + ";");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::atomicAddShared(Value *address, Value *value, Value *predicate) {
  PtxAsm code(b);
  std::string guard = code.guard(unlessTrue(predicate)), at = code.operand(address);
  code.text(guard + "red.shared.add.u32 [" + at + "], " + code.operand(value) + ";");
  code.touchesMemory();
  code.emit();
}

} // namespace trisect::cuda
