//===- Sample.cpp - which programs of a grid are compared -----------------------------------------------===//
#include "jit/check/Sample.h"
#include <random>
#include <set>

namespace trisect::jit {

std::vector<int64_t> samplePrograms(const Grid &grid, unsigned random, uint64_t seed) {
  std::set<int64_t> ids;
  int64_t programs = grid.programs();
  if (programs <= 0)
    return {};
  for (int corner = 0; corner < 8; ++corner) {
    int64_t x = corner & 1 ? grid.x - 1 : 0, y = corner & 2 ? grid.y - 1 : 0, z = corner & 4 ? grid.z - 1 : 0;
    ids.insert((z * grid.y + y) * grid.x + x);
  }
  std::mt19937_64 generator(seed);
  size_t want = std::min<int64_t>(programs, static_cast<int64_t>(ids.size()) + random);
  // A grid that is hardly larger than the sample may repeat ids; then fewer are taken.
  for (unsigned attempt = 0; ids.size() < want && attempt < 8 * random; ++attempt)
    ids.insert(static_cast<int64_t>(generator() % static_cast<uint64_t>(programs)));
  return {ids.begin(), ids.end()};
}

} // namespace trisect::jit
