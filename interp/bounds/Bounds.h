//===- Bounds.h - how far a legal evaluation of a program may be from tier 0 ----------------------------===//
//
// What: rides on the step loop of one program instance beside an overlay. For each element of a slot that the
// profile leaves open it keeps the least and the greatest legal value; what the program writes carries its
// ends in two further overlays, so that they survive a trip through memory. Why: a compiled tier that differs
// within the ends is right, one that lies outside them is wrong, and no tolerance is set by hand.
// Limits: one program, one thread. Where something open decides the way (a branch, a trip count, an address,
// a mask of a store), the rest of the program is lost: nothing is said of it. Bodies of reduce, scan and map
// that round are in doubt as a whole.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_BOUNDS_H
#define TRISECT_INTERP_BOUNDS_BOUNDS_H

#include "interp/bounds/Ends.h"
#include "interp/bounds/Mark.h"
#include "interp/bounds/Rules.h"
#include "interp/exec/Observer.h"
#include "interp/memory/Overlay.h"
#include <functional>
#include <string>
#include <vector>

namespace trisect::interp {

/// What may stand at an address after the program, in the type it was written with.
struct Legal {
  DType type = DType::I8;
  Span span;
};

class Bounds final : public Observer {
public:
  /// `memory` is the overlay that the program runs in; `reader` is the one it was made with.
  Bounds(const Program &program, const Overlay &memory, const BoundProfile &profile,
         const Overlay::Reader &reader = {});

  void before(Instance &instance, const Instr &instr) override;
  void after(Instance &instance, const Instr &instr) override;

  /// Why nothing can be said of the program; empty if something can.
  const std::string &lost() const { return lostAt; }
  /// Where the first element came into doubt; empty if none did.
  const std::string &doubted() const { return doubtAt; }

  /// Calls visit(address, legal) for each element written whose value is open.
  void forEachOpen(const std::function<void(uint64_t, const Legal &)> &visit) const;

private:
  /// Which of the three further overlays a run of a handler reads and writes.
  enum class End : uint8_t { Low, High, Type };

  Span spanAt(uint64_t address, DType type) const;

  // Slots.
  const EndsPtr &endsOf(const Instance &s, const Instr &i, unsigned n) const;
  bool anyOpen(const Instance &s, const Instr &i) const;
  void set(unsigned result, Ends ends, DType type);
  void setDoubt(Instance &s, const Instr &i, const char *what);
  void setNothing(const Instr &i) { pending.assign(i.numResults, nullptr); }
  void lose(const Instance &s, const Instr &i, const char *what);
  void noteDoubt(const Instance &s, const Instr &i, const char *what);
  std::string placeOf(const Instance &s, const Instr &i) const;

  // Elementwise.cpp, IntegerRanges.cpp
  void elementwise(Instance &s, const Instr &i);
  void loseRounding(const Instance &s, const Instr &i, std::vector<Ends> &operands) const;

  // Blocks.cpp
  void move(const Instance &s, const Instr &i);
  void moveElements(Instance &s, const Instr &i);
  void fold(Instance &s, const Instr &i);
  void loseTies(Instance &s, const Instr &i, const std::vector<SlotId> &compared);
  void map(Instance &s, const Instr &i);
  void product(Instance &s, const Instr &i);

  // Access.cpp
  void load(Instance &s, const Instr &i);
  void recastLoaded(Instance &s, const Instr &i);
  Ends loadedEnds(Instance &s, const Instr &i);
  void store(Instance &s, const Instr &i);
  void atomic(Instance &s, const Instr &i);
  void addInAnyOrder(Instance &s, const Instr &i, bool open, bool adds);
  void spread();

  /// Runs the handler of an instruction with its open operands at one end; gives the elements of its results.
  std::vector<std::vector<uint64_t>> runAt(Instance &s, const Instr &i, End end);
  /// Runs a store or load of `types` whose operand `n` is marks.
  std::vector<std::vector<uint64_t>> runMarked(Instance &s, const Instr &i, unsigned n, Value marks);
  void setFromEnds(Instance &s, const Instr &i);

  const Program &program;
  const Overlay &memory;
  BoundProfile profile;
  mutable Overlay low, high;     ///< of memory at either end, once that is open
  Overlay types;                 ///< Mark of each element written since then
  bool memoryOpen = false;       ///< the ends of some element in memory differ, or it is a NaN
  std::vector<EndsPtr> ends;     ///< by slot
  std::vector<EndsPtr> pending;  ///< by result of the present instruction
  std::vector<uint8_t> products; ///< by slot: a product that nothing rounded since
  std::string lostAt, doubtAt;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_BOUNDS_H
