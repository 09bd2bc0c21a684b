//===- Location.h - where two tiers part ----------------------------------------------------------------===//
//
// What: the operation of a kernel from which a difference comes, with the values that go in and out of it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_LOCATION_H
#define TRISECT_JIT_CHECK_LOCATION_H

#include "core/support/Outcome.h"
#include <optional>
#include <string>
#include <vector>

namespace trisect::jit {

struct LocatedOp {
  unsigned op = 0; ///< its number in the order of a walk, outer operations first
  std::string name, text;
  SourcePosition position;
};

struct LocatedOperand {
  std::string text;  ///< the operation that made it
  std::string value; ///< at the index, the same in both tiers; empty for a block of another shape
};

struct Location {
  enum class Kind : uint8_t {
    Unknown, ///< why is in `note`
    Value,   ///< the operation gives another value, its operands are the same
    Control, ///< the operation runs its body another number of times, or another one of its branches
    Memory,  ///< all that goes into the operation is the same, what it writes differs
    Fault,   ///< the operation faults on the same operands
    Region,  ///< the difference comes from between two operations and vanishes if one looks
  };
  Kind kind = Kind::Unknown;
  LocatedOp op;                   ///< of Region, the last one
  std::optional<LocatedOp> after; ///< of Region: the first one, if it does not begin with the kernel
  int64_t program = 0;
  int64_t execution = 0; ///< how many times it ran before
  std::vector<int64_t> shape, index;
  std::string expected, found;
  std::optional<uint64_t> ulp;
  std::vector<LocatedOperand> operands;
  std::vector<double> apart; ///< of each element of the block, row by row: ULP, or how far integers are apart
  int runs = 0;
  std::string note;

  /// One sentence.
  std::string describe(const std::string &tier) const;
};

/// `value`, `control`, `memory`, `fault`, `region`, `unknown`.
std::string_view locationKindName(Location::Kind kind);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_LOCATION_H
