//===- Kernel.cpp - reading a kernel's signature --------------------------------------------------------===//
#include "jit/kernel/Kernel.h"
#include "core/ir/GuardedContext.h"
#include "core/ir/KernelLimits.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/TypeUtils.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"

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
  parameter.descriptor = mlir::isa<tt::TensorDescType>(type);
  if (std::optional<DType> known = tt::dtypeOf(type))
    parameter.type = parameter.descriptor ? DType::Ptr : *known;
  if (tt::PtrType pointer = tt::pointerOf(type))
    parameter.pointee = tt::dtypeOf(pointer.getPointeeType()).value_or(DType::I8);
  return parameter;
}
} // namespace

std::shared_ptr<const Kernel> Kernel::create(std::string_view source, std::string_view name,
                                             KernelOptions options) {
  ForkSection whole;
  tt::GuardedContext context;
  auto module = tt::parseModule(source, name.empty() ? "<module>" : name, context);
  tt::FuncOp function = findKernel(*module, name);
  tt::checkKernelLimits(*module, function);
  auto kernel = std::make_shared<Kernel>();
  kernel->own.name = function.getSymName().str();
  kernel->settings = std::move(options);
  for (mlir::BlockArgument argument : function.getBody().getArguments())
    kernel->own.parameters.push_back(parameterOf(argument));
  kernel->own.traits = traitsOf(*module);
  kernel->module = tt::printBytecode(*module);
  return kernel;
}

std::shared_ptr<const Kernel> Kernel::known(KernelFacts facts, std::string source, KernelOptions options) {
  auto kernel = std::make_shared<Kernel>();
  kernel->own = std::move(facts);
  kernel->settings = std::move(options);
  kernel->module = std::move(source);
  return kernel;
}

std::string Kernel::text() const {
  ForkSection whole;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  return tt::printModule(*parse(context));
}

mlir::OwningOpRef<mlir::ModuleOp> Kernel::parse(mlir::MLIRContext &context) const {
  return tt::parseModule(module, name(), context);
}

} // namespace trisect::jit
