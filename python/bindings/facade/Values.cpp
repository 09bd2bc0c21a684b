//===- Values.cpp - values, blocks, regions and operations ----------------------------------------------===//
#include "core/ir/ArgumentHints.h"
#include "core/ir/DiagnosticCollector.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "python/bindings/facade/IrState.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect::ir {

namespace {

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

void checkIndex(const char *what, unsigned index, unsigned count) {
  if (index >= count)
    throw InvalidInput(std::string("no ") + what + " " + std::to_string(index) + "; there are " +
                       std::to_string(count));
}

llvm::SmallVector<mlir::Location> unknownLocations(mlir::MLIRContext *context, size_t count) {
  return llvm::SmallVector<mlir::Location>(count, mlir::UnknownLoc::get(context));
}

llvm::SmallVector<mlir::Type> unwrapAll(const ModulePtr &module, std::span<const Type> types) {
  llvm::SmallVector<mlir::Type> all;
  for (const Type &type : types) {
    requireContext(module->context, type, "the type");
    all.push_back(unwrap(type));
  }
  return all;
}

/// Refuses to put an operation or block into itself.
void checkNotInside(mlir::Operation *moved, mlir::Operation *target) {
  if (target && moved->isAncestor(target))
    throw InvalidInput("an operation cannot be moved into itself");
}

void checkMovable(const ModulePtr &module, mlir::Operation *op) {
  if (op == module->module->getOperation() || op == module->parking->getOperation())
    throw InvalidInput("the module itself cannot be moved or erased");
}

mlir::Block *checkBlock(const ModulePtr &module, mlir::Block *block) {
  if (block == module->module->getBody())
    throw InvalidInput("the module's body cannot be moved or erased");
  return block;
}

} // namespace

Context contextOf(const InModule &handle) { return {handle.module->context}; }

Type Value::type() const { return wrap(module->context, unwrap(*this).getType()); }

std::string Value::str() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  unwrap(*this).print(stream);
  return text;
}

Location Value::location() const { return wrapLocation(module->context, unwrap(*this).getLoc()); }
bool Value::hasUses() const { return !unwrap(*this).use_empty(); }

std::optional<Operation> Value::definingOp() const {
  if (mlir::Operation *op = unwrap(*this).getDefiningOp())
    return wrap(module, op);
  return std::nullopt;
}

void Value::replaceAllUsesWith(const Value &other) const {
  requireModule(module, other, "the replacement");
  mlir::Value from = unwrap(*this), to = unwrap(other);
  if (from.getType() != to.getType())
    throw InvalidInput("a value of type " + type().str() + " cannot be replaced by one of type " +
                       other.type().str());
  from.replaceAllUsesWith(to);
}

void Value::setName(std::string_view name) const {
  mlir::Value value = unwrap(*this);
  mlir::Location child = value.getLoc();
  if (auto named = mlir::dyn_cast<mlir::NameLoc>(child))
    child = named.getChildLoc();
  value.setLoc(mlir::NameLoc::get(mlir::StringAttr::get(value.getContext(), ref(name)), child));
}

void Value::setType(const Type &type) const {
  requireContext(module->context, type, "the type");
  unwrap(*this).setType(unwrap(type));
}

void Value::setAttribute(std::string_view name, const Attribute &attribute) const {
  mlir::Value value = unwrap(*this);
  requireContext(module->context, attribute, "the attribute");
  if (mlir::Operation *op = value.getDefiningOp()) {
    op->setAttr(ref(name), unwrap(attribute));
    return;
  }
  if (!tt::setArgumentHint(mlir::cast<mlir::BlockArgument>(value), ref(name), unwrap(attribute)))
    throw InvalidInput("only results and arguments of functions and loops carry attributes");
}

std::vector<Value> Block::arguments() const {
  std::vector<Value> all;
  for (mlir::BlockArgument argument : unwrap(*this)->getArguments())
    all.push_back(wrap(module, argument));
  return all;
}

Value Block::argument(unsigned index) const {
  mlir::Block *block = unwrap(*this);
  checkIndex("block argument", index, block->getNumArguments());
  return wrap(module, block->getArgument(index));
}

unsigned Block::argumentCount() const { return unwrap(*this)->getNumArguments(); }

Value Block::addArgument(const Type &type, const std::optional<Location> &location) const {
  requireContext(module->context, type, "the type");
  mlir::Location where =
      location ? unwrap(*location) : mlir::Location(mlir::UnknownLoc::get(mlirContext(module->context)));
  return wrap(module, unwrap(*this)->addArgument(unwrap(type), where));
}

std::vector<Operation> Block::operations() const {
  std::vector<Operation> all;
  for (mlir::Operation &op : *unwrap(*this))
    all.push_back(wrap(module, &op));
  return all;
}

std::optional<Operation> Block::terminator() const {
  mlir::Block *block = unwrap(*this);
  if (block->empty() || !block->back().mightHaveTrait<mlir::OpTrait::IsTerminator>())
    return std::nullopt;
  return wrap(module, &block->back());
}

std::optional<Region> Block::parent() const {
  mlir::Region *region = unwrap(*this)->getParent();
  if (!region || region == module->parkedBlocks())
    return std::nullopt;
  return wrap(module, region);
}

std::optional<Operation> Block::parentOp() const {
  std::optional<Region> region = parent();
  if (!region)
    return std::nullopt;
  return region->parentOp();
}

void Block::erase() const {
  mlir::Block *block = checkBlock(module, unwrap(*this));
  block->moveBefore(module->parkedBlocks(), module->parkedBlocks()->end());
}

void Block::spliceInto(const Block &other) const {
  requireModule(module, other, "the block");
  mlir::Block *from = checkBlock(module, unwrap(*this)), *to = unwrap(other);
  if (from == to)
    return;
  for (mlir::Operation &op : *from)
    checkNotInside(&op, to->getParentOp());
  to->getOperations().splice(to->end(), from->getOperations());
}

Block Region::addBlock(std::span<const Type> types) const {
  mlir::Region *region = unwrap(*this);
  llvm::SmallVector<mlir::Type> unwrapped = unwrapAll(module, types);
  auto *block = new mlir::Block();
  region->push_back(block);
  block->addArguments(unwrapped, unknownLocations(mlirContext(module->context), unwrapped.size()));
  return wrap(module, block);
}

void Region::append(const Block &block) const {
  requireModule(module, block, "the block");
  mlir::Region *region = unwrap(*this);
  mlir::Block *moved = checkBlock(module, unwrap(block));
  for (mlir::Operation &op : *moved)
    checkNotInside(&op, region->getParentOp());
  moved->moveBefore(region, region->end());
}

void Region::takeBody(const Region &other) const {
  requireModule(module, other, "the region");
  mlir::Region *to = unwrap(*this), *from = unwrap(other);
  if (to == from)
    return;
  checkMovable(module, from->getParentOp());
  if (from->getParentOp()->isProperAncestor(to->getParentOp()))
    throw InvalidInput("a region cannot be moved into itself");
  to->getBlocks().splice(to->end(), from->getBlocks());
}

std::vector<Block> Region::blocks() const {
  std::vector<Block> all;
  for (mlir::Block &block : *unwrap(*this))
    all.push_back(wrap(module, &block));
  return all;
}

Operation Region::parentOp() const { return wrap(module, unwrap(*this)->getParentOp()); }

std::string Operation::name() const { return unwrap(*this)->getName().getStringRef().str(); }

std::string Operation::str() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  unwrap(*this)->print(stream, mlir::OpPrintingFlags().useLocalScope());
  return text;
}

unsigned Operation::operandCount() const { return unwrap(*this)->getNumOperands(); }

Value Operation::operand(unsigned index) const {
  mlir::Operation *op = unwrap(*this);
  checkIndex("operand", index, op->getNumOperands());
  return wrap(module, op->getOperand(index));
}

void Operation::setOperand(unsigned index, const Value &value) const {
  requireModule(module, value, "the operand");
  mlir::Operation *op = unwrap(*this);
  checkIndex("operand", index, op->getNumOperands());
  op->setOperand(index, unwrap(value));
}

unsigned Operation::resultCount() const { return unwrap(*this)->getNumResults(); }

Value Operation::result(unsigned index) const {
  mlir::Operation *op = unwrap(*this);
  checkIndex("result", index, op->getNumResults());
  return wrap(module, op->getResult(index));
}

unsigned Operation::regionCount() const { return unwrap(*this)->getNumRegions(); }

Region Operation::region(unsigned index) const {
  mlir::Operation *op = unwrap(*this);
  checkIndex("region", index, op->getNumRegions());
  return wrap(module, &op->getRegion(index));
}

std::optional<Block> Operation::block() const {
  if (mlir::Block *block = unwrap(*this)->getBlock())
    return wrap(module, block);
  return std::nullopt;
}

std::optional<Operation> Operation::parentOp() const {
  if (mlir::Operation *parent = unwrap(*this)->getParentOp())
    return wrap(module, parent);
  return std::nullopt;
}

std::optional<Attribute> Operation::attribute(std::string_view name) const {
  if (mlir::Attribute found = unwrap(*this)->getAttr(ref(name)))
    return wrap(module->context, found);
  return std::nullopt;
}

std::vector<std::pair<std::string, Attribute>> Operation::attributes() const {
  std::vector<std::pair<std::string, Attribute>> all;
  for (mlir::NamedAttribute entry : unwrap(*this)->getAttrs())
    all.emplace_back(entry.getName().str(), wrap(module->context, entry.getValue()));
  return all;
}

void Operation::setAttribute(std::string_view name, const Attribute &attribute) const {
  requireContext(module->context, attribute, "the attribute");
  unwrap(*this)->setAttr(ref(name), unwrap(attribute));
}

void Operation::removeAttribute(std::string_view name) const { unwrap(*this)->removeAttr(ref(name)); }

Location Operation::location() const { return wrapLocation(module->context, unwrap(*this)->getLoc()); }

void Operation::erase() const {
  mlir::Operation *op = unwrap(*this);
  checkMovable(module, op);
  for (mlir::Value result : op->getResults())
    if (!result.use_empty())
      throw InvalidInput("'" + name() + "' cannot be erased: '" +
                         (*result.user_begin())->getName().getStringRef().str() + "' uses its result");
  op->dropAllReferences();
  op->moveBefore(module->parkedOps(), module->parkedOps()->end());
}

void Operation::moveBefore(const Operation &other) const {
  requireModule(module, other, "the operation");
  mlir::Operation *op = unwrap(*this), *target = unwrap(other);
  checkMovable(module, op);
  checkMovable(module, target);
  checkNotInside(op, target == op ? nullptr : target);
  if (op != target)
    op->moveBefore(target);
}

void Operation::moveToEnd(const Block &block) const {
  requireModule(module, block, "the block");
  mlir::Operation *op = unwrap(*this);
  mlir::Block *target = unwrap(block);
  checkMovable(module, op);
  checkNotInside(op, target->getParentOp());
  op->moveBefore(target, target->end());
}

void Operation::verify() const {
  mlir::Operation *op = unwrap(*this);
  module->checkNothingEscapes();
  tt::DiagnosticCollector diagnostics(*mlirContext(module->context));
  if (mlir::failed(mlir::verify(op)))
    diagnostics.throwInvalidInput("'" + name() + "' is not valid");
}

static mlir::FunctionOpInterface functionOf(const Function &function) {
  return mlir::cast<mlir::FunctionOpInterface>(unwrap(static_cast<const Operation &>(function)));
}

std::string Function::symbol() const { return functionOf(*this).getName().str(); }

Block Function::entry() const {
  mlir::FunctionOpInterface function = functionOf(*this);
  if (function.getFunctionBody().empty())
    throw InvalidInput("function '" + symbol() + "' has no body");
  return wrap(module, &function.getFunctionBody().front());
}

Block Function::addBlock(std::span<const Type> types) const { return region(0).addBlock(types); }

std::vector<Type> Function::argumentTypes() const {
  std::vector<Type> all;
  for (mlir::Type type : functionOf(*this).getArgumentTypes())
    all.push_back(wrap(module->context, type));
  return all;
}

std::vector<Type> Function::resultTypes() const {
  std::vector<Type> all;
  for (mlir::Type type : functionOf(*this).getResultTypes())
    all.push_back(wrap(module->context, type));
  return all;
}

void Function::setResultTypes(std::span<const Type> types) const {
  mlir::FunctionOpInterface function = functionOf(*this);
  llvm::SmallVector<mlir::Type> results = unwrapAll(module, types);
  function.setType(mlir::FunctionType::get(function.getContext(), function.getArgumentTypes(), results));
}

void Function::setArgumentAttribute(unsigned index, std::string_view name, const Attribute &attribute) const {
  mlir::FunctionOpInterface function = functionOf(*this);
  requireContext(module->context, attribute, "the attribute");
  checkIndex("argument", index, function.getNumArguments());
  function.setArgAttr(index, ref(name), unwrap(attribute));
}

} // namespace trisect::ir
