//===- Elementwise.cpp - dispatch over the families -----------------------------------------------------===//
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "core/ir/Locations.h"
#include "core/support/Outcome.h"

using namespace mlir;

namespace trisect::cpu {

void unsupported(Operation *op, const llvm::Twine &why) {
  SourcePosition position = tt::positionOf(op->getLoc());
  std::string text = "the cpu tier cannot run '" + op->getName().getStringRef().str() + "'";
  if (std::string reason = why.str(); !reason.empty())
    text += ": " + reason;
  if (position.known())
    text = position.str() + ": " + text;
  throw Unsupported(text, position);
}

bool isElementwise(Operation *op) {
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  return id && info(*id).cls == OpClass::Elementwise && *id != OpId::tt_elementwise_inline_asm;
}

LaneValue emitElementwise(Code &code, Operation *op, ArrayRef<LaneValue> operands, unsigned lanes) {
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  if (!id)
    unsupported(op);
  if (*id == OpId::arith_select) {
    const LaneValue &condition = operands[0], &a = operands[1], &b = operands[2];
    if (condition.isUniform() && a.isUniform() && b.isUniform())
      return LaneValue::uniform(code.select(condition.value, a.value, b.value));
    Value which = condition.isUniform() ? condition.value : toVector(code, condition, lanes);
    return LaneValue::lanes(code.select(which, toVector(code, a, lanes), toVector(code, b, lanes)));
  }
  if (*id == OpId::tt_extern_elementwise)
    return emitExtern(code, op, operands, lanes);
  for (auto family : {emitIntegerOp, emitFloatOp, emitCast})
    if (LaneValue result = family(code, op, *id, operands, lanes))
      return result;
  unsupported(op);
}

} // namespace trisect::cpu
