//===- Elementwise.cpp - dispatch over elements ---------------------------------------------------------===//
//
// What: runs an elementwise op on each value that a thread holds; blocks of one value alike. A comparison is
// made once for elements that are known to compare alike, as `at < n` where a power of two divides n.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace trisect::cuda {

namespace {
/// For each value that a thread holds of a comparison the first one that is the same whatever the operands
/// are.
SmallVector<unsigned> firstOfEqual(Emitter &e, mlir::Value result, unsigned count) {
  SmallVector<unsigned> first(count);
  std::iota(first.begin(), first.end(), 0);
  tt::AxisInfo facts = e.axes.of(result);
  if (count == 1 || facts.isUnreached())
    return first;
  const Placement &placement = e.placement(result.getType());
  std::map<std::vector<int64_t>, unsigned> groups;
  for (unsigned n = 0; n < count; ++n) {
    std::vector<int64_t> group;
    // What the thread adds is the same for all: it changes which group this is, not who is in it.
    for (auto [dim, at] : enumerate(placement.layout().coordinates(placement.element(n))))
      group.push_back(at / facts.constancy(dim));
    first[n] = groups.try_emplace(std::move(group), n).first->second;
  }
  return first;
}
} // namespace

bool emitElementwise(Emitter &e, mlir::Operation *op) {
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  if (!id || info(*id).cls != OpClass::Elementwise || *id == OpId::tt_elementwise_inline_asm ||
      *id == OpId::tt_extern_elementwise)
    return false;
  mlir::Value result = op->getResult(0);
  unsigned count = e.partTypes(result.getType()).size();
  if (isConversion(*id)) {
    e.set(result, convertParts(e, op, *id, e.parts(op->getOperand(0))));
    return true;
  }
  Parts parts;
  SmallVector<const Parts *> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(&e.parts(operand));
  if (count > 1 && operands.size() == 2 && emitHalfPairs(e, op, *id, *operands[0], *operands[1], parts)) {
    e.set(result, std::move(parts));
    return true;
  }
  SmallVector<unsigned> first;
  if (isa<mlir::arith::CmpIOp>(op))
    first = firstOfEqual(e, result, count);
  for (unsigned n = 0; n < count; ++n) {
    if (!first.empty() && first[n] < n) {
      parts.push_back(parts[first[n]]);
      continue;
    }
    SmallVector<Value *> values;
    bool known = n > 0;
    for (const Parts *operand : operands) {
      values.push_back((*operand)[operand->size() == 1 ? 0 : n]);
      known &= values.back() == (*operand)[0];
    }
    // What is the same for all parts is computed once.
    parts.push_back(known ? parts[0] : emitElement(e, op, *id, values));
  }
  e.set(result, std::move(parts));
  return true;
}

Value *emitElement(Emitter &e, mlir::Operation *op, OpId id, ArrayRef<Value *> operands) {
  for (auto family : {emitIntegerOp, emitFloatOp})
    if (Value *value = family(e, op, id, operands))
      return value;
  unsupported(op);
}

} // namespace trisect::cuda
