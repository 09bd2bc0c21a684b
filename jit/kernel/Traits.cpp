//===- Traits.cpp - a walk over the ops of a module -----------------------------------------------------===//
#include "jit/kernel/Traits.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/support/OpTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <array>

namespace trisect::jit {

namespace {
bool isPointer(mlir::Type type) { return mlir::isa<tt::PtrType>(tt::elementOf(type)); }
bool isFloat(mlir::Type type) { return tt::isFloatElement(tt::elementOf(type)); }

bool showsAddresses(mlir::Operation *op) {
  if (mlir::isa<tt::IntToPtrOp, tt::PtrToIntOp>(op))
    return true;
  if (mlir::isa<tt::BitcastOp>(op))
    return isPointer(op->getOperand(0).getType()) != isPointer(op->getResult(0).getType());
  if (mlir::isa<tt::LoadOp>(op))
    return isPointer(op->getResult(0).getType());
  if (mlir::isa<tt::StoreOp>(op))
    return isPointer(op->getOperand(1).getType());
  llvm::StringRef name = op->getName().getStringRef();
  if (name == "tt.elementwise_inline_asm" || name == "tt.extern_elementwise")
    return llvm::any_of(op->getOperandTypes(), isPointer) || llvm::any_of(op->getResultTypes(), isPointer);
  return name == "tt.experimental_tensormap_create" || name == "tt.reinterpret_tensor_descriptor";
}

bool asksMachine(mlir::Operation *op) {
  auto assembly = op->getAttrOfType<mlir::StringAttr>("asm_string");
  return assembly && llvm::any_of(std::array{"%globaltimer", "%clock", "%smid", "%nsmid"},
                                  [&](const char *name) { return assembly.getValue().contains(name); });
}

/// The arguments of kernels, by their numbers, from which a pointer may come; false if it may come from
/// elsewhere.
bool rootsOf(mlir::Value pointer, llvm::SetVector<mlir::Value> &seen, llvm::SmallSet<unsigned, 8> &roots) {
  if (!seen.insert(pointer))
    return true;
  auto all = [&](mlir::ValueRange values) {
    return llvm::all_of(values, [&](mlir::Value value) {
      bool carries = isPointer(value.getType()) || mlir::isa<tt::TensorDescType>(value.getType());
      return !carries || rootsOf(value, seen, roots);
    });
  };
  auto ofRegions = [&](mlir::Operation *op) {
    bool known = all(op->getOperands());
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        known = known && all(block.getTerminator()->getOperands());
    return known;
  };
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(pointer)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (!mlir::isa<tt::FuncOp>(parent))
      return ofRegions(parent);
    roots.insert(argument.getArgNumber());
    return argument.getOwner()->isEntryBlock() && mlir::cast<tt::FuncOp>(parent).isPublic();
  }
  mlir::Operation *op = pointer.getDefiningOp();
  if (mlir::isa<tt::CallOp, tt::LoadOp, tt::IntToPtrOp>(op))
    return false;
  return ofRegions(op);
}

/// Tells arguments that are read from those that are written.
void lookAtAccesses(mlir::ModuleOp module, KernelTraits &traits) {
  llvm::SmallSet<unsigned, 8> read, written;
  bool clear = true;
  module.walk([&](mlir::Operation *op) {
    std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
    if (!id || op->hasAttr("trisect_probe"))
      return;
    OpClass cls = info(*id).cls;
    bool reads = mlir::isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
    bool writes = mlir::isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorScatterOp>(op);
    if (!reads && !writes) {
      bool known = mlir::isMemoryEffectFree(op) || mlir::isa<tt::FuncOp, tt::CallOp, tt::AssertOp>(op) ||
                   op->getNumRegions() > 0;
      clear = clear && known && cls != OpClass::Atomic;
      return;
    }
    llvm::SetVector<mlir::Value> seen;
    clear = clear && rootsOf(op->getOperand(0), seen, reads ? read : written);
  });
  if (!clear)
    return;
  traits.repeatable = llvm::none_of(read, [&](unsigned argument) { return written.contains(argument); });
  for (unsigned argument : written)
    if (!read.contains(argument))
      traits.onlyWritten.push_back(argument);
  std::ranges::sort(traits.onlyWritten);
}
} // namespace

KernelTraits traitsOf(mlir::ModuleOp module) {
  KernelTraits traits;
  lookAtAccesses(module, traits);
  module.walk([&](mlir::Operation *op) {
    if (op->hasAttr("trisect_probe"))
      return; // looks on (jit/locate)
    traits.readsMachine |= asksMachine(op);
    traits.addressesShow |= showsAddresses(op);
    traits.prints |= mlir::isa<tt::PrintOp>(op) && !op->hasAttr("tt.statement");
    std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
    if (!id || info(*id).cls != OpClass::Atomic)
      return;
    bool ordered = llvm::any_of(op->getOperandTypes(), isFloat) || !op->use_empty();
    traits.atomicOrder |= ordered;
    // Lanes that only read find the same in any order.
    traits.atomicLanes |= ordered && !mlir::isa<tt::AtomicLoadOp>(op) &&
                          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<mlir::RankedTensorType>);
  });
  return traits;
}

} // namespace trisect::jit
