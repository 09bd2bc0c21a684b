//===- Taints.h - what shadow mode knows of a slot besides its value ------------------------------------===//
//
// What: for each slot the tensor that its addresses derive from, and which of its elements are tainted: born
// undefined, read from memory that nobody wrote, wrapped around, not finite although all inputs were, or
// dependent on a hint that does not hold (as an address, or as a value read through one). A taint is the
// number of the instruction that gave birth to it and its kind, one word an element; 0 is clean.
// Why: a defect is reported where a tainted element decides something, together with its birth place.
// Limits: an element carries one taint, the first that reached it. Almost all slots are clean; the element
// list exists only where some elements are tainted and others are not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_TAINTS_H
#define TRISECT_INTERP_SHADOW_TAINTS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace trisect::interp {

enum class TaintKind : uint32_t { Clean, Undefined, Uninitialized, Wrapped, NotFinite, Promised, Misled };

/// Kind and birth place of a taint; 0: clean.
using Taint = uint32_t;
constexpr unsigned taintShift = 28;

constexpr Taint makeTaint(TaintKind kind, uint32_t instr) {
  return static_cast<uint32_t>(kind) << taintShift | instr;
}
constexpr TaintKind kindOf(Taint taint) { return static_cast<TaintKind>(taint >> taintShift); }
constexpr uint32_t birthOf(Taint taint) { return taint & ((1u << taintShift) - 1); }
/// Of an integer that matters as an address only: wrapped around, or not what a hint promised.
constexpr bool mattersAsAddress(Taint taint) {
  return kindOf(taint) == TaintKind::Wrapped || kindOf(taint) == TaintKind::Promised;
}

/// Undefined values alone go on: a sum of wrapped numbers is nobody's address.
constexpr Taint undefinedOnly(Taint taint) { return mattersAsAddress(taint) ? 0 : taint; }

using TaintLanes = std::vector<Taint>;

struct Taints {
  static constexpr int32_t unknown = -1;

  int32_t tensor = unknown;                ///< of a pointer: the registered tensor it derives from
  Taint all = 0;                           ///< every element
  std::shared_ptr<const TaintLanes> lanes; ///< by element, row-major; null: all elements have `all`

  bool tainted() const { return all || lanes; }
  Taint at(int64_t lane) const { return lanes ? (*lanes)[static_cast<size_t>(lane)] : all; }
  void clean() {
    all = 0;
    lanes.reset();
  }
  void setAll(Taint taint) {
    all = taint;
    lanes.reset();
  }
  /// Takes a list of elements; one that is uniform becomes `all`.
  void setLanes(TaintLanes list) {
    lanes.reset();
    all = list.empty() ? 0 : list.front();
    for (Taint taint : list)
      if (taint != all) {
        all = 0;
        lanes = std::make_shared<const TaintLanes>(std::move(list));
        return;
      }
  }
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_TAINTS_H
