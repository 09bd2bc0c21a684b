//===- Optimize.h - what decoding leaves to do on the flat program --------------------------------------===//
//
// What: drops instructions whose results nothing reads (loads too: they touch nothing that matters),
// recognises regions that run over lanes, forms groups of elementwise code, and marks where operands die.
// Limits: no MLIR; instructions keep their order except that pure ones move ahead of a group that they do not
// need.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_OPTIMIZE_H
#define TRISECT_INTERP_PROGRAM_OPTIMIZE_H

#include "interp/program/Program.h"

namespace trisect::interp {

void optimize(Program &program);

/// The steps of optimize, in order.
void dropDead(Program &program);
void describeRegions(Program &program);
void hoistUniform(Program &program);
void markInPlace(Program &program);
void formGroups(Program &program);
void markDeaths(Program &program);

/// Finds the masks of the loads that variables were made by.
void describeStatements(Program &program);

/// Instructions that a jump may reach, by index; one more entry than instructions.
std::vector<bool> jumpTargets(const Program &program);
/// Rewrites jump targets after instructions moved: `moved[old]` is the new index.
void retarget(Program &program, const std::vector<uint32_t> &moved);

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_OPTIMIZE_H
