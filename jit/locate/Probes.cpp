//===- Probes.cpp - which values can be watched ---------------------------------------------------------===//
#include "jit/locate/Probes.h"
#include "core/ir/Locations.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/TypeUtils.h"
#include "core/support/ForkGate.h"
#include "core/support/OpTable.h"
#include "jit/locate/RecordWriter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::jit {

using namespace mlir;

namespace {
constexpr int64_t mostElements = 1 << 16;

tt::FuncOp kernelOf(ModuleOp module, const std::string &name) {
  return module.lookupSymbol<tt::FuncOp>(name);
}

/// In code that runs as the kernel itself does, not lane by lane.
bool isInKernel(Operation *op, tt::FuncOp function) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (parent == function)
      return true;
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(parent))
      return false;
  }
  return false;
}

bool writesMemory(Operation *op) {
  return isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorStoreOp>(op) ||
         op->getName().getStringRef().contains("descriptor_scatter") ||
         op->getName().getStringRef().contains("descriptor_reduce");
}

bool touchesMemory(Operation *op) { return writesMemory(op) || isa<tt::LoadOp, tt::DescriptorLoadOp>(op); }

bool isCut(Operation *op) {
  if (isa<tt::LoadOp, tt::DescriptorLoadOp, tt::GetProgramIdOp, tt::DotOp, tt::ReduceOp, tt::ScanOp,
          scf::ForOp, scf::WhileOp, scf::IfOp>(op))
    return true;
  return llvm::any_of(op->getResults(), [](Value result) {
    return llvm::any_of(result.getUsers(), [](Operation *user) {
      return touchesMemory(user) ||
             isa<tt::DotOp, tt::ReduceOp, tt::ScanOp, scf::ForOp, scf::WhileOp, scf::IfOp>(user) ||
             user->hasTrait<OpTrait::IsTerminator>();
    });
  });
}

std::string lineOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope().skipRegions());
  return text.substr(0, text.find('\n'));
}

std::optional<DType> streamType(Type type) {
  if (!tt::isElement(tt::elementOf(type)) || (isa<ShapedType>(type) && !isa<RankedTensorType>(type)))
    return std::nullopt;
  std::optional<DType> element = tt::dtypeOf(tt::elementOf(type));
  if (!element || *element == DType::I4 || tt::isBlockPointer(type) || tt::numElementsOf(type) > mostElements)
    return std::nullopt;
  return *element == DType::Ptr ? DType::I64 : *element == DType::I1 ? DType::I8 : *element;
}
} // namespace

int64_t WatchedValue::recordBytes() const {
  constexpr int64_t to = StreamFormat::alignment;
  int64_t payload = elements * static_cast<int64_t>(byteSize(type));
  return StreamFormat::recordHeader + (payload + to - 1) / to * to;
}

struct Probes::Module {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  /// What each watched value is in a copy: the operation's number, and which of its results or arguments.
  std::vector<std::pair<unsigned, unsigned>> places;
};

Probes::Probes(const Kernel &kernel) : kernel(kernel), source(std::make_unique<Module>()) {
  ForkSection whole;
  tt::loadDialects(source->context);
  source->module = kernel.parse(source->context);
  collect();
}
Probes::~Probes() {
  ForkSection whole;
  source.reset();
}

void Probes::collect() {
  tt::FuncOp function = kernelOf(*source->module, kernel.name());
  llvm::DenseMap<Value, unsigned> numbers;
  unsigned next = 0;
  auto add = [&](Operation *op, unsigned number, Value value, unsigned index, bool ofBody) {
    std::optional<DType> type = streamType(value.getType());
    if (!type || (tt::isPtrLike(value.getType()) && !kernel.traits().addressesShow && !rootArgument(value)))
      return;
    WatchedValue watched;
    watched.op = number;
    watched.ofBody = ofBody;
    watched.cut = ofBody || isCut(op);
    watched.name = op->getName().getStringRef().str();
    watched.text = lineOf(op);
    watched.position = tt::positionOf(op->getLoc());
    watched.type = *type;
    watched.shape = tt::shapeOf(value.getType()).vec();
    watched.elements = tt::numElementsOf(value.getType());
    if (!ofBody)
      for (Value operand : op->getOperands())
        if (auto known = numbers.find(operand); known != numbers.end())
          watched.operands.push_back(known->second);
    numbers[value] = static_cast<unsigned>(found.size());
    found.push_back(std::move(watched));
    source->places.emplace_back(number, index);
  };
  source->module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned number = next++;
    if (!isInKernel(op, function))
      return;
    if (touchesMemory(op)) {
      std::optional<unsigned> root = rootArgument(op->getOperand(0));
      auto address = numbers.find(op->getOperand(0));
      accesses.push_back({number, writesMemory(op), op->getName().getStringRef().str(), lineOf(op),
                          tt::positionOf(op->getLoc()), root ? static_cast<int>(*root) : -1,
                          address == numbers.end() ? -1 : static_cast<int>(address->second)});
    }
    if (isa<scf::ForOp, scf::WhileOp>(op))
      for (BlockArgument argument : op->getRegion(op->getNumRegions() - 1).front().getArguments())
        add(op, number, argument, argument.getArgNumber(), /*ofBody=*/true);
    if (!op->hasTrait<OpTrait::ConstantLike>())
      for (OpResult result : op->getResults())
        add(op, number, result, result.getResultNumber(), /*ofBody=*/false);
  });
}

std::shared_ptr<const Kernel> Probes::watching(const std::set<unsigned> &values) const {
  ForkSection whole;
  OwningOpRef<ModuleOp> copy(source->module->clone());
  std::vector<Operation *> ops;
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  tt::FuncOp function = kernelOf(*copy, kernel.name());
  RecordWriter writer(function);
  // From the last one on: what is inserted for one value comes before what follows it in the text.
  for (auto number = values.rbegin(); number != values.rend(); ++number) {
    auto [op, index] = source->places[*number];
    const WatchedValue &value = found[*number];
    writer.watch(ops[op], value.ofBody, index, *number, value);
  }
  return Kernel::create(tt::printBytecode(*copy), kernel.name(), kernel.options());
}

} // namespace trisect::jit
