//===- Memory.cpp - loads and stores --------------------------------------------------------------------===//
//
// What: accesses of blocks as the widest vectors that layout, addresses and mask allow, and of scalars.
// Why predicates, not branches: Machine says. Only one holder of an element stores it.
// Limits: vectors of at most 16 bytes.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Memory.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace trisect::cuda {

namespace {
constexpr unsigned widestBytes = 16;
} // namespace

unsigned accessWidth(Emitter &e, mlir::Value pointer, mlir::Value mask, unsigned bytes) {
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  if (!type || type.getRank() == 0)
    return 1;
  const Placement &placement = e.placement(type);
  tt::AxisInfo facts = e.axes.of(pointer), maskFacts;
  if (mask)
    maskFacts = e.axes.of(mask);
  if (facts.isUnreached() || (mask && maskFacts.isUnreached()))
    return 1;
  unsigned best = 1;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    auto width = static_cast<unsigned>(gpu::registerRun(placement.layout(), dim));
    width = std::min<int64_t>(width, facts.contiguity(dim));
    if (mask)
      width = std::min<int64_t>(width, maskFacts.constancy(dim));
    width = std::min(width, std::max(1u, widestBytes / bytes));
    while (width > 1 && (facts.unit != bytes || facts.divisibilityAt(dim, width) % (width * bytes)))
      width /= 2;
    best = std::max(best, width);
  }
  return best;
}

namespace {
/// The bits that lane and warp may set in an element's number.
uint32_t threadBits(const gpu::Layout &layout) {
  uint32_t all = 0;
  for (gpu::Bits bits : {gpu::Bits::Lane, gpu::Bits::Warp})
    for (unsigned bit = 0; bit < layout.bits(bits); ++bit)
      all |= layout.flat(bits, bit);
  return all;
}
} // namespace

Parts addressesOf(Emitter &e, mlir::Value pointer, unsigned bytes) {
  Parts addresses = e.parts(pointer);
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  tt::AxisInfo facts = e.axes.of(pointer);
  if (!type || type.getRank() == 0 || facts.isUnreached() || facts.unit != bytes)
    return addresses;
  const Placement &placement = e.placement(type);
  const gpu::Layout &layout = placement.layout();
  gpu::Coordinates moving = layout.coordinates(threadBits(layout));
  DenseMap<uint32_t, unsigned> partOf;
  for (unsigned n = 0; n < placement.held(); ++n) {
    partOf[placement.element(n)] = n;
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      gpu::Coordinates at = layout.coordinates(placement.element(n));
      auto within = static_cast<int32_t>(std::min<int64_t>(facts.contiguity(dim), type.getDimSize(dim)) - 1);
      int32_t ahead = at[dim] & within;
      if (ahead == 0 || (ahead & moving[dim]))
        continue;
      at[dim] -= ahead;
      auto start = partOf.find(layout.number(at));
      if (start == partOf.end())
        continue;
      addresses[n] = e.b.CreateAdd(addresses[start->second], e.b.getInt64(int64_t(ahead) * bytes));
      break;
    }
  }
  return addresses;
}

WordShape wordShape(unsigned elementBits, unsigned width) {
  unsigned total = elementBits * width;
  unsigned bits = elementBits == 64 ? 64 : std::min(total, 32u);
  return {bits, total / bits};
}

Words pack(Emitter &e, ArrayRef<Value *> elements) {
  SmallVector<Value *> words;
  for (Value *element : elements)
    words.push_back(e.toWord(element));
  unsigned bits = words[0]->getType()->getIntegerBitWidth();
  WordShape shape = wordShape(bits, words.size());
  unsigned each = shape.bits / bits;
  Words packed;
  for (unsigned w = 0; w < shape.count; ++w) {
    if (bits == 16 && each == 2) {
      // As a vector: two halves that an instruction makes together stay together.
      Value *pair = PoisonValue::get(FixedVectorType::get(e.b.getInt16Ty(), 2));
      for (unsigned j = 0; j < 2; ++j)
        pair = e.b.CreateInsertElement(pair, words[w * 2 + j], e.b.getInt64(j));
      packed.push_back(e.b.CreateBitCast(pair, e.b.getInt32Ty()));
      continue;
    }
    Value *word = e.b.CreateZExt(words[w * each], e.b.getIntNTy(shape.bits));
    for (unsigned j = 1; j < each; ++j)
      word = e.b.CreateOr(
          word, e.b.CreateShl(e.b.CreateZExt(words[w * each + j], e.b.getIntNTy(shape.bits)), j * bits));
    packed.push_back(word);
  }
  return packed;
}

void unpack(Emitter &e, ArrayRef<Value *> words, Type *element, unsigned width, Parts &to) {
  unsigned bits = std::max(8u, static_cast<unsigned>(element->getScalarSizeInBits()));
  unsigned each = width / words.size();
  for (Value *word : words)
    for (unsigned j = 0; j < each; ++j) {
      Value *bare = e.b.CreateTrunc(j ? e.b.CreateLShr(word, j * bits) : word, e.b.getIntNTy(bits));
      to.push_back(e.fromWord(bare, element));
    }
}

Parts loadVectors(Emitter &e, Type *element, mlir::Value pointer, mlir::Value mask, mlir::Value other,
                  const CacheWords &cache) {
  unsigned bits = std::max(8u, static_cast<unsigned>(element->getScalarSizeInBits()));
  unsigned width = accessWidth(e, pointer, mask, bits / 8);
  WordShape shape = wordShape(bits, width);
  Parts addresses = addressesOf(e, pointer, bits / 8);
  const Parts *predicates = mask ? &e.parts(mask) : nullptr;
  const Parts *rest = other ? &e.parts(other) : nullptr;
  Parts loaded;
  for (unsigned n = 0; n < addresses.size(); n += width) {
    Words others;
    if (rest && predicates)
      others = pack(e, ArrayRef(*rest).slice(n, width));
    Words words = e.machine.loadGlobal(addresses[n], shape.bits, shape.count,
                                       predicates ? (*predicates)[n] : nullptr, others, cache);
    unpack(e, words, element, width, loaded);
  }
  return loaded;
}

namespace {
/// Whether a scalar reaches a branch or the bounds of a loop.
bool steersControl(mlir::Value value, DenseSet<mlir::Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  for (mlir::OpOperand &use : value.getUses()) {
    mlir::Operation *user = use.getOwner();
    if (isa<mlir::scf::ConditionOp>(user) && use.getOperandNumber() == 0)
      return true;
    if (isa<mlir::scf::IfOp>(user) || (isa<mlir::cf::CondBranchOp>(user) && use.getOperandNumber() == 0))
      return true;
    if (isa<mlir::scf::ForOp>(user) && use.getOperandNumber() < 3)
      return true;
    // What is carried or yielded may come back anywhere.
    if (isa<mlir::scf::YieldOp, mlir::scf::ConditionOp, mlir::scf::ForOp, mlir::scf::WhileOp>(user) ||
        isa<mlir::cf::BranchOp, mlir::cf::CondBranchOp>(user))
      return true;
    for (mlir::Value result : user->getResults())
      if (!isa<RankedTensorType>(result.getType()) && steersControl(result, seen))
        return true;
  }
  return false;
}

/// Whether all threads must see one reading of a scalar in memory that may change meanwhile.
bool mustAgree(Emitter &e, tt::LoadOp op) {
  bool changes = op.getIsVolatile() || op->getParentOfType<mlir::scf::WhileOp>();
  e.kernel.walk([&](mlir::Operation *other) {
    changes |=
        isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicPollOp, mlir::cf::BranchOp>(other);
  });
  DenseSet<mlir::Value> seen;
  return changes && steersControl(op.getResult(), seen);
}

void emitLoad(Emitter &e, tt::LoadOp op) {
  mlir::Type type = op.getType();
  Type *element = e.elementType(type);
  Parts loaded = loadVectors(e, element, op.getPtr(), op.getMask(), op.getOther(),
                             {op.getCache(), op.getEvict(), op.getIsVolatile()});
  if (!isa<RankedTensorType>(type) && mustAgree(e, op))
    loaded[0] = e.broadcastFromFirst(op, loaded[0]);
  e.set(op.getResult(), std::move(loaded));
}

void emitStore(Emitter &e, tt::StoreOp op) {
  mlir::Type type = op.getValue().getType();
  unsigned bits = std::max(8u, static_cast<unsigned>(e.elementType(type)->getScalarSizeInBits()));
  unsigned width = accessWidth(e, op.getPtr(), op.getMask(), bits / 8);
  CacheWords cache{op.getCache(), op.getEvict(), false};
  Parts addresses = addressesOf(e, op.getPtr(), bits / 8);
  const Parts &values = e.parts(op.getValue());
  const Parts *mask = op.getMask() ? &e.parts(op.getMask()) : nullptr;
  Value *holder = e.writer(type);
  for (unsigned n = 0; n < addresses.size(); n += width)
    e.machine.storeGlobal(addresses[n], pack(e, ArrayRef(values).slice(n, width)),
                          e.both(holder, mask ? (*mask)[n] : nullptr), cache);
}
} // namespace

Value *Emitter::writer(mlir::Type type) {
  return isa<RankedTensorType>(type) ? soleHolder(placement(type)) : b.CreateICmpEQ(thread(), i32(0));
}

bool emitMemory(Emitter &e, mlir::Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    emitLoad(e, load);
  else if (auto store = dyn_cast<tt::StoreOp>(op))
    emitStore(e, store);
  else
    return false;
  return true;
}

} // namespace trisect::cuda
