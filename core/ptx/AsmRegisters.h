//===- AsmRegisters.h - whether the registers of inline assembly hold what they must --------------------===//
//
// What: reads of registers that nothing has written, and constraints that name fewer or more registers than
// the packed elements fill. Why: on a machine each is whatever was there before; no tier shall make something
// up. Limits: a write under a predicate counts as one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PTX_ASMREGISTERS_H
#define TRISECT_CORE_PTX_ASMREGISTERS_H

#include "core/ptx/AsmText.h"
#include <span>

namespace trisect {

/// The first instruction that reads a register before anything has written it, in words; empty if none does.
std::string unwrittenRead(const AsmProgram &program);

/// What is wrong with the number of registers for groups of `pack` elements, whose sizes in bytes are given
/// by operand and by result; empty if nothing is.
std::string registerCountProblem(const AsmProgram &program, int64_t pack, std::span<const unsigned> operands,
                                 std::span<const unsigned> results);

} // namespace trisect

#endif // TRISECT_CORE_PTX_ASMREGISTERS_H
