//===- Effects.cpp - writes of the lowered code ---------------------------------------------------------===//
#include "backends/cpu/emit/Effects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
constexpr llvm::StringRef seenAttr = "trisect.seen", lastingAttr = "trisect.lasting";

/// Whether an address is one of the scratch memory, the last argument of every function.
bool inScratch(Value address) {
  if (auto argument = dyn_cast<BlockArgument>(address)) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
    return function && argument == function.getArguments().back();
  }
  Operation *op = address.getDefiningOp();
  return isa<arith::AddIOp, LLVM::IntToPtrOp, LLVM::GEPOp>(op) && llvm::any_of(op->getOperands(), inScratch);
}

/// Whether what it writes over can be kept: not more lanes than a word has bits, and no atomic.
bool isStore(Operation *op) {
  if (op->hasAttr(lastingAttr))
    return false;
  auto lanes = [](Value value) {
    auto type = dyn_cast<VectorType>(value.getType());
    return type ? type.getNumElements() : 1;
  };
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getOrdering() == LLVM::AtomicOrdering::not_atomic && !store.getVolatile_();
  return isa<LLVM::MaskedStoreOp, LLVM::masked_scatter>(op) && lanes(op->getOperand(0)) <= 64;
}

bool isSeen(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    // The runtime's functions write to scratch memory; functions of the module are looked through.
    return call->hasAttr(seenAttr);
  }
  if (op->getNumRegions() || isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<LLVM::LoadOp, LLVM::MaskedLoadOp, LLVM::masked_gather, LLVM::Prefetch>(op))
    return false;
  SmallVector<Value> addresses;
  for (Value operand : op->getOperands())
    if (isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(operand.getType())))
      addresses.push_back(operand);
  if (addresses.empty())
    return !isa<LLVM::CallIntrinsicOp>(op);
  return !llvm::all_of(addresses, inScratch);
}
} // namespace

void markSeen(LLVM::CallOp call) { call->setAttr(seenAttr, UnitAttr::get(call.getContext())); }

void markLasting(Operation *store) { store->setAttr(lastingAttr, UnitAttr::get(store->getContext())); }

Effects::Effects(ModuleOp module, LLVM::LLVMFuncOp program) : program(program) {
  SmallVector<Operation *> others;
  // Of operations on values there are by far the most.
  module.walk([&](Operation *op) {
    if (!isa<LLVM::LLVMDialect>(op->getDialect()))
      return;
    if (isSeen(op))
      (isStore(op) ? found : others).push_back(op);
    if (!op->getDiscardableAttrs().empty()) {
      op->removeAttr(seenAttr);
      op->removeAttr(lastingAttr);
    }
  });
  hold(module, others, lasting);
  llvm::append_range(others, found);
  hold(module, others, seen);
}

void Effects::hold(ModuleOp module, ArrayRef<Operation *> ops, Holders &holders) {
  auto hold = [&](Operation *op) {
    for (; op && op != module; op = op->getParentOp())
      holders.insert(op);
  };
  llvm::for_each(ops, hold);
  // A call is seen if its function is; functions may call one another.
  for (size_t known = 0; known != holders.size();) {
    known = holders.size();
    module.walk([&](LLVM::CallOp call) {
      auto callee = call.getCallee() ? module.lookupSymbol(*call.getCallee()) : nullptr;
      if (callee && holders.contains(callee))
        hold(call);
    });
  }
}

Effects::Kind Effects::before(Operation *op) const {
  return anyBefore(op, lasting) ? Kind::Lasting : anyBefore(op, seen) ? Kind::Written : Kind::None;
}

bool Effects::anyBefore(Operation *op, const Holders &holders) const {
  if (op->getParentOfType<LLVM::LLVMFuncOp>().getOperation() != program ||
      !llvm::hasSingleElement(program->getRegion(0)))
    return !holders.empty();
  for (; op != program; op = op->getParentOp()) {
    for (Operation *earlier = op->getPrevNode(); earlier; earlier = earlier->getPrevNode())
      if (holders.contains(earlier))
        return true;
    Operation *around = op->getParentOp();
    if (around != program && !isa<scf::IfOp>(around) && holders.contains(around))
      return true;
  }
  return false;
}

} // namespace trisect::cpu
