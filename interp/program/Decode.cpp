//===- Decode.cpp - slots, locations and the walk over a kernel -----------------------------------------===//
#include "interp/program/Decode.h"
#include "core/ir/KernelLimits.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/RequireDefined.h"
#include "interp/program/Decoder.h"
#include "interp/program/Optimize.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include <limits>

namespace trisect::interp {

namespace {
/// Expanding calls must end: recursion is refused, and so is code without measure.
constexpr size_t maxInstructions = 2'000'000;
} // namespace

Decoder::Decoder(mlir::ModuleOp module, Program &program, bool statements)
    : module(module), program(program), wantsStatements(statements) {
  program.shapes.push_back({});
  shapeIds[{}] = 0;
  program.strings.push_back("");
  program.locations.push_back({});
  program.extras.push_back({});
}

uint32_t Decoder::shapeId(llvm::ArrayRef<int64_t> dims) {
  auto [at, fresh] = shapeIds.try_emplace(dims.vec(), program.shapes.size());
  if (fresh) {
    Shape shape;
    shape.dims = dims.vec();
    for (int64_t d : dims)
      shape.elements *= d;
    program.shapes.push_back(std::move(shape));
  }
  return at->second;
}

SlotId Decoder::newSlot(DType type, llvm::ArrayRef<int64_t> dims) {
  SlotInfo info;
  info.type = type;
  info.shape = shapeId(dims);
  program.slots.push_back(info);
  return static_cast<SlotId>(program.slots.size() - 1);
}

SlotId Decoder::constantSlot(DType type, uint64_t bits) {
  auto [at, fresh] = constants.try_emplace({static_cast<uint8_t>(type), bits}, 0);
  if (fresh) {
    at->second = newSlot(type);
    program.slots[at->second].constant = true;
    Constant constant;
    constant.slot = at->second;
    constant.bits = bits;
    program.constants.push_back(constant);
  }
  return at->second;
}

DType Decoder::dtype(mlir::Type type, mlir::Operation *context) {
  if (type.isIndex())
    return DType::I64;
  if (auto known = tt::dtypeOf(type))
    return *known;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  unsupported(context, "type " + text);
}

Slots Decoder::newSlots(mlir::Type type, mlir::Operation *context) {
  Slots made;
  if (auto descriptor = llvm::dyn_cast<tt::TensorDescType>(type)) {
    size_t rank = descriptor.getShape().size();
    made.push_back(newSlot(DType::Ptr));
    for (size_t d = 0; d < rank; ++d)
      made.push_back(newSlot(DType::I32));
    for (size_t d = 0; d < rank; ++d)
      made.push_back(newSlot(DType::I64));
    made.push_back(newSlot(DType::I32));
    return made;
  }
  if (auto pointer = llvm::dyn_cast<tt::PtrType>(type); pointer && pointer.pointsToTensor()) {
    size_t rank = llvm::cast<mlir::RankedTensorType>(pointer.getPointeeType()).getRank();
    made.push_back(newSlot(DType::Ptr));
    for (size_t d = 0; d < 2 * rank; ++d)
      made.push_back(newSlot(DType::I64));
    for (size_t d = 0; d < rank; ++d)
      made.push_back(newSlot(DType::I32));
    return made;
  }
  mlir::Type element = type;
  llvm::ArrayRef<int64_t> dims;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
    element = tensor.getElementType();
    dims = tensor.getShape();
  }
  made.push_back(newSlot(dtype(element, context), dims));
  return made;
}

const Slots &Decoder::slots(mlir::Value value) {
  auto found = values->find(value);
  if (found == values->end())
    throw EngineError("decode: a value is used before it is decoded",
                      program.locations[currentLocation].position);
  return found->second;
}

void Decoder::bind(mlir::Value value, Slots to) { (*values)[value] = std::move(to); }

const Slots &Decoder::define(mlir::Value value) {
  Slots made = newSlots(value.getType(), value.getDefiningOp());
  bind(value, std::move(made));
  name(value, value.getLoc());
  return slots(value);
}

void Decoder::name(mlir::Value value, mlir::Location loc) {
  while (auto site = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    loc = site.getCallee();
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc))
    program.slots[slot(value)].name = string(named.getName().getValue());
}

uint32_t Decoder::string(llvm::StringRef text) {
  auto [at, fresh] = stringIds.try_emplace(text.str(), program.strings.size());
  if (fresh)
    program.strings.push_back(text.str());
  return at->second;
}

uint32_t Decoder::location(mlir::Location loc, uint32_t caller) {
  auto key = std::make_pair(loc.getAsOpaquePointer(), caller);
  if (auto found = locationIds.find(key); found != locationIds.end())
    return found->second;
  uint32_t id = 0;
  if (auto site = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    id = location(site.getCallee(), location(site.getCaller(), caller));
  } else if (auto named = llvm::dyn_cast<mlir::NameLoc>(loc)) {
    id = location(named.getChildLoc(), caller);
  } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc)) {
    for (mlir::Location part : fused.getLocations())
      if ((id = location(part, caller)) && program.locations[id].position.known())
        break;
  } else {
    Location made;
    made.caller = caller;
    if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(loc)) {
      made.position.file = place.getFilename().str();
      made.position.line = static_cast<int>(place.getLine());
      made.position.column = static_cast<int>(place.getColumn());
    }
    id = static_cast<uint32_t>(program.locations.size());
    program.locations.push_back(made);
  }
  locationIds[key] = id;
  return id;
}

void Decoder::unsupported(mlir::Operation *op, const std::string &what) {
  SourcePosition position = program.locations[currentLocation].position;
  if (op)
    position = program.locations[location(op->getLoc(), currentCaller)].position;
  std::string text = "unsupported by the interpreter: " + what;
  if (position.known())
    text += " at " + position.str();
  throw Unsupported(text, position);
}

void Decoder::invalid(mlir::Operation *op, const std::string &what) {
  SourcePosition position = program.locations[location(op->getLoc(), currentCaller)].position;
  throw InvalidInput(what + (position.known() ? " at " + position.str() : ""), position);
}

int64_t Decoder::intAttr(mlir::Operation *op, llvm::StringRef attribute, int64_t fallback) {
  mlir::Attribute found = op->getAttr(attribute);
  if (auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(found))
    return number.getType().isInteger(1) ? !number.getValue().isZero() : number.getValue().getSExtValue();
  if (llvm::isa_and_nonnull<mlir::UnitAttr>(found))
    return 1;
  return fallback;
}

uint32_t Decoder::emit(Opcode opcode, llvm::ArrayRef<SlotId> operands, llvm::ArrayRef<SlotId> results) {
  if (program.code.size() > maxInstructions)
    unsupported(nullptr, "a kernel of more than " + std::to_string(maxInstructions) +
                             " instructions after its calls are expanded (call helpers in a loop, or compute "
                             "a value once and reuse it)");
  constexpr size_t mostSlots = std::numeric_limits<uint16_t>::max();
  if (operands.size() > mostSlots || results.size() > mostSlots)
    unsupported(nullptr, "an operation with more than " + std::to_string(mostSlots) + " operands or results");
  if (!carriesOut(opcode, factsOf(currentOp).taints))
    throw EngineError("decode: core/ops.def says otherwise what becomes of taints in " +
                          std::string(info(currentOp).mnemonic),
                      program.locations[currentLocation].position);
  Instr instr;
  instr.opcode = opcode;
  instr.op = currentOp;
  instr.location = currentLocation;
  instr.uses = static_cast<uint32_t>(program.uses.size());
  instr.numOperands = static_cast<uint16_t>(operands.size());
  instr.numResults = static_cast<uint16_t>(results.size());
  program.uses.insert(program.uses.end(), operands.begin(), operands.end());
  program.uses.insert(program.uses.end(), results.begin(), results.end());
  program.code.push_back(instr);
  return here() - 1;
}

Extra &Decoder::newExtra(Instr &instr) {
  instr.extra = static_cast<uint32_t>(program.extras.size());
  return program.extras.emplace_back();
}

void Decoder::emitMove(llvm::ArrayRef<SlotId> from, llvm::ArrayRef<SlotId> to, uint8_t flags) {
  llvm::SmallVector<SlotId> sources, targets;
  for (auto [source, target] : llvm::zip(from, to))
    if (source != target) {
      sources.push_back(source);
      targets.push_back(target);
    }
  if (sources.empty())
    return;
  llvm::SmallDenseSet<SlotId, 16> overwritten;
  for (size_t n = 0; n < targets.size(); ++n) {
    if (overwritten.contains(sources[n]))
      flags |= FlagParallel;
    overwritten.insert(targets[n]);
  }
  emit(Opcode::Move, sources, targets);
  last().flags |= flags;
}

unsigned Decoder::newLabel() {
  labels.emplace_back();
  return static_cast<unsigned>(labels.size() - 1);
}

void Decoder::emitJump(unsigned label) { jumpsTo(emit(Opcode::Jump, {}, {}), label); }

void Decoder::parameters(mlir::FunctionOpInterface kernel) {
  for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
    Parameter parameter;
    const Slots &made = define(argument);
    parameter.slot = made.front();
    for (SlotId slot : made)
      program.slots[slot].constant = true;
    parameter.type = program.slots[made.front()].type;
    if (auto descriptor = llvm::dyn_cast<tt::TensorDescType>(argument.getType())) {
      parameter.descriptor = true;
      parameter.descriptorRank = static_cast<int>(descriptor.getShape().size());
      parameter.pointee = dtype(descriptor.getSignlessBlockType().getElementType(), kernel);
    } else if (auto pointer = llvm::dyn_cast<tt::PtrType>(argument.getType())) {
      if (auto pointee = tt::dtypeOf(pointer.getPointeeType()))
        parameter.pointee = *pointee;
    }
    uint32_t named = program.slots[parameter.slot].name;
    parameter.name = named ? program.strings[named] : "arg" + std::to_string(index);
    if (auto hint = kernel.getArgAttrOfType<mlir::IntegerAttr>(index, "tt.divisibility"))
      parameter.divisibility = hint.getValue().getZExtValue();
    program.parameters.push_back(std::move(parameter));
  }
}

void Decoder::block(mlir::Block &block) {
  for (mlir::Operation &op : block)
    operation(&op);
}

/// All blocks of a function body, in order.
void Decoder::body(mlir::Region &region, llvm::ArrayRef<SlotId> results, unsigned end) {
  auto outerLabels = std::move(blockLabels);
  auto outerSlots = std::move(returnSlots);
  unsigned outerReturn = returnLabel;
  blockLabels.clear();
  returnSlots.assign(results.begin(), results.end());
  returnLabel = end;
  for (mlir::Block &block : region) {
    blockLabels[&block] = newLabel();
    if (!block.isEntryBlock())
      for (mlir::BlockArgument argument : block.getArguments())
        define(argument);
  }
  for (mlir::Block &each : region) {
    place(blockLabels[&each]);
    if (each.isEntryBlock())
      hints(each.getArguments());
    block(each);
  }
  blockLabels = std::move(outerLabels);
  returnSlots = std::move(outerSlots);
  returnLabel = outerReturn;
}

void Decoder::operation(mlir::Operation *op) {
  auto id = opFromMnemonic(std::string_view(op->getName().getStringRef()));
  uint32_t outerLocation = currentLocation;
  currentLocation = location(op->getLoc(), currentCaller);
  if (!id)
    unsupported(op, "operation " + op->getName().getStringRef().str());
  if (factsOf(*id).tiers == Tiers::Foreign)
    unsupported(op, "operation " + op->getName().getStringRef().str() + ": " + std::string(refusalOf(*id)));
  currentOp = *id;
  switch (info(*id).cls) {
  case OpClass::Elementwise:
    elementwise(op, *id);
    break;
  case OpClass::Shape:
  case OpClass::Create:
  case OpClass::Dot:
    shape(op, *id);
    break;
  case OpClass::Memory:
    memory(op, *id);
    break;
  case OpClass::Atomic:
    atomic(op, *id);
    break;
  case OpClass::Reduce:
  case OpClass::Control:
    control(op, *id);
    break;
  case OpClass::Debug:
  case OpClass::Hint:
    debug(op, *id);
    break;
  }
  hints(op);
  currentLocation = outerLocation;
}

void Decoder::run(mlir::FunctionOpInterface kernel) {
  llvm::DenseMap<mlir::Value, Slots> own;
  values = &own;
  program.kernel = mlir::SymbolTable::getSymbolName(kernel).str();
  currentLocation = location(kernel.getLoc(), 0);
  tt::checkKernelLimits(module, kernel);
  parameters(kernel);
  callStack.push_back(kernel);
  unsigned end = newLabel();
  body(kernel.getFunctionBody(), {}, end);
  place(end);
  emit(Opcode::Return, {}, {});
  for (auto [instr, label] : patches)
    program.code[instr].target = labels[label].target;
}

static mlir::FunctionOpInterface findKernel(mlir::ModuleOp module, std::string_view kernel) {
  mlir::FunctionOpInterface found;
  for (auto function : module.getOps<mlir::FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    llvm::StringRef symbol = mlir::SymbolTable::getSymbolName(function);
    if (kernel.empty() ? function.isPublic() : symbol == llvm::StringRef(kernel.data(), kernel.size())) {
      if (found)
        throw InvalidInput("the module has several public functions; name the kernel to run");
      found = function;
    }
  }
  if (!found)
    throw InvalidInput(kernel.empty() ? "the module has no public function to run"
                                      : "the module has no function '" + std::string(kernel) + "'");
  return found;
}

static std::shared_ptr<Program> decoded(mlir::ModuleOp module, std::string_view kernel, bool statements) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = tt::withRequirements(module);
  if (copy)
    module = *copy;
  auto program = std::make_shared<Program>();
  Decoder(module, *program, statements).run(findKernel(module, kernel));
  return program;
}

std::shared_ptr<const Program> decode(mlir::ModuleOp module, std::string_view kernel) {
  std::shared_ptr<Program> program = decoded(module, kernel, false);
  optimize(*program);
  return program;
}

std::shared_ptr<const Program> decodeForDebugger(mlir::ModuleOp module, std::string_view kernel) {
  std::shared_ptr<Program> program = decoded(module, kernel, true);
  describeRegions(*program);
  describeStatements(*program);
  return program;
}

} // namespace trisect::interp
