//===- AtomicLanes.h - whether lanes of one atomic meet -------------------------------------------------===//
//
// What: looks on while tier 0 runs programs and tells whether two lanes of one atomic of a block came to the
// same bytes. Why: such lanes have no order; where each has a cell of its own, what each finds there has one
// right value. Limits: sees lanes of one operation; operations of one program have an order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REFERENCE_ATOMICLANES_H
#define TRISECT_JIT_REFERENCE_ATOMICLANES_H

#include "interp/exec/Observer.h"
#include <vector>

namespace trisect::jit {

class AtomicLanes final : public interp::Observer {
public:
  void before(interp::Instance &instance, const interp::Instr &instr) override;
  bool met() const { return haveMet; }

private:
  std::vector<uint64_t> addresses; ///< of one operation
  bool haveMet = false;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_REFERENCE_ATOMICLANES_H
