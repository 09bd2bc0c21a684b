//===- AsmForms.h - whether inline assembly is what an assembler takes ----------------------------------===//
//
// What: holds each instruction against AsmForms.def: its words, the number of its operands, and the type of
// each register, literal and predicate. Why: an assembler refuses the rest, and a word that no tier knows
// (`.sat` of an integer, a packed type) must not run as if it were not there.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PTX_ASMFORMS_H
#define TRISECT_CORE_PTX_ASMFORMS_H

#include "core/ptx/AsmText.h"

namespace trisect {

/// The first instruction that has no form or an operand of another type, in words; empty if all are good.
std::string formProblem(const AsmProgram &program);

} // namespace trisect

#endif // TRISECT_CORE_PTX_ASMFORMS_H
