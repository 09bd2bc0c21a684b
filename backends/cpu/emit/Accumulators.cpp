//===- Accumulators.cpp - what the rounds of a reducing loop carry --------------------------------------===//
#include "backends/cpu/emit/Accumulators.h"
#include "backends/cpu/emit/Extremes.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

std::optional<Accumulators> neutralAccumulators(Code &code, ArrayRef<tt::ReduceOp> reduces, unsigned lanes,
                                                unsigned chunks) {
  Accumulators result;
  for (tt::ReduceOp reduce : reduces) {
    Type type = vectorOf(emittedType(ttElement(reduce->getOperand(0).getType())), lanes);
    Value identity = reduce->getNumOperands() == 1 ? identityOf(code, reduce->getRegion(0), type) : Value();
    if (!identity)
      return std::nullopt;
    result.push_back(isPlainExtreme(code, reduce, lanes) ? startExtremes(code, reduce, lanes, chunks)
                                                         : SmallVector<Parts>(chunks, Parts{identity}));
  }
  return result;
}

SmallVector<Value> flatten(const Accumulators &accumulators) {
  SmallVector<Value> values;
  for (const auto &reduction : accumulators)
    for (const Parts &parts : reduction)
      llvm::append_range(values, parts);
  return values;
}

Accumulators unflatten(const Accumulators &like, ValueRange values) {
  Accumulators result = like;
  size_t next = 0;
  for (auto &reduction : result)
    for (Parts &parts : reduction)
      for (Value &part : parts)
        part = values[next++];
  return result;
}

} // namespace trisect::cpu
