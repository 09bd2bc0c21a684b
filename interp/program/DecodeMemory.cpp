//===- DecodeMemory.cpp - loads, stores, atomics, block pointers and descriptors ------------------------===//
//
// A block pointer is its parts: base, shape, strides, offsets. A descriptor is base, shape, strides, padding.
// Both need no instruction of their own to be made.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "interp/program/Decoder.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace trisect::interp {

namespace {
/// Operands by segment: missing ones are noSlot.
template <size_t N> std::array<mlir::Value, N> segmented(mlir::Operation *op) {
  std::array<mlir::Value, N> parts{};
  auto segments = op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  unsigned at = 0;
  for (size_t n = 0; n < N; ++n)
    if (segments ? segments[n] > 0 : n < op->getNumOperands())
      parts[n] = op->getOperand(at++);
  return parts;
}

int64_t paddingOf(mlir::Operation *op) {
  if (auto padding = op->getAttrOfType<mlir::IntegerAttr>("padding"))
    return padding.getInt();
  return static_cast<int64_t>(tt::PaddingOption::Zero);
}
} // namespace

void Decoder::memory(mlir::Operation *op, OpId id) {
  switch (id) {
  case OpId::tt_load: {
    if (tt::isBlockPointer(op->getOperand(0).getType()))
      return tileAccess(op, op->getOperand(0), Opcode::BlockLoad);
    auto parts = segmented<3>(op);
    SlotId mask = parts[1] ? slot(parts[1]) : noSlot, other = parts[2] ? slot(parts[2]) : noSlot;
    emit(Opcode::Load, {slot(parts[0]), mask, other}, define(op->getResult(0)));
    if (intAttr(op, "isVolatile"))
      last().flags |= FlagVolatile;
    return;
  }
  case OpId::tt_store: {
    program.writesMemory = true;
    if (tt::isBlockPointer(op->getOperand(0).getType()))
      return tileAccess(op, op->getOperand(0), Opcode::BlockStore);
    SlotId mask = op->getNumOperands() > 2 ? slot(op->getOperand(2)) : noSlot;
    emit(Opcode::Store, {slot(op->getOperand(0)), slot(op->getOperand(1)), mask}, {});
    return;
  }
  case OpId::tt_make_tensor_ptr:
    bind(op->getResult(0), gather(op->getOperands()));
    return;
  case OpId::tt_advance: {
    Slots parts = slots(op->getOperand(0));
    size_t rank = op->getNumOperands() - 1;
    for (size_t d = 0; d < rank; ++d) {
      SlotId moved = newSlot(DType::I32);
      SlotId &offset = parts[1 + 2 * rank + d];
      currentOp = OpId::arith_addi;
      emit(Opcode::Elementwise, {offset, slot(op->getOperand(1 + d))}, {moved});
      for (Numerics numerics : {Numerics::Ieee, Numerics::Cuda})
        last().kernel[int(numerics)] = elementwiseKernel({currentOp, DType::I32, DType::I32}, numerics);
      offset = moved;
    }
    bind(op->getResult(0), parts);
    return;
  }
  case OpId::tt_make_tensor_descriptor: {
    Slots parts = gather(op->getOperands());
    parts.push_back(constantSlot(DType::I32, static_cast<uint64_t>(paddingOf(op))));
    bind(op->getResult(0), parts);
    return;
  }
  default:
    return descriptor(op, id);
  }
}

void Decoder::tileAccess(mlir::Operation *op, mlir::Value pointer, Opcode opcode) {
  Slots operands = slots(pointer);
  auto type = llvm::cast<mlir::RankedTensorType>(tt::pointeeOf(pointer.getType()));
  Slots results;
  if (opcode == Opcode::BlockStore)
    operands.push_back(slot(op->getOperand(1)));
  else
    results = define(op->getResult(0));
  emit(opcode, operands, results);
  Extra &extra = newExtra(last());
  extra.ints.assign(type.getShape().begin(), type.getShape().end());
  // The dimensions that are checked, then the padding.
  extra.more.assign(type.getRank() + 1, 0);
  if (auto checked = op->getAttrOfType<mlir::DenseI32ArrayAttr>("boundaryCheck"))
    for (int32_t d : checked.asArrayRef())
      if (d >= 0 && d < type.getRank())
        extra.more[d] = 1;
  extra.more.back() = paddingOf(op);
}

void Decoder::atomic(mlir::Operation *op, OpId id) {
  program.hasAtomics = true;
  program.writesMemory = true;
  Slots all = gather(op->getOperands());
  auto order = [&] { return intAttr(op, "sem", int64_t(attr::MemSemantic::AcqRel)); };
  switch (id) {
  case OpId::tt_atomic_rmw:
    if (all.size() == 2)
      all.push_back(noSlot);
    emit(Opcode::AtomicRmw, all, define(op->getResult(0)));
    last().attribute = static_cast<uint64_t>(intAttr(op, "atomic_rmw_op"));
    if (last().attribute == AtomicFAdd) {
      DType type = program.type(all[1]);
      atomicKernel(OpId::arith_addf, type);
      if (!last().kernel[0])
        unsupported(op, "atomic fadd of " + std::string(trisect::name(type)));
    }
    break;
  case OpId::tt_atomic_cas:
    emit(Opcode::AtomicCas, all, define(op->getResult(0)));
    break;
  case OpId::tt_atomic_load:
    if (all.size() == 1)
      all.push_back(noSlot);
    emit(Opcode::AtomicLoad, all, define(op->getResult(0)));
    break;
  case OpId::tt_atomic_store:
    if (all.size() == 2)
      all.push_back(noSlot);
    emit(Opcode::AtomicStore, all, {});
    break;
  case OpId::tt_atomic_poll:
    program.mayWait = true;
    emit(Opcode::AtomicPoll, all, define(op->getResult(0)));
    break;
  default:
    return descriptor(op, id);
  }
  newExtra(last()).ints = {order(), intAttr(op, "scope", int64_t(attr::MemScope::Gpu))};
}

void Decoder::atomicKernel(OpId id, DType type) {
  for (Numerics numerics : {Numerics::Ieee, Numerics::Cuda})
    last().kernel[int(numerics)] = elementwiseKernel({id, type, type}, numerics);
}

/// The kind of a descriptor reduction in the numbers of AtomicKind; signs stand in the element type.
void Decoder::descriptorKind(mlir::Operation *op, mlir::Type descriptor) {
  mlir::Type element = llvm::cast<tt::TensorDescType>(descriptor).getBlockType().getElementType();
  DType type = dtype(tt::elementOf(op->getOperand(1).getType()), op);
  bool isUnsigned = element.isUnsignedInteger();
  uint64_t kind = 0;
  using Kind = tt::DescriptorReduceKind;
  switch (static_cast<Kind>(intAttr(op, "kind"))) {
  case Kind::Add:
    kind = isFloat(type) ? AtomicFAdd : AtomicAdd;
    break;
  case Kind::Min:
    kind = isFloat(type) ? AtomicFMin : isUnsigned ? AtomicUMin : AtomicMin;
    break;
  case Kind::Max:
    kind = isFloat(type) ? AtomicFMax : isUnsigned ? AtomicUMax : AtomicMax;
    break;
  case Kind::Inc:
    kind = AtomicInc;
    break;
  case Kind::Dec:
    kind = AtomicDec;
    break;
  case Kind::And:
    kind = AtomicAnd;
    break;
  case Kind::Or:
    kind = AtomicOr;
    break;
  case Kind::Xor:
    kind = AtomicXor;
  }
  last().attribute = kind;
  if (kind == AtomicFAdd)
    atomicKernel(OpId::arith_addf, type);
  if (kind == AtomicFMax)
    atomicKernel(OpId::arith_maxnumf, type);
  if (kind == AtomicFMin)
    atomicKernel(OpId::arith_minnumf, type);
}

void Decoder::descriptor(mlir::Operation *op, OpId id) {
  switch (id) {
  case OpId::tt_descriptor_load:
  case OpId::tt_descriptor_store:
  case OpId::tt_descriptor_reduce:
  case OpId::tt_descriptor_gather:
  case OpId::tt_descriptor_scatter:
    break;
  default:
    unsupported(op, "operation " + op->getName().getStringRef().str());
  }
  auto type = llvm::cast<tt::TensorDescType>(op->getOperand(0).getType());
  int64_t rank = static_cast<int64_t>(type.getShape().size());
  // base, shape, strides, padding
  Slots parts = slots(op->getOperand(0));
  SlotId padding = parts.pop_back_val();
  bool gathers = id == OpId::tt_descriptor_gather || id == OpId::tt_descriptor_scatter;
  if (gathers) {
    if (id == OpId::tt_descriptor_gather)
      parts.push_back(padding);
    for (mlir::Value operand : op->getOperands().drop_front())
      parts.push_back(slot(operand));
    if (id == OpId::tt_descriptor_gather) {
      emit(Opcode::BlockGather, parts, define(op->getResult(0)));
    } else {
      program.writesMemory = true;
      emit(Opcode::BlockScatter, parts, {});
    }
    newExtra(last()).ints.assign(type.getShape().begin(), type.getShape().end());
    return;
  }
  bool loads = id == OpId::tt_descriptor_load;
  // Stores have their value between the descriptor and the indices.
  for (mlir::Value index : op->getOperands().drop_front(loads ? 1 : 2))
    parts.push_back(slot(index));
  if (loads) {
    parts.push_back(padding);
    emit(Opcode::BlockLoad, parts, define(op->getResult(0)));
  } else {
    program.writesMemory = true;
    program.hasAtomics |= id == OpId::tt_descriptor_reduce;
    parts.push_back(slot(op->getOperand(1)));
    emit(id == OpId::tt_descriptor_store ? Opcode::BlockStore : Opcode::BlockReduce, parts, {});
    if (id == OpId::tt_descriptor_reduce)
      descriptorKind(op, type);
  }
  Extra &extra = newExtra(last());
  extra.ints.assign(type.getShape().begin(), type.getShape().end());
  extra.more.assign(rank + 1, 1);
  extra.more.back() = loads ? -1 : 1; // the padding is an operand
}

} // namespace trisect::interp
