//===- IrState.cpp - contexts, modules and the checks of handles ----------------------------------------===//
#include "python/bindings/facade/IrState.h"
#include "llvm/ADT/Twine.h"

namespace trisect::ir {

ModuleState::ModuleState(ContextPtr owner, mlir::ModuleOp op) : context(std::move(owner)), module(op) {
  parking = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context->mlir));
}

ModuleState::~ModuleState() {
  // Parked and placed operations may use one another's values.
  module->getOperation()->dropAllReferences();
  parking->getOperation()->dropAllReferences();
}

void ModuleState::checkNothingEscapes() {
  mlir::Operation *parkingOp = parking->getOperation();
  auto check = [&](mlir::Value value) {
    for (mlir::Operation *user : value.getUsers()) {
      if (parkingOp->isProperAncestor(user))
        continue;
      throw InvalidInput(("'" + user->getName().getStringRef() +
                          "' uses a value of an operation or block that was erased or never placed")
                             .str(),
                         filePosition(user->getLoc()));
    }
  };
  for (mlir::Block &block : *parkedBlocks()) {
    for (mlir::BlockArgument argument : block.getArguments())
      check(argument);
    std::vector<mlir::Operation *> nested;
    block.walk([&](mlir::Operation *op) { nested.push_back(op); });
    for (mlir::Operation *op : nested) {
      for (mlir::Value result : op->getResults())
        check(result);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &inner : region)
          for (mlir::BlockArgument argument : inner.getArguments())
            check(argument);
    }
  }
}

BusyScope::BusyScope(ContextState &state) : context(state) {
  if (context.busy.exchange(true))
    throw InvalidInput("this context is in use by another thread; give each thread a context of its own");
}

static void checkFree(const ContextState &context) {
  if (context.busy.load(std::memory_order_relaxed))
    throw InvalidInput("this context is in use by another thread; give each thread a context of its own");
}

mlir::MLIRContext *mlirContext(const ContextPtr &context) {
  if (!context)
    throw InvalidInput("empty handle: no context");
  checkFree(*context);
  return &context->mlir;
}

static void checkUniqued(const Uniqued &handle) {
  if (!handle.impl)
    throw InvalidInput("empty handle");
  checkFree(*handle.context);
}

static void checkLive(const InModule &handle) {
  if (!handle.impl)
    throw InvalidInput("empty handle");
  checkFree(*handle.module->context);
  if (handle.epoch != handle.module->epoch)
    throw InvalidInput("stale handle: passes have run on the module since it was made; look it up again");
}

mlir::Type unwrap(const Type &type) {
  checkUniqued(type);
  return mlir::Type::getFromOpaquePointer(type.impl);
}

mlir::Attribute unwrap(const Attribute &attribute) {
  checkUniqued(attribute);
  return mlir::Attribute::getFromOpaquePointer(attribute.impl);
}

mlir::Location unwrap(const Location &location) {
  checkUniqued(location);
  return mlir::Location::getFromOpaquePointer(location.impl);
}

mlir::Value unwrap(const Value &value) {
  checkLive(value);
  return mlir::Value::getFromOpaquePointer(value.impl);
}

mlir::Block *unwrap(const Block &block) {
  checkLive(block);
  return static_cast<mlir::Block *>(block.impl);
}

mlir::Region *unwrap(const Region &region) {
  checkLive(region);
  return static_cast<mlir::Region *>(region.impl);
}

mlir::Operation *unwrap(const Operation &operation) {
  checkLive(operation);
  return static_cast<mlir::Operation *>(operation.impl);
}

void requireContext(const ContextPtr &expected, const Uniqued &found, const char *what) {
  if (found.context != expected)
    throw InvalidInput(std::string(what) + " belongs to another context");
}

void requireModule(const ModulePtr &expected, const InModule &found, const char *what) {
  if (found.module != expected)
    throw InvalidInput(std::string(what) + " belongs to another module");
}

SourcePosition filePosition(mlir::Location location) {
  if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(location))
    return {file.getFilename().str(), int(file.getLine()), int(file.getColumn())};
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(location))
    return filePosition(name.getChildLoc());
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location))
    return filePosition(call.getCallee());
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location))
    for (mlir::Location part : fused.getLocations())
      if (SourcePosition position = filePosition(part); position.known())
        return position;
  return {};
}

} // namespace trisect::ir
