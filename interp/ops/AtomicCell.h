//===- AtomicCell.h - one atomic read-modify-write ------------------------------------------------------===//
//
// What: the kinds of read-modify-write on one element in memory, in direct mode with the machine's atomics,
// under a memory policy through it. Limits: always sequentially consistent, which every order and scope of
// the language allows.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_ATOMICCELL_H
#define TRISECT_INTERP_OPS_ATOMICCELL_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

class AtomicCell {
public:
  /// The instruction's kernel computes the float kinds.
  AtomicCell(Instance &instance, const Instr &instr, DType type);

  /// Returns the old bits.
  uint64_t update(uint64_t address, AtomicKind kind, uint64_t operand);
  uint64_t compareExchange(uint64_t address, uint64_t expected, uint64_t desired);
  uint64_t load(uint64_t address);
  void store(uint64_t address, uint64_t bits);

private:
  uint64_t combine(AtomicKind kind, uint64_t old, uint64_t operand) const;

  Instance &s;
  const Instr &i;
  DType type;
  unsigned size;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_ATOMICCELL_H
