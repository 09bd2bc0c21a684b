//===- Conversion.h - how a block gets from one layout to another ---------------------------------------===//
//
// What: a plan by which every thread gets the elements that it holds in the new layout: other registers of
// its own (Renaming), registers of lanes of its warp (Shuffle), or a way through shared memory (SharedPlan).
// Why: a plan is plain data, so that it can be tested without a machine and emitted for any. Limits: both
// layouts cover their tensor and have no free register bits; blocks of a cluster do not exchange.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_CONVERSION_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_CONVERSION_H

#include "backends/gpu/layouts/XorChain.h"
#include <variant>

namespace trisect::gpu {

/// Register r of the result is register source[r] of the operand.
struct Renaming {
  std::vector<uint32_t> source;
  bool operator==(const Renaming &) const = default;
};

/// Rounds of one shuffle each. In round r a thread
///   offers its register `rounds[r].offered ^ offered(thread)`,
///   reads what lane `rounds[r].lane ^ lane(thread)` of its warp offers,
///   and has register `r ^ result(thread)` of the result.
struct Shuffle {
  struct Round {
    uint32_t offered = 0;
    uint32_t lane = 0;
    bool operator==(const Round &) const = default;
  };
  std::vector<Round> rounds;
  XorChain offered;
  XorChain lane;
  XorChain result;

  /// True if every lane reads itself, so that selecting registers is all there is to do.
  bool withinLanes() const;
};

/// One side of a way through shared memory: vectors of registers at consecutive offsets.
struct SharedAccess {
  struct Group {
    /// In elements, to be XORed with offset(thread); a multiple of the vector.
    uint32_t offset = 0;
    std::vector<uint32_t> registers;
  };
  /// The groups of each round; every group is as long as the plan's vector.
  std::vector<std::vector<Group>> rounds;
  XorChain offset;
};

/// In each round: all store their groups, meet, load theirs, meet.
struct SharedPlan {
  uint32_t elementBytes = 0;
  /// Elements of an access.
  uint32_t vector = 1;
  /// Of one round.
  uint32_t bytes = 0;
  SharedAccess store;
  SharedAccess load;
  /// Only threads that have none of these bits store: the others hold copies.
  uint32_t copyLanes = 0;
  uint32_t copyWarps = 0;
};

using Conversion = std::variant<Renaming, Shuffle, SharedPlan>;

/// Bytes of an element of so many bits in shared memory.
uint32_t bytesInShared(uint32_t elementBits);

/// The cheapest way for elements of `elementBits`. Through shared memory it takes several rounds if one would
/// need more than `mostBytes` and the layouts allow it.
Conversion conversion(const Layout &from, const Layout &to, uint32_t elementBits, uint32_t mostBytes = 32768);

/// The ways, each if it is possible.
std::optional<Renaming> renaming(const Layout &from, const Layout &to);
std::optional<Shuffle> shuffle(const Layout &from, const Layout &to);
SharedPlan throughShared(const Layout &from, const Layout &to, uint32_t elementBytes, uint32_t mostBytes);

/// How many rounds the memory needs for one access of a warp beyond those that its bytes need; 0: no
/// conflict. Lanes give the byte offset of their access of `bytes` bytes; a lane without one gives nothing.
uint32_t bankConflicts(const std::vector<std::optional<uint32_t>> &lanes, uint32_t bytes);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_CONVERSION_H
