//===- Access.h - the addresses of one load or store as a pattern ---------------------------------------===//
//
// What: what a load or store of a block touches: nothing, one address, rows at regular distance cut by a box,
// or a list of addresses; and moving a range of its elements. Why: rows become memory copies, and an all-true
// mask costs nothing. Limits: the pattern refers to the values of pointer and mask and must not outlive them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_ACCESS_H
#define TRISECT_INTERP_OPS_ACCESS_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

class Access {
public:
  /// The pattern of a block of `type` elements behind `pointer`, lanes by `mask` (null: all).
  Access(const Value &pointer, const Value *mask, const Shape &shape, DType type);

  /// No lane is active.
  bool none() const { return kind == Kind::None; }
  /// All lanes are active and read one address.
  bool uniform() const { return kind == Kind::Uniform; }
  uint64_t address() const { return base; }
  /// Lowest address and one past the highest, if known.
  bool range(uint64_t &low, uint64_t &high) const;
  /// Same lanes at the same addresses.
  bool sameAs(const Access &other) const;
  /// All lanes active, rows without gaps inside: byte strides per dimension of the shape.
  bool isView(int64_t *strides) const;

  /// Calls visit(address, step, lane, count) for each run of active lanes: `count` elements, `step` bytes
  /// apart, from lane `lane` of the block on. One address that all lanes read is one run with step 0.
  template <typename Visit> void forActive(Visit visit) const;
  /// The lanes of a mask that has to be asked one by one, or null.
  bool needsMask() const { return mask != nullptr; }
  bool scattered() const { return kind == Kind::Scattered; }
  /// No two lanes of different index share a byte, by their strides alone.
  bool distinct() const;
  /// Every address is a multiple of the element's size; false if that takes a look at each.
  bool aligned() const;

  /// Elements [offset, offset + count): in place, or in `scratch`. `other` gives lanes that are not active.
  const void *load(Instance &instance, const Instr &instr, const Value *other, int64_t offset, int64_t count,
                   void *scratch) const;
  void store(Instance &instance, const Instr &instr, Strip value, int64_t offset, int64_t count) const;
  /// Asks the cache for what the same instruction will touch next, if its addresses advance as they did last:
  /// in the next pass of a loop or in the program with the next number. The machine foresees that only within
  /// a page.
  void fetchAhead(Instance &instance, const Instr &instr) const;

private:
  enum class Kind : uint8_t { None, Uniform, Rows, Scattered };
  template <typename Visit> void rows(int64_t offset, int64_t count, Visit visit) const;
  /// Rows that are active but for their ends.
  const void *loadRows(Instance &s, const Instr &i, const Value *other, int64_t offset, int64_t count,
                       char *out) const;
  /// Whether a store changes memory.
  bool changes(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const;
  // Of store: rows of lanes that are all active, rows under a mask run by run, and lane by lane.
  void storeRows(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const;
  void storeRuns(const char *in, int64_t offset, int64_t count) const;
  void storeEach(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const;

  Kind kind = Kind::None;
  bool boxed = false;      ///< only lanes in low..high
  bool unitStride = false; ///< neighbours in the last dimension are neighbours in memory
  int rank = 0;            ///< after merging dimensions
  unsigned size = 1;
  DType type;
  uint64_t base = 0;
  int64_t dims[maxSymbolicRank + 1], strides[maxSymbolicRank + 1];
  int64_t low[maxSymbolicRank + 1], high[maxSymbolicRank + 1];
  const Shape *shape;
  const Value *pointer;
  const Value *mask; ///< Dense or View mask that has to be asked per lane, else null
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_ACCESS_H
