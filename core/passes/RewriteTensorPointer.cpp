//===- RewriteTensorPointer.cpp - block pointers to pointers --------------------------------------------===//
//
// What: make_tensor_ptr, advance, and loads and stores through block pointers become addptr, masks and
// padding. Why: tiers without block pointers, and analyses that know addptr only. How: a block pointer is its
// base, then shape, strides and offsets as i64, one of each a dimension.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/BlockAddress.h"
#include "core/passes/Passes.h"
#include "core/passes/TypeExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace trisect::tt {

#define GEN_PASS_DEF_TRITONREWRITETENSORPOINTER
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

SmallVector<Type> partsOfBlockPointer(Type type) {
  if (!isBlockPointer(type))
    return {};
  auto pointer = cast<PtrType>(type);
  auto block = cast<RankedTensorType>(pointer.getPointeeType());
  SmallVector<Type> parts(1 + 3 * block.getRank(), IntegerType::get(type.getContext(), 64));
  parts[0] = PtrType::get(block.getElementType(), pointer.getAddressSpace());
  return parts;
}

/// The parts of one block pointer, by name.
struct BlockPointer {
  explicit BlockPointer(SmallVector<Value> values) : parts(std::move(values)), rank((parts.size() - 1) / 3) {}
  Value base() const { return parts.front(); }
  ArrayRef<Value> shape() const { return ArrayRef(parts).slice(1, rank); }
  ArrayRef<Value> strides() const { return ArrayRef(parts).slice(1 + rank, rank); }
  MutableArrayRef<Value> offsets() { return MutableArrayRef(parts).slice(1 + 2 * rank, rank); }

  SmallVector<Value> parts;
  size_t rank;
};

class Rewriter {
public:
  Rewriter(ModuleOp module, TypeExpander &expander)
      : module(module), expander(expander), builder(module.getContext()) {}

  void run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      if (auto make = dyn_cast<MakeTensorPtrOp>(op))
        rewriteMake(make);
      else if (auto advance = dyn_cast<AdvanceOp>(op))
        rewriteAdvance(advance);
      else if (auto load = dyn_cast<LoadOp>(op); load && isBlockPointer(load.getPtr().getType()))
        rewriteLoad(load);
      else if (auto store = dyn_cast<StoreOp>(op); store && isBlockPointer(store.getPtr().getType()))
        rewriteStore(store);
    }
  }

private:
  Value widen(Location location, Value offset) {
    return builder.create<arith::ExtSIOp>(location, builder.getI64Type(), offset);
  }

  void rewriteMake(MakeTensorPtrOp op) {
    SmallVector<Value> parts = {op.getBase()};
    llvm::append_range(parts, op.getShape());
    llvm::append_range(parts, op.getStrides());
    for (Value offset : op.getOffsets())
      parts.push_back(widen(op.getLoc(), offset));
    op.replaceAllUsesWith(expander.join(builder, op.getType(), parts));
    op.erase();
  }

  void rewriteAdvance(AdvanceOp op) {
    BlockPointer pointer(expander.split(builder, op.getPtr()));
    for (auto [offset, delta] : llvm::zip_equal(pointer.offsets(), op.getOffsets()))
      offset = builder.create<arith::AddIOp>(op.getLoc(), offset, widen(op.getLoc(), delta));
    op.replaceAllUsesWith(expander.join(builder, op.getType(), pointer.parts));
    op.erase();
  }

  void rewriteLoad(LoadOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    BlockPointer pointer(expander.split(builder, op.getPtr()));
    BlockAddress address = addressOf(op.getLoc(), type.getShape(), pointer);
    Value pointers = address.pointers(pointer.base(), pointer.strides());
    Value mask = address.mask(pointer.shape(), op.getBoundaryCheck());
    Value other;
    if (mask && op.getPadding())
      other = address.padding(type.getElementType(), op.getPadding() == PaddingOption::Nan);
    auto load = builder.create<LoadOp>(op.getLoc(), pointers, mask, other, op.getCache(), op.getEvict(),
                                       op.getIsVolatile());
    load->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.replaceAllUsesWith(load.getResult());
    op.erase();
  }

  void rewriteStore(StoreOp op) {
    auto type = cast<RankedTensorType>(op.getValue().getType());
    BlockPointer pointer(expander.split(builder, op.getPtr()));
    BlockAddress address = addressOf(op.getLoc(), type.getShape(), pointer);
    Value pointers = address.pointers(pointer.base(), pointer.strides());
    Value mask = address.mask(pointer.shape(), op.getBoundaryCheck());
    auto store =
        builder.create<StoreOp>(op.getLoc(), pointers, op.getValue(), mask, op.getCache(), op.getEvict());
    store->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.erase();
  }

  BlockAddress addressOf(Location location, ArrayRef<int64_t> block, BlockPointer &pointer) {
    BlockAddress address(builder, location, block);
    for (Value offset : pointer.offsets())
      address.addRange(offset);
    return address;
  }

  ModuleOp module;
  TypeExpander &expander;
  OpBuilder builder;
};

struct RewriteTensorPointer : impl::TritonRewriteTensorPointerBase<RewriteTensorPointer> {
  void runOnOperation() override {
    TypeExpander expander(getOperation(), partsOfBlockPointer);
    expander.expandStructure();
    Rewriter(getOperation(), expander).run();
    if (failed(expander.finish()))
      signalPassFailure();
  }
};

} // namespace
} // namespace trisect::tt
