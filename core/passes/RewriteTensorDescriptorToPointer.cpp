//===- RewriteTensorDescriptorToPointer.cpp - descriptors to pointers -----------------------------------===//
//
// What: descriptor loads, stores, reductions, gathers and scatters become accesses through pointers, masked
// to the tensor, with padding as the value of masked-off lanes; reductions become atomics. Why: tiers without
// hardware descriptors, and analyses that know addptr only. How: a descriptor is its base, then shape and
// strides as i64, then an i1: padding is NaN. Limits: reductions inc and dec have no atomic counterpart and
// are refused; a descriptor that memory holds (reinterpret_tensor_descriptor) cannot be looked into.
// Reductions are released at gpu scope.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/BlockAddress.h"
#include "core/passes/Passes.h"
#include "core/passes/TypeExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include <optional>

namespace trisect::tt {

#define GEN_PASS_DEF_TRITONREWRITETENSORDESCRIPTORTOPOINTER
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

SmallVector<Type> partsOfDescriptor(Type type) {
  auto descriptor = dyn_cast<TensorDescType>(type);
  if (!descriptor)
    return {};
  RankedTensorType block = descriptor.getSignlessBlockType();
  SmallVector<Type> parts(2 + 2 * block.getRank(), IntegerType::get(type.getContext(), 64));
  parts.front() = PtrType::get(block.getElementType());
  parts.back() = IntegerType::get(type.getContext(), 1);
  return parts;
}

/// The parts of one descriptor, by name.
struct Descriptor {
  explicit Descriptor(SmallVector<Value> values) : parts(std::move(values)), rank(parts.size() / 2 - 1) {}
  Value base() const { return parts.front(); }
  ArrayRef<Value> shape() const { return ArrayRef(parts).slice(1, rank); }
  ArrayRef<Value> strides() const { return ArrayRef(parts).slice(1 + rank, rank); }
  Value paddingIsNan() const { return parts.back(); }

  SmallVector<Value> parts;
  size_t rank;
};

/// The atomic that does what a reduction does; for the extrema of floats that of non-negative ones, as
/// integers.
std::optional<RmwKind> atomicOf(DescriptorReduceKind kind, Type element) {
  bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case DescriptorReduceKind::Add:
    return isFloat ? RmwKind::FAdd : RmwKind::Add;
  case DescriptorReduceKind::Min:
    return isUnsigned ? RmwKind::UMin : RmwKind::Min;
  case DescriptorReduceKind::Max:
    return isUnsigned ? RmwKind::UMax : RmwKind::Max;
  case DescriptorReduceKind::And:
    return isFloat ? std::nullopt : std::optional(RmwKind::And);
  case DescriptorReduceKind::Or:
    return isFloat ? std::nullopt : std::optional(RmwKind::Or);
  case DescriptorReduceKind::Xor:
    return isFloat ? std::nullopt : std::optional(RmwKind::Xor);
  case DescriptorReduceKind::Inc:
  case DescriptorReduceKind::Dec:
    return std::nullopt;
  }
  return std::nullopt;
}

class Rewriter {
public:
  Rewriter(ModuleOp module, TypeExpander &expander)
      : module(module), expander(expander), builder(module.getContext()) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      LogicalResult result =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case<MakeTensorDescOp, DescriptorLoadOp, DescriptorStoreOp, DescriptorReduceOp,
                    DescriptorGatherOp, DescriptorScatterOp>([this](auto typed) { return rewrite(typed); })
              .Default([](Operation *) { return success(); });
      if (failed(result))
        return failure();
    }
    return success();
  }

private:
  /// Pointers to the elements of a block and the mask of those inside the tensor.
  struct Access {
    BlockAddress address;
    Value pointers;
    Value mask;
  };

  Access finish(BlockAddress address, const Descriptor &descriptor) {
    auto every = llvm::to_vector(llvm::seq<int32_t>(0, descriptor.rank));
    Value pointers = address.pointers(descriptor.base(), descriptor.strides());
    Value mask = address.mask(descriptor.shape(), every);
    return {std::move(address), pointers, mask};
  }

  Access accessBlock(Location location, ArrayRef<int64_t> block, const Descriptor &descriptor,
                     ValueRange offsets) {
    BlockAddress address(builder, location, block);
    for (Value offset : offsets)
      address.addRange(offset);
    return finish(std::move(address), descriptor);
  }

  Access accessRows(Location location, ArrayRef<int64_t> block, const Descriptor &descriptor, Value rows,
                    Value column) {
    BlockAddress address(builder, location, block);
    address.addIndices(rows);
    address.addRange(column);
    return finish(std::move(address), descriptor);
  }

  Value paddingOf(Location location, Access &access, const Descriptor &descriptor, Type element) {
    Value zeros = access.address.padding(element, /*nan=*/false);
    if (!isa<FloatType>(element))
      return zeros;
    Value nans = access.address.padding(element, /*nan=*/true);
    return builder.create<arith::SelectOp>(location, descriptor.paddingIsNan(), nans, zeros);
  }

  /// The same elements under another shape: results and sources may lack unit dimensions of the block.
  Value reshape(Location location, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return builder.create<ReshapeOp>(location, type, value, /*allow_reorder=*/false,
                                     /*efficient_layout=*/false);
  }

  LogicalResult rewrite(MakeTensorDescOp op) {
    SmallVector<Value> parts = {op.getBase()};
    for (Value length : op.getShape())
      parts.push_back(builder.create<arith::ExtSIOp>(op.getLoc(), builder.getI64Type(), length));
    llvm::append_range(parts, op.getStrides());
    bool isNan = op.getPadding() == PaddingOption::Nan;
    parts.push_back(builder.create<arith::ConstantOp>(op.getLoc(), builder.getBoolAttr(isNan)));
    op.replaceAllUsesWith(expander.join(builder, op.getType(), parts));
    op.erase();
    return success();
  }

  LogicalResult rewrite(DescriptorLoadOp op) {
    Location location = op.getLoc();
    RankedTensorType block = cast<TensorDescType>(op.getDesc().getType()).getSignlessBlockType();
    Descriptor descriptor(expander.split(builder, op.getDesc()));
    Access access = accessBlock(location, block.getShape(), descriptor, op.getIndices());
    Value padding = paddingOf(location, access, descriptor, block.getElementType());
    Value loaded =
        builder.create<LoadOp>(location, access.pointers, access.mask, padding, op.getCache(), op.getEvict());
    op.replaceAllUsesWith(reshape(location, loaded, op.getType()));
    op.erase();
    return success();
  }

  LogicalResult rewrite(DescriptorStoreOp op) {
    RankedTensorType block = cast<TensorDescType>(op.getDesc().getType()).getSignlessBlockType();
    Descriptor descriptor(expander.split(builder, op.getDesc()));
    Access access = accessBlock(op.getLoc(), block.getShape(), descriptor, op.getIndices());
    builder.create<StoreOp>(op.getLoc(), access.pointers, reshape(op.getLoc(), op.getSrc(), block),
                            access.mask);
    op.erase();
    return success();
  }

  LogicalResult rewrite(DescriptorReduceOp op) {
    auto type = cast<TensorDescType>(op.getDesc().getType());
    RankedTensorType block = type.getSignlessBlockType();
    std::optional<RmwKind> kind = atomicOf(op.getKind(), type.getBlockType().getElementType());
    if (!kind)
      return op->emitOpError() << "cannot be rewritten to pointers: no atomic does "
                               << stringifyDescriptorReduceKind(op.getKind()) << " on "
                               << block.getElementType();
    Descriptor descriptor(expander.split(builder, op.getDesc()));
    Access access = accessBlock(op.getLoc(), block.getShape(), descriptor, op.getIndices());
    Value source = reshape(op.getLoc(), op.getSrc(), block);
    if (isa<FloatType>(block.getElementType()) && kind != RmwKind::FAdd)
      atomicExtremum(op.getLoc(), *kind == RmwKind::Max, access, source);
    else
      atomic(op.getLoc(), *kind, access.pointers, source, access.mask);
    op.erase();
    return success();
  }

  void atomic(Location location, RmwKind kind, Value pointers, Value value, Value mask) {
    builder.create<AtomicRMWOp>(location, value.getType(), kind, pointers, value, mask, MemSemantic::Release,
                                MemScope::Gpu);
  }

  /// Bit patterns of non-negative floats order as signed integers do, those of negative ones as unsigned
  /// integers in reverse.
  void atomicExtremum(Location location, bool isMax, Access &access, Value source) {
    auto floats = cast<RankedTensorType>(source.getType());
    Type integer = builder.getIntegerType(floats.getElementTypeBitWidth());
    Type bits = floats.clone(integer);
    Value value = builder.create<BitcastOp>(location, bits, source);
    Value pointers =
        builder.create<BitcastOp>(location, floats.clone(PtrType::get(integer)), access.pointers);
    Value zeros = access.address.padding(integer, /*nan=*/false);
    Value isNegative = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, value, zeros);
    Value isPositive = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::sge, value, zeros);
    Value positives = builder.create<arith::AndIOp>(location, access.mask, isPositive);
    Value negatives = builder.create<arith::AndIOp>(location, access.mask, isNegative);
    atomic(location, isMax ? RmwKind::Max : RmwKind::Min, pointers, value, positives);
    atomic(location, isMax ? RmwKind::UMin : RmwKind::UMax, pointers, value, negatives);
  }

  LogicalResult rewrite(DescriptorGatherOp op) {
    auto block = cast<RankedTensorType>(op.getType());
    Descriptor descriptor(expander.split(builder, op.getDesc()));
    Access access = accessRows(op.getLoc(), block.getShape(), descriptor, op.getXOffsets(), op.getYOffset());
    Value padding = paddingOf(op.getLoc(), access, descriptor, block.getElementType());
    op.replaceAllUsesWith(
        builder.create<LoadOp>(op.getLoc(), access.pointers, access.mask, padding).getResult());
    op.erase();
    return success();
  }

  LogicalResult rewrite(DescriptorScatterOp op) {
    auto block = cast<RankedTensorType>(op.getSrc().getType());
    Descriptor descriptor(expander.split(builder, op.getDesc()));
    Access access = accessRows(op.getLoc(), block.getShape(), descriptor, op.getXOffsets(), op.getYOffset());
    builder.create<StoreOp>(op.getLoc(), access.pointers, op.getSrc(), access.mask);
    op.erase();
    return success();
  }

  ModuleOp module;
  TypeExpander &expander;
  OpBuilder builder;
};

struct RewriteTensorDescriptorToPointer
    : impl::TritonRewriteTensorDescriptorToPointerBase<RewriteTensorDescriptorToPointer> {
  void runOnOperation() override {
    TypeExpander expander(getOperation(), partsOfDescriptor);
    expander.expandStructure();
    if (failed(Rewriter(getOperation(), expander).run()) || failed(expander.finish()))
      signalPassFailure();
  }
};

} // namespace
} // namespace trisect::tt
