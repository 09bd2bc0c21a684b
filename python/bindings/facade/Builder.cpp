//===- Builder.cpp - making modules ---------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "python/bindings/facade/IrState.h"
#include "llvm/ADT/StringMap.h"

namespace trisect::ir {

/// Far above any kernel that compiles in bearable time.
constexpr size_t mostOperations = 1'000'000;

struct BuilderState {
  ContextPtr context;
  Location location;
  ModulePtr module;
  mlir::Block *block = nullptr;
  mlir::Operation *before = nullptr; ///< null: at the end of the block
  uint64_t epoch = 0;
  /// Names that were looked up once.
  llvm::StringMap<mlir::OperationName> names;

  mlir::OperationName nameOf(std::string_view name) {
    llvm::StringRef key(name.data(), name.size());
    if (auto known = names.find(key); known != names.end())
      return known->second;
    auto registered = mlir::RegisteredOperationName::lookup(key, mlirContext(context));
    // The dialects that few kernels need (llvm, gpu, ttg) are loaded when an operation of theirs is made.
    if (!registered && mlirContext(context)->getOrLoadDialect(key.split('.').first))
      registered = mlir::RegisteredOperationName::lookup(key, mlirContext(context));
    if (!registered)
      throw InvalidInput("no operation is called '" + std::string(name) + "'");
    return names.try_emplace(key, *registered).first->second;
  }

  void checkPoint() {
    if (!module)
      throw InvalidInput("the builder has no insertion point; set one first");
    if (epoch != module->epoch)
      throw InvalidInput("stale insertion point: passes have run on the module since it was set");
    if (before && before->getBlock() != block)
      throw InvalidInput("the operation of the insertion point was moved or erased; set a new one");
  }

  mlir::Operation *insert(const mlir::OperationState &state) {
    if (++module->operations > mostOperations)
      throw InvalidInput("the kernel has more than " + std::to_string(mostOperations) +
                         " operations; static_range and inlined loops repeat their body at compile time: use "
                         "range, which loops when the kernel runs");
    mlir::Operation *op = mlir::Operation::create(state);
    if (before)
      block->getOperations().insert(before->getIterator(), op);
    else
      block->push_back(op);
    return op;
  }

  void moveTo(const ModulePtr &target, mlir::Block *inBlock, mlir::Operation *beforeOp) {
    module = target;
    block = inBlock;
    before = beforeOp;
    epoch = target->epoch;
  }
};

Builder::Builder(const Context &context) : state(std::make_shared<BuilderState>()) {
  state->context = context.state;
  state->location = context.unknownLocation();
}

Context Builder::context() const { return {state->context}; }

Module Builder::createModule() {
  mlirContext(state->context);
  auto module =
      std::make_shared<ModuleState>(state->context, mlir::ModuleOp::create(unwrap(state->location)));
  // The parking module's first block holds erased operations, so unplaced blocks never become it.
  state->moveTo(module, module->module->getBody(), nullptr);
  return {module};
}

Function Builder::createFunction(const Module &module, std::string_view name,
                                 std::span<const Argument> arguments, std::span<const Type> results,
                                 std::string_view visibility, std::span<const NamedAttribute> attributes) {
  mlir::MLIRContext *context = mlirContext(state->context);
  if (module.state->context != state->context)
    throw InvalidInput("the module belongs to another context");
  if (name.empty())
    throw InvalidInput("a function needs a name");
  if (visibility != "public" && visibility != "private")
    throw InvalidInput("visibility is 'public' or 'private', not '" + std::string(visibility) + "'");
  if (module.function(name))
    throw InvalidInput("the module has a function '" + std::string(name) + "' already");

  llvm::SmallVector<mlir::Type> argumentTypes, resultTypes;
  llvm::SmallVector<mlir::Location> locations;
  llvm::SmallVector<mlir::Attribute> argumentAttributes;
  bool anyAttributes = false;
  for (const Argument &argument : arguments) {
    requireContext(state->context, argument.type, "the argument type");
    argumentTypes.push_back(unwrap(argument.type));
    Location where = state->location;
    if (!argument.name.empty())
      where = Context{state->context}.nameLocation(argument.name, where);
    locations.push_back(unwrap(where));
    argumentAttributes.push_back(unwrap(Context{state->context}.dictAttribute(argument.attributes)));
    anyAttributes |= !argument.attributes.empty();
  }
  for (const Type &type : results) {
    requireContext(state->context, type, "the result type");
    resultTypes.push_back(unwrap(type));
  }

  mlir::OperationState function(unwrap(state->location), state->nameOf("tt.func"));
  function.addAttribute("sym_name",
                        mlir::StringAttr::get(context, llvm::StringRef(name.data(), name.size())));
  function.addAttribute("function_type",
                        mlir::TypeAttr::get(mlir::FunctionType::get(context, argumentTypes, resultTypes)));
  function.addAttribute("sym_visibility", mlir::StringAttr::get(context, llvm::StringRef(visibility.data(),
                                                                                         visibility.size())));
  if (anyAttributes)
    function.addAttribute("arg_attrs", mlir::ArrayAttr::get(context, argumentAttributes));
  for (const auto &[key, attribute] : attributes) {
    requireContext(state->context, attribute, "the attribute");
    function.addAttribute(llvm::StringRef(key.data(), key.size()), unwrap(attribute));
  }
  mlir::Region *body = function.addRegion();
  auto *entry = new mlir::Block();
  body->push_back(entry);
  entry->addArguments(argumentTypes, locations);
  mlir::Operation *op = mlir::Operation::create(function);
  (*module.state->module).getBody()->push_back(op);
  return wrapFunction(module.state, op);
}

Block Builder::createBlock(std::span<const Type> types) {
  state->checkPoint();
  return wrap(state->module, state->module->parkedBlocks()).addBlock(types);
}

Location Builder::location() const { return state->location; }

void Builder::setLocation(const Location &location) {
  requireContext(state->context, location, "the location");
  state->location = location;
}

InsertionPoint Builder::insertionPoint() const {
  if (!state->module)
    return {};
  InsertionPoint point{Block{{state->module, state->block, state->epoch}}, std::nullopt};
  if (state->before)
    point.before = Operation{{state->module, state->before, state->epoch}};
  return point;
}

void Builder::setInsertionPoint(const InsertionPoint &point) {
  if (!point.block) {
    state->module = nullptr;
    return;
  }
  requireContext(state->context, {point.block->module->context, nullptr}, "the insertion point");
  mlir::Block *block = unwrap(*point.block);
  mlir::Operation *before = point.before ? unwrap(*point.before) : nullptr;
  if (before && before->getBlock() != block)
    throw InvalidInput("the operation of the insertion point was moved or erased");
  state->moveTo(point.block->module, block, before);
}

void Builder::setInsertionPointToStart(const Block &block) {
  mlir::Block *target = unwrap(block);
  setInsertionPoint(
      {block, target->empty() ? std::nullopt : std::optional(wrap(block.module, &target->front()))});
}

void Builder::setInsertionPointToEnd(const Block &block) { setInsertionPoint({block, std::nullopt}); }

void Builder::setInsertionPointBefore(const Operation &operation) {
  std::optional<Block> block = operation.block();
  if (!block)
    throw InvalidInput("nothing can stand before the module itself");
  setInsertionPoint({block, operation});
}

void Builder::setInsertionPointAfter(const Operation &operation) {
  mlir::Operation *next = unwrap(operation)->getBlock() ? unwrap(operation)->getNextNode() : nullptr;
  std::optional<Block> block = operation.block();
  if (!block)
    throw InvalidInput("nothing can stand after the module itself");
  setInsertionPoint({block, next ? std::optional(wrap(operation.module, next)) : std::nullopt});
}

Operation Builder::op(std::string_view name, std::span<const Value *const> operands,
                      std::span<const Type *const> results, std::span<const NamedAttribute> attributes,
                      unsigned regions, std::span<const Block *const> successors) {
  BuilderState &self = *state;
  mlirContext(self.context);
  self.checkPoint();
  mlir::OperationState op(unwrap(self.location), self.nameOf(name));
  for (const Value *operand : operands) {
    requireModule(self.module, *operand, "an operand");
    op.operands.push_back(unwrap(*operand));
  }
  for (const Type *type : results) {
    requireContext(self.context, *type, "a result type");
    op.types.push_back(unwrap(*type));
  }
  for (const auto &[key, attribute] : attributes) {
    requireContext(self.context, attribute, "an attribute");
    op.addAttribute(llvm::StringRef(key.data(), key.size()), unwrap(attribute));
  }
  for (const Block *block : successors) {
    requireModule(self.module, *block, "a successor");
    op.addSuccessors(unwrap(*block));
  }
  for (unsigned index = 0; index < regions; ++index)
    op.addRegion();
  return wrap(self.module, self.insert(op));
}

static Value constantOf(BuilderState &self, mlir::Type type, mlir::TypedAttr scalar) {
  mlir::TypedAttr value = scalar;
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (tensor && !tensor.hasStaticShape())
    throw InvalidInput("a constant needs a static shape");
  if (tensor)
    value = mlir::DenseElementsAttr::get(tensor, mlir::Attribute(scalar));
  mlir::OperationState op(unwrap(self.location), self.nameOf("arith.constant"));
  op.addAttribute("value", value);
  op.addTypes(type);
  return wrap(self.module, self.insert(op)->getResult(0));
}

Value Builder::constantInt(const Type &type, uint64_t bits) {
  state->checkPoint();
  requireContext(state->context, type, "the type");
  mlir::Type element = mlir::getElementTypeOrSelf(unwrap(type));
  if (!element.isIntOrIndex())
    throw InvalidInput("an integer constant cannot have type " + type.str());
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  llvm::APInt value(width, bits, /*isSigned=*/width > 64);
  return constantOf(*state, unwrap(type), mlir::IntegerAttr::get(element, value));
}

Value Builder::constantFloat(const Type &type, double value) {
  state->checkPoint();
  requireContext(state->context, type, "the type");
  auto element = mlir::dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(unwrap(type)));
  if (!element)
    throw InvalidInput("a float constant cannot have type " + type.str());
  return constantOf(*state, unwrap(type), mlir::FloatAttr::get(element, value));
}

} // namespace trisect::ir
