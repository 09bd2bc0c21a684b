//===- RegionFunction.cpp - the region of a reduce, scan or map as a function on scalars ----------------===//
#include "backends/cpu/emit/RegionFunction.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Types.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace trisect::cpu {

// What every function takes besides: the program's place in the grid and the scratch memory, which comes
// last.
SmallVector<Value> RegionFunctions::machine() const {
  SmallVector<Value> values(state.programId, state.programId + 3);
  values.append(state.numPrograms, state.numPrograms + 3);
  values.push_back(state.scratch);
  return values;
}

void RegionFunctions::setMachine(ValueRange values) {
  for (int axis = 0; axis < 3; ++axis) {
    state.programId[axis] = values[axis];
    state.numPrograms[axis] = values[3 + axis];
  }
  state.scratch = values[6];
}

RegionFunctions::Made RegionFunctions::make(Region &region) {
  OpBuilder &b = state.builder;
  Block &block = region.front();
  llvm::SetVector<Value> outside;
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        outside.insert(operand);
  });
  SmallVector<Type> inputs, outputs;
  for (Type type : block.getArgumentTypes())
    inputs.push_back(emittedType(type));
  for (Value value : outside)
    inputs.push_back(state.scalar(value).getType());
  SmallVector<Value> outer = machine();
  for (Value value : outer)
    inputs.push_back(value.getType());
  for (Value value : block.getTerminator()->getOperands())
    outputs.push_back(emittedType(value.getType()));
  Type result =
      outputs.size() == 1 ? outputs.front() : LLVM::LLVMStructType::getLiteral(b.getContext(), outputs);

  OpBuilder::InsertionGuard guard(b);
  Location before = state.loc;
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  b.setInsertionPointToEnd(module.getBody());
  auto function =
      b.create<LLVM::LLVMFuncOp>(state.loc, "region" + std::to_string(count++),
                                 LLVM::LLVMFunctionType::get(result, inputs), LLVM::Linkage::Internal);
  function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind")}));
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);

  SmallVector<Value> kept;
  for (Value value : outside)
    kept.push_back(state.scalar(value));
  size_t own = block.getNumArguments();
  for (auto [argument, value] : llvm::zip(block.getArguments(), entry->getArguments()))
    state.scalars[argument] = value;
  for (auto [i, value] : llvm::enumerate(outside))
    state.scalars[value] = entry->getArgument(own + i);
  setMachine(entry->getArguments().drop_front(own + outside.size()));
  BlockEmitter emitter(state, pointers);
  ++state.waiting; // a loop around any of its calls may wait
  emitter.emitBlock(block);
  state.loc = block.getTerminator()->getLoc();
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(emitter.scalar(value));
  --state.waiting;
  Value all = results.front();
  if (results.size() > 1) {
    all = b.create<LLVM::UndefOp>(state.loc, result);
    for (auto [i, value] : llvm::enumerate(results))
      all = b.create<LLVM::InsertValueOp>(state.loc, all, value, static_cast<int64_t>(i));
  }
  b.create<LLVM::ReturnOp>(state.loc, all);

  for (auto [value, old] : llvm::zip(outside, kept))
    state.scalars[value] = old;
  setMachine(outer);
  state.loc = before;
  return {function, llvm::to_vector(outside.getArrayRef())};
}

const RegionFunctions::Made &RegionFunctions::get(Region &region) {
  auto found = functions.find(&region);
  if (found == functions.end())
    found = functions.try_emplace(&region, make(region)).first;
  return found->second;
}

SmallVector<Value> RegionFunctions::call(Region &region, ValueRange arguments) {
  const Made &made = get(region);
  OpBuilder &b = state.builder;
  SmallVector<Value> all(arguments);
  for (Value value : made.outside)
    all.push_back(state.scalar(value));
  all.append(machine());
  Value result = b.create<LLVM::CallOp>(state.loc, made.function, all).getResult();
  if (!isa<LLVM::LLVMStructType>(result.getType()))
    return {result};
  SmallVector<Value> parts;
  for (size_t i = 0; i < region.front().getTerminator()->getNumOperands(); ++i)
    parts.push_back(b.create<LLVM::ExtractValueOp>(state.loc, result, ArrayRef<int64_t>{int64_t(i)}));
  return parts;
}

} // namespace trisect::cpu
