//===- Sample.h - which programs of a grid are compared -------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_SAMPLE_H
#define TRISECT_JIT_CHECK_SAMPLE_H

#include "core/support/Launch.h"
#include <vector>

namespace trisect::jit {

/// Programs to compare, the most telling first: the last and the first of the grid, its other corners, then
/// `random` further ones that `seed` decides. Each is there once. The first comes with its neighbour, since
/// code may carry something from one program to the next.
std::vector<ProgramRange> samplePrograms(const Grid &grid, unsigned random, uint64_t seed);

/// One program that `seed` decides.
ProgramRange randomProgram(const Grid &grid, uint64_t seed);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_SAMPLE_H
