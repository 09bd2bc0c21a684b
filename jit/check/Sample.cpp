//===- Sample.cpp - corners and random programs ---------------------------------------------------------===//
#include "jit/check/Sample.h"
#include <algorithm>
#include <random>
#include <set>

namespace trisect::jit {

std::vector<ProgramRange> samplePrograms(const Grid &grid, unsigned random, uint64_t seed) {
  int64_t programs = grid.programs();
  if (programs <= 0)
    return {};
  std::vector<ProgramRange> ranges;
  std::set<int64_t> taken;
  auto take = [&](int64_t first, int64_t count) {
    if (taken.contains(first))
      return;
    for (int64_t id = first; id < first + count; ++id)
      taken.insert(id);
    ranges.push_back({first, count});
  };
  if (programs > 2)
    take(programs - 1, 1);
  take(0, std::min<int64_t>(programs, 2));
  for (int corner = 6; corner > 0; --corner) {
    int64_t x = corner & 1 ? grid.x - 1 : 0, y = corner & 2 ? grid.y - 1 : 0, z = corner & 4 ? grid.z - 1 : 0;
    take((z * grid.y + y) * grid.x + x, 1);
  }
  std::mt19937_64 generator(seed);
  size_t want = std::min<size_t>(static_cast<size_t>(programs), taken.size() + random);
  // A grid that is hardly larger than the sample may repeat ids; then fewer are taken.
  for (unsigned attempt = 0; taken.size() < want && attempt < 8 * random; ++attempt)
    take(static_cast<int64_t>(generator() % static_cast<uint64_t>(programs)), 1);
  return ranges;
}

ProgramRange randomProgram(const Grid &grid, uint64_t seed) {
  std::mt19937_64 generator(seed);
  return {static_cast<int64_t>(generator() % static_cast<uint64_t>(grid.programs())), 1};
}

} // namespace trisect::jit
