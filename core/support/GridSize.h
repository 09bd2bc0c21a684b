//===- GridSize.h - how many programs a grid has --------------------------------------------------------===//
//
// What: the product of a grid's sizes, checked.
// Why: three sizes that fit 32 bits make a product that no counter holds; every entrance asks here before it
// hands a grid to a tier, which may then multiply.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_GRIDSIZE_H
#define TRISECT_CORE_SUPPORT_GRIDSIZE_H

#include "core/support/Launch.h"
#include "core/support/Outcome.h"

namespace trisect {

/// 0 if any size is 0. Throws InvalidInput if a size is negative or if there are 2^63 programs or more.
inline int64_t countPrograms(const Grid &grid) {
  auto refuse = [&](const char *why) {
    return InvalidInput("the grid (" + std::to_string(grid.x) + ", " + std::to_string(grid.y) + ", " +
                        std::to_string(grid.z) + ") " + why);
  };
  if (grid.x < 0 || grid.y < 0 || grid.z < 0)
    throw refuse("has a negative size");
  int64_t plane = int64_t(grid.x) * grid.y, programs = 0;
  if (__builtin_mul_overflow(plane, int64_t(grid.z), &programs))
    throw refuse("has 2**63 programs or more, which no launch can finish; make its sizes smaller");
  return programs;
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_GRIDSIZE_H
