//===- ValueNumbers.h - which values are computed alike -------------------------------------------------===//
//
// What: gives values numbers, the same to those that the same operations make of the same values. Why: each
// group of loops computes the bounds of its own loops, and they often are those of the group before. Limits:
// what reads memory, or has a region, is like nothing else; so is what lies many operations deep.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_VALUENUMBERS_H
#define TRISECT_BACKENDS_CPU_EMIT_VALUENUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace trisect::cpu {

class ValueNumbers {
public:
  uintptr_t of(mlir::Value value) { return find(value, 0); }

private:
  uintptr_t find(mlir::Value value, unsigned depth);

  llvm::DenseMap<mlir::Value, uintptr_t> known;
  std::map<std::vector<uintptr_t>, uintptr_t> made; ///< by operation, attributes, type and operands
  uintptr_t last = 0;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_VALUENUMBERS_H
