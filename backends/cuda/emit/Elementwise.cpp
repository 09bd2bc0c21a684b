//===- Elementwise.cpp - dispatch over elements ---------------------------------------------------------===//
//
// What: runs an elementwise op on each value that a thread holds; blocks of one value alike.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "backends/cuda/emit/Emitter.h"

using namespace llvm;

namespace trisect::cuda {

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
  for (unsigned n = 0; n < count; ++n) {
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
