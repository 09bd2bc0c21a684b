//===- Storage.h - where in the scratch memory each buffer of a program lies ----------------------------===//
//
// What: buffers whose lives do not overlap share memory. A life goes from the place in the code where a
// buffer is made to the end of the last thing in the same block that works on it: a loop around that place
// makes the buffer anew in each round, a loop behind it keeps the buffer alive as a whole. Why: a program's
// scratch memory stays in the first caches. Limits: buffers are placed one by one, the largest first, at the
// lowest free place; what lasts beyond a program (Arena in emit/KernelState.h) shares with nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_STORAGE_H
#define TRISECT_BACKENDS_CPU_PLAN_STORAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace trisect::cpu {

/// When a buffer is needed, both ends included, in any count of time that grows along the code.
struct Life {
  int64_t bytes = 0;
  int64_t begin = 0, end = 0;

  bool meets(const Life &other) const { return begin <= other.end && other.begin <= end; }
};

struct Storage {
  static constexpr int64_t alignment = 64;
  llvm::SmallVector<int64_t> offsets; ///< by buffer
  int64_t begin = 0, end = 0;         ///< of all of them together

  /// The lines of the plan: what lies where, and from which step to which. Steps count the ends of lives.
  std::string describe(llvm::ArrayRef<Life> lives) const;
};

/// Places for all buffers, `begin` or later.
Storage storageOf(llvm::ArrayRef<Life> lives, int64_t begin);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_STORAGE_H
