//===- Kernel.cpp - reading a kernel's signature and traits ---------------------------------------------===//
#include "jit/kernel/Kernel.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/TypeUtils.h"
#include "core/support/OpTable.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <array>
#include <set>

namespace trisect::jit {

namespace {
tt::FuncOp findKernel(mlir::ModuleOp module, std::string_view name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<tt::FuncOp>(llvm::StringRef(name));
    if (!function || function.isDeclaration())
      throw InvalidInput("the module has no kernel '" + std::string(name) + "'");
    return function;
  }
  tt::FuncOp only;
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    if (only)
      throw InvalidInput("the module has several kernels, '" + only.getSymName().str() + "' and '" +
                         function.getSymName().str() + "' among them; say which");
    only = function;
  }
  if (!only)
    throw InvalidInput("the module has no public function");
  return only;
}

std::string parameterName(mlir::BlockArgument argument) {
  if (auto named = mlir::dyn_cast<mlir::NameLoc>(argument.getLoc()))
    return named.getName().str();
  return "arg" + std::to_string(argument.getArgNumber());
}

KernelParameter parameterOf(mlir::BlockArgument argument) {
  KernelParameter parameter;
  parameter.name = parameterName(argument);
  mlir::Type type = argument.getType();
  llvm::raw_string_ostream(parameter.spelling) << type;
  if (std::optional<DType> known = tt::dtypeOf(type))
    parameter.type = mlir::isa<tt::TensorDescType>(type) ? DType::Ptr : *known;
  if (tt::PtrType pointer = tt::pointerOf(type))
    parameter.pointee = tt::dtypeOf(pointer.getPointeeType()).value_or(DType::I8);
  return parameter;
}

// The kernel argument that a pointer is computed from, if its arithmetic is plain; -1 if not.
int argumentOf(mlir::Value pointer, tt::FuncOp kernel) {
  while (true) {
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(pointer)) {
      mlir::Operation *parent = argument.getOwner()->getParentOp();
      if (parent == kernel && argument.getOwner()->isEntryBlock())
        return static_cast<int>(argument.getArgNumber());
      auto loop = mlir::dyn_cast<mlir::scf::ForOp>(parent);
      if (!loop || argument.getArgNumber() == 0)
        return -1;
      pointer = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    mlir::Operation *op = pointer.getDefiningOp();
    if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op))
      pointer = loop.getInitArgs()[mlir::cast<mlir::OpResult>(pointer).getResultNumber()];
    else if (mlir::isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp,
                       tt::TransOp, tt::BitcastOp, tt::MakeTensorPtrOp, tt::AdvanceOp, tt::MakeTensorDescOp>(
                 op))
      pointer = op->getOperand(0);
    else
      return -1;
  }
}

class TraitFinder {
public:
  TraitFinder(tt::FuncOp kernel, KernelTraits &traits) : kernel(kernel), traits(traits) {}

  void look(mlir::ModuleOp module) {
    // Helpers are counted as well: whether they are reached does not matter for a note of caution.
    module.walk([&](mlir::Operation *op) { lookAt(op); });
    for (const std::string &name : inexact)
      traits.inexactOps += (traits.inexactOps.empty() ? "" : ", ") + name;
    traits.inexact = !inexact.empty();
    traits.loaded.assign(loaded.begin(), loaded.end());
    traits.stored.assign(stored.begin(), stored.end());
  }

private:
  void lookAt(mlir::Operation *op) {
    std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
    if (!id)
      return;
    const OpInfo &row = info(*id);
    if (row.tolerance == Tolerance::Ulp || row.tolerance == Tolerance::Reassoc)
      if (producesFloat(op))
        inexact.insert(std::string(row.mnemonic));
    traits.atomics |= row.cls == OpClass::Atomic;
    if (op->getName().getStringRef() == "tt.elementwise_inline_asm" &&
        llvm::any_of(op->getOperandTypes(),
                     [](mlir::Type type) { return mlir::isa<tt::PtrType>(tt::elementOf(type)); }))
      traits.untraced = true;
    if (auto assembly = op->getAttrOfType<mlir::StringAttr>("asm_string"))
      traits.readsMachine |=
          llvm::any_of(std::array{"%globaltimer", "%clock", "%smid", "%nsmid"},
                       [&](const char *name) { return assembly.getValue().contains(name); });
    if (mlir::isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op))
      note(op->getOperand(0), loaded);
    else if (mlir::isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorScatterOp>(op))
      note(op->getOperand(0), stored);
    else if (row.cls == OpClass::Atomic) {
      note(op->getOperand(0), loaded);
      note(op->getOperand(0), stored);
    }
  }

  // Integer sums and products are exact in any order.
  static bool producesFloat(mlir::Operation *op) {
    return llvm::any_of(op->getResultTypes(),
                        [](mlir::Type type) { return tt::isFloatElement(tt::elementOf(type)); });
  }

  void note(mlir::Value pointer, std::set<unsigned> &where) {
    int argument = argumentOf(pointer, kernel);
    if (argument < 0)
      traits.untraced = true;
    else
      where.insert(static_cast<unsigned>(argument));
  }

  tt::FuncOp kernel;
  KernelTraits &traits;
  std::set<std::string> inexact;
  std::set<unsigned> loaded, stored;
};
} // namespace

bool KernelTraits::repeatable() const {
  return !atomics && !untraced && !readsMachine &&
         std::none_of(stored.begin(), stored.end(), [&](unsigned argument) {
           return std::find(loaded.begin(), loaded.end(), argument) != loaded.end();
         });
}

std::shared_ptr<const Kernel> Kernel::create(std::string_view source, std::string_view name,
                                             KernelOptions options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModule(source, name.empty() ? "<module>" : name, context);
  tt::FuncOp function = findKernel(*module, name);
  auto kernel = std::make_shared<Kernel>();
  kernel->kernelName = function.getSymName().str();
  kernel->settings = std::move(options);
  for (mlir::BlockArgument argument : function.getBody().getArguments())
    kernel->signature.push_back(parameterOf(argument));
  TraitFinder(function, kernel->facts).look(*module);
  kernel->module = tt::printBytecode(*module);
  return kernel;
}

mlir::OwningOpRef<mlir::ModuleOp> Kernel::parse(mlir::MLIRContext &context) const {
  return tt::parseModule(module, kernelName, context);
}

} // namespace trisect::jit
