//===- ShadowPlan.h - what shadow mode learns of a program before it runs -------------------------------===//
//
// What: for each instruction whether its wrap-around could reach an address, an index or a mask, and whether
// its result must be looked at; for each parameter whether the program may write through it, and its
// narrowest access. Why: what cannot matter is not checked while the program runs. Limits: follows slots, not
// memory: a pointer that was loaded may lead anywhere.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_SHADOWPLAN_H
#define TRISECT_INTERP_SHADOW_SHADOWPLAN_H

#include "core/support/Sanitize.h"
#include "interp/program/Program.h"
#include <vector>

namespace trisect::interp {

enum ShadowFlag : uint8_t {
  ShadowWraps = 1,         ///< integer arithmetic whose wrap-around could decide an access
  ShadowUndefines = 2,     ///< may make undefined elements of defined ones
  ShadowHinted = 4,        ///< the source promises something of the result
  ShadowFinite = 32,       ///< makes floats, which must be finite if its operands are
  ShadowBody = 64,         ///< an operation of its region may make a taint
  ShadowPointer = 8,       ///< the result is an address made from another
  ShadowFoundPointer = 16, ///< the result is an address out of memory or arithmetic
};

struct ShadowPlan {
  ShadowPlan(const Program &program, const SanitizeOptions &options);

  std::vector<uint8_t> flags; ///< ShadowFlag by instruction
  std::vector<bool> written;  ///< by parameter: the program may write through it

  bool writesUnknown = false; ///< the program may write through a pointer of unknown origin
  unsigned narrowest = 8;     ///< bytes of its narrowest access

private:
  /// A reduction or scan that adds up integers.
  static bool foldsSums(const Program &program, const Instr &i);
  void findAddressSlice(const Program &program);
  void findRoots(const Program &program);
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_SHADOWPLAN_H
