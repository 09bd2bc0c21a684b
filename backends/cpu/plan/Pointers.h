//===- Pointers.h - which accesses may touch the same memory --------------------------------------------===//
//
// What: traces pointers to the kernel argument that they come from and compares accesses.
// Limits: arguments count as distinct only where the launch has shown that their memory is disjoint; pointers
// read from memory may be anything.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_POINTERS_H
#define TRISECT_BACKENDS_CPU_PLAN_POINTERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace trisect::cpu {

/// One access to memory by an op.
struct Access {
  mlir::Operation *op = nullptr;
  mlir::Value pointer;
  mlir::Value root; ///< the kernel argument, or null
  bool writes = false;
};

class Pointers {
public:
  /// `disjoint`: memory behind different pointer arguments does not overlap if either is written.
  explicit Pointers(bool disjoint) : disjoint(disjoint) {}

  mlir::Value root(mlir::Value pointer);
  Access access(mlir::Operation *op, mlir::Value pointer, bool writes);
  /// True if the order of the two accesses matters and they do not go lane by lane to the same places.
  bool conflict(const Access &first, const Access &second);
  /// True if its arithmetic shows that no two lanes of the pointer block have one address, also where it
  /// wraps.
  static bool distinctLanes(mlir::Value pointer);
  /// How far the elements of a block are apart along each dimension, modulo 2^32; nothing if its arithmetic
  /// does not show it.
  static std::optional<llvm::SmallVector<int64_t, 4>> stridesOf(mlir::Value block);

  /// True if the answer of some conflict() hung on `disjoint`.
  bool reliedOnArguments() const { return relied; }

private:
  mlir::Value trace(mlir::Value pointer, llvm::SmallPtrSetImpl<void *> &open);

  bool disjoint;
  bool relied = false;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_POINTERS_H
