//===- Checker.h - one kind of defect that shadow mode looks for ----------------------------------------===//
//
// What: the interface of the checkers, one a file, and the access that most of them look at. Why: what is
// looked for is a list, made from the options of the launch; what is off costs nothing.
// Limits: a checker sees what Travel.h has, and no other checker.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_CHECKER_H
#define TRISECT_INTERP_SHADOW_CHECKER_H

#include "interp/ops/AccessLanes.h"
#include "interp/shadow/Travel.h"
#include <memory>

namespace trisect::interp {

/// An access that is about to happen.
struct Touch {
  const Instr &i;
  const Access &access;
  const Shape &shape;
  SlotId element; ///< whose elements move
  int32_t tensor; ///< that the pointer derives from
  bool reads, writes;
  bool atomic = false;
  const Value *value = nullptr;    ///< what is written; null for a read-modify-write
  const Taints *through = nullptr; ///< of what its addresses depend on
  bool good = true;                ///< no lane must be left out
};

class Checker {
public:
  explicit Checker(Travel &travel) : travel(travel), s(travel.s) {}
  virtual ~Checker() = default;

  /// Another program begins.
  virtual void restart() {}
  /// Around an instruction that the plan marks.
  virtual void before(const Instr &) {}
  virtual void after(const Instr &) {}
  /// Adds to a list of `count` lanes, made when needed, what the instruction spoils by itself.
  virtual void spoil(const Instr &, TaintLanes &, int64_t /*count*/) {}
  /// Before an access.
  virtual void touch(Touch &) {}
  /// Adds the lanes of a read that give nothing to rely on.
  virtual void read(const Touch &, TaintLanes &) {}

protected:
  Travel &travel;
  Instance &s;
};

/// What the options of the launch ask for, in the order in which findings of one access are told.
std::vector<std::unique_ptr<Checker>> checkersOf(Travel &travel);

// One a file.
std::unique_ptr<Checker> boundsChecker(Travel &travel);
std::unique_ptr<Checker> alignmentChecker(Travel &travel);
std::unique_ptr<Checker> storeConflictChecker(Travel &travel);
std::unique_ptr<Checker> raceChecker(Travel &travel);
std::unique_ptr<Checker> initialisedChecker(Travel &travel);
std::unique_ptr<Checker> wrapChecker(Travel &travel);
std::unique_ptr<Checker> undefinedChecker(Travel &travel);
std::unique_ptr<Checker> hintChecker(Travel &travel);
std::unique_ptr<Checker> finiteChecker(Travel &travel);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_CHECKER_H
