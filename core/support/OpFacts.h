//===- OpFacts.h - what the op table says of operands, results and effects ------------------------------===//
//
// What: the columns of core/ops.def that say how an op reads integers, what wraps, what is undefined, what it
// does besides its results, what becomes of taints, and which tiers run it. Why: checks, refusals and
// documents go by one row. Limits: of the op; what an attribute or a type of one instruction changes is asked
// where it matters.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OPFACTS_H
#define TRISECT_CORE_SUPPORT_OPFACTS_H

#include "core/support/OpTable.h"

namespace trisect {

enum class Reads : uint8_t { Signless, Signed, Unsigned, Stated };
enum class Wraps : uint8_t { Never, Wraps };
enum class Undefined : uint8_t { Never, Always, Divisor, Shift, Range, Index, Masked, Body };
enum class Effects : uint8_t { None, Reads, Writes, Updates, Tells, Orders };
enum class TaintRule : uint8_t {
  Clean,
  Joins,
  Structure,
  Wrapped,
  Promised,
  Moves,
  Indexed,
  Access,
  Folds,
  Product,
  Trials,
  Decides,
  Poison,
  Flow,
  Nothing
};

enum class Tiers : uint8_t { Every, Inlined, Foreign };

struct OpFacts {
  static constexpr int Any = -1;

  int operands; ///< how many, or Any
  Reads reads;
  Wraps wraps;
  Undefined undefined;
  Effects effects;
  TaintRule taints;
  Tiers tiers;
};

namespace op_facts {
constexpr int Any = OpFacts::Any;
constexpr OpFacts rows[] = {
#define TRISECT_OP(id, mnemonic, cls, tolerance, operands, reads, wraps, undefined, effects, taints, tiers)  \
  {operands,         Reads::reads,      Wraps::wraps, Undefined::undefined,                                  \
   Effects::effects, TaintRule::taints, Tiers::tiers},
#include "core/ops.def"
};
} // namespace op_facts

constexpr const OpFacts &factsOf(OpId op) { return op_facts::rows[static_cast<size_t>(op)]; }

constexpr bool readsUnsigned(OpId op) { return factsOf(op).reads == Reads::Unsigned; }
/// An element of its result may be undefined though those of its operands are not, by their values alone.
constexpr bool makesUndefined(OpId op) {
  Undefined when = factsOf(op).undefined;
  return when == Undefined::Divisor || when == Undefined::Shift || when == Undefined::Range;
}
/// An element that wrapped around goes on being wrong.
constexpr bool carriesWrap(OpId op) {
  TaintRule rule = factsOf(op).taints;
  return rule == TaintRule::Structure || rule == TaintRule::Wrapped;
}
/// A promise of an operand's structure is one of the result's.
constexpr bool carriesPromise(OpId op) {
  TaintRule rule = factsOf(op).taints;
  return rule == TaintRule::Structure || rule == TaintRule::Promised;
}

/// Whether nothing but the operation's own bits decides its taints, lane by lane.
constexpr bool travelsByLane(TaintRule rule) {
  return rule == TaintRule::Joins || rule == TaintRule::Structure || rule == TaintRule::Wrapped ||
         rule == TaintRule::Promised;
}

/// Why a tier refuses what it refuses of an op; empty if every tier runs it.
constexpr std::string_view refusalOf(OpId op) {
  switch (factsOf(op).tiers) {
  case Tiers::Every:
    break;
  case Tiers::Inlined:
    return "its body cannot stand in its place: recursion, or a return in its middle where the call is "
           "inside a "
           "branch or loop";
  case Tiers::Foreign:
    return "a descriptor in memory has a format of one GPU alone";
  }
  return {};
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OPFACTS_H
