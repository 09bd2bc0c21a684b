//===- Sample.h - which programs of a grid are compared -------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_SAMPLE_H
#define TRISECT_JIT_CHECK_SAMPLE_H

#include "core/support/Launch.h"
#include <cstdint>
#include <vector>

namespace trisect::jit {

/// Linear ids (x fastest), ascending: the corners of the grid, the first and last program among them, and
/// `random` further ones that `seed` decides.
std::vector<int64_t> samplePrograms(const Grid &grid, unsigned random, uint64_t seed);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_SAMPLE_H
