//===- Traits.cpp - a walk over the ops of a module -----------------------------------------------------===//
#include "jit/kernel/Traits.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/support/OpTable.h"
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
} // namespace

KernelTraits traitsOf(mlir::ModuleOp module) {
  KernelTraits traits;
  module.walk([&](mlir::Operation *op) {
    if (op->hasAttr("trisect_probe"))
      return; // looks on (jit/locate)
    traits.readsMachine |= asksMachine(op);
    traits.addressesShow |= showsAddresses(op);
    std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
    if (id && info(*id).cls == OpClass::Atomic)
      traits.atomicOrder |= llvm::any_of(op->getOperandTypes(), isFloat) || !op->use_empty();
  });
  return traits;
}

} // namespace trisect::jit
