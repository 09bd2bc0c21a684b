//===- Legality.h - what an element may be besides tier 0's value ---------------------------------------===//
//
// What: runs programs in tier 0 with bounds (interp/bounds) and tells, byte by byte, which element a
// compiled tier may give other bits, and which. Why: a difference is judged by what its profile leaves open
// for the very data of the launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_LEGALITY_H
#define TRISECT_JIT_CHECK_LEGALITY_H

#include "backends/target/Memory.h"
#include "interp/bounds/Bounds.h"
#include "jit/reference/InterpExecutable.h"
#include <map>
#include <optional>
#include <string>

namespace trisect::jit {

class Legality {
public:
  /// Of several programs each begins where the one before has ended.
  Legality(const InterpExecutable &reference, const LaunchRequest &request, ProgramRange programs,
           MemorySpace &memory, NumericProfile profile);

  struct Open {
    uint64_t address; ///< where the element begins
    interp::Legal legal;
  };
  /// The open element that holds a byte; nothing: it must be tier 0's.
  std::optional<Open> at(uint64_t byte) const;
  /// Why nothing can be said of the programs; empty if something can.
  const std::string &lost() const { return lostAt; }
  /// Where the first element came into doubt; empty if none did.
  const std::string &doubted() const { return doubtAt; }

private:
  std::map<uint64_t, interp::Legal> open;
  std::string lostAt, doubtAt;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_LEGALITY_H
