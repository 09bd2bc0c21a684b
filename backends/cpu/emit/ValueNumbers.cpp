//===- ValueNumbers.cpp - a table of what was computed --------------------------------------------------===//
#include "backends/cpu/emit/ValueNumbers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace trisect::cpu {

uintptr_t ValueNumbers::find(Value value, unsigned depth) {
  constexpr unsigned deepest = 32;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  uintptr_t number = 0;
  if (op && depth < deepest && op->getNumRegions() == 0 && op->getNumResults() == 1 &&
      isMemoryEffectFree(op)) {
    std::vector<uintptr_t> key = {
        reinterpret_cast<uintptr_t>(op->getName().getAsOpaquePointer()),
        reinterpret_cast<uintptr_t>(op->getAttrDictionary().getAsOpaquePointer()),
        reinterpret_cast<uintptr_t>(value.getType().getAsOpaquePointer()),
    };
    for (Value operand : op->getOperands())
      key.push_back(find(operand, depth + 1));
    number = made.try_emplace(std::move(key), last + 1).first->second;
  } else {
    number = last + 1;
  }
  last = std::max(last, number);
  known[value] = number;
  return number;
}

} // namespace trisect::cpu
