//===- KeepMarks.cpp - calls before stores --------------------------------------------------------------===//
#include "backends/cpu/emit/KeepMarks.h"
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/Code.h"
#include "core/support/OpTable.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
int64_t bytesOf(Type type) {
  return isa<LLVM::LLVMPointerType>(type) ? 8 : int64_t(type.getIntOrFloatBitWidth()) / 8;
}

/// Calls of one function of the module.
class Keeper {
public:
  explicit Keeper(LLVM::LLVMFuncOp function) : function(function), scratch(function.getArguments().back()) {}

  // if (hook->keeps) hook->keep(hook, address, bytes, on)
  void before(Operation *op) {
    OpBuilder b(op);
    Code c{b, op->getLoc()};
    Value asks = c.cmp(arith::CmpIPredicate::ne, field(c, c.i64(), offsetof(AssertHook, keeps)), c.i64(0));
    auto branch = b.create<scf::IfOp>(c.loc, asks, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      Type type = store.getValue().getType();
      int64_t bytes = bytesOf(elementOf(type)) * lanesOf(type);
      call(c, offsetof(AssertHook, keep), {store.getAddr(), c.i64(bytes), c.i64(1)});
    } else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
      int64_t bytes = bytesOf(elementOf(store.getValue().getType()));
      call(c, offsetof(AssertHook, keep), {store.getData(), c.i64(bytes), word(c, store.getMask())});
    } else {
      auto scatter = cast<LLVM::masked_scatter>(op);
      auto type = cast<VectorType>(scatter.getValue().getType());
      auto words = VectorType::get(type.getShape(), c.i64());
      Value list = room(words);
      b.create<LLVM::StoreOp>(c.loc, b.create<LLVM::PtrToIntOp>(c.loc, words, scatter.getPtrs()), list);
      call(c, offsetof(AssertHook, keepLanes),
           {list, c.i64(bytesOf(type.getElementType())), word(c, scatter.getMask())});
    }
  }

  // hook->written = 0
  void begin() {
    OpBuilder b = OpBuilder::atBlockBegin(&function.front());
    Code c{b, function.getLoc()};
    b.create<LLVM::StoreOp>(c.loc, c.i64(0), c.pointer(c.add(scratch, c.i64(offsetof(AssertHook, written)))));
  }

private:
  Value field(Code &c, Type type, int64_t offset) const {
    return c.b.create<LLVM::LoadOp>(c.loc, type, c.pointer(c.add(scratch, c.i64(offset))));
  }

  /// A bit for each lane.
  static Value word(Code &c, Value mask) {
    Value bits = c.b.create<LLVM::BitcastOp>(c.loc, c.b.getIntegerType(lanesOf(mask.getType())), mask);
    return lanesOf(mask.getType()) == 64 ? bits : c.zext(bits, c.i64());
  }

  /// Memory for the addresses of lanes, of the whole function.
  Value room(VectorType words) {
    OpBuilder b = OpBuilder::atBlockBegin(&function.front());
    Code c{b, function.getLoc()};
    return b.create<LLVM::AllocaOp>(c.loc, LLVM::LLVMPointerType::get(b.getContext()), words, c.i64(1), 64);
  }

  void call(Code &c, int64_t offset, ArrayRef<Value> operands) const {
    auto pointer = LLVM::LLVMPointerType::get(c.b.getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(c.b.getContext()),
                                            {pointer, pointer, c.i64(), c.i64()});
    SmallVector<Value> all{field(c, pointer, offset), c.pointer(scratch)};
    all.append(operands.begin(), operands.end());
    c.b.create<LLVM::CallOp>(c.loc, type, all);
  }

  LLVM::LLVMFuncOp function;
  Value scratch;
};
} // namespace

bool readsWhatItWrites(tt::FuncOp kernel, Pointers &pointers) {
  llvm::SmallPtrSet<void *, 8> read, written; // null: from anywhere
  kernel.walk([&](Operation *op) {
    bool reads = isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
    bool writes = isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorScatterOp>(op);
    if (!reads && !writes) {
      std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
      reads = writes = isa<tt::CallOp>(op) || (id && info(*id).cls == OpClass::Atomic);
      if (!reads)
        return;
    }
    bool plain = isa<tt::LoadOp, tt::StoreOp>(op);
    void *root = plain ? pointers.root(op->getOperand(0)).getAsOpaquePointer() : nullptr;
    if (reads)
      read.insert(root);
    if (writes)
      written.insert(root);
  });
  if (read.contains(nullptr) || written.contains(nullptr))
    return !read.empty() && !written.empty();
  return llvm::any_of(read, [&](void *root) { return written.contains(root); });
}

void keepBefore(llvm::ArrayRef<Operation *> stores, LLVM::LLVMFuncOp program) {
  for (Operation *op : stores)
    Keeper(op->getParentOfType<LLVM::LLVMFuncOp>()).before(op);
  Keeper(program).begin();
}

} // namespace trisect::cpu
